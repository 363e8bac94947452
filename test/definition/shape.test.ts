import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { computed, field, group } from "../../provider/definition/field.ts";
import { memberOf, membersOf, schemaShape, valueSchema } from "../../provider/definition/shape.ts";

test("each kind of schema has one shape that every engine can represent", () => {
  expect(schemaShape(z.string())).toEqual({ kind: "string" });
  expect(schemaShape(z.number())).toEqual({ kind: "number" });
  for (const integer of [z.int(), z.number().check(z.int())])
    expect(schemaShape(integer.check(z.minimum(1), z.maximum(9)))).toEqual({
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 9,
    });
  expect(schemaShape(z.boolean())).toEqual({ kind: "boolean" });
  expect(schemaShape(z.enum(["a", "b"]))).toEqual({ kind: "string", values: ["a", "b"] });
  expect(schemaShape(z.literal([4, 6]))).toEqual({ kind: "number", integer: true, values: [4, 6] });
  expect(schemaShape(z.literal(true))).toEqual({ kind: "boolean", values: [true] });
  expect(schemaShape(z.array(z.string()))).toEqual({ kind: "list", of: { kind: "string" } });
  expect(schemaShape(z.array(z.string()), true)).toEqual({ kind: "set", of: { kind: "string" } });
  expect(schemaShape(z.record(z.string(), z.number()))).toEqual({ kind: "map", of: { kind: "number" } });
});

test("a list of objects keeps the names and types of the members", () => {
  const shape = schemaShape(z.array(z.object({ id: z.string(), size: z.optional(z.number()) })));
  expect(shape).toMatchObject({
    kind: "list",
    of: {
      kind: "object",
      fields: { id: { shape: { kind: "string" } }, size: { shape: { kind: "number" } } },
    },
  });
});

test("a kind that an engine cannot represent is an error with its name at startup", () => {
  expect(() => schemaShape(z.union([z.string(), z.number()]))).toThrow(
    "a union has no shape that every engine can hold",
  );
  expect(() => schemaShape(z.tuple([z.string()]))).toThrow("a tuple has no shape that every engine can hold");
  expect(() => schemaShape(z.any())).toThrow("a any has no shape that every engine can hold");
  expect(() => schemaShape(z.literal([1, "a"]))).toThrow(
    "a choice among values of several kinds has no shape that every engine can hold",
  );
});

test("a field has its source, whether it is required, and its default", () => {
  expect(memberOf(field(z.string(), "A."))).toMatchObject({ setBy: "user", required: true });
  expect(memberOf(field(z.optional(z.string()), "A."))).toMatchObject({ setBy: "user", required: false });
  const standIn = memberOf(field(z._default(z.number(), 4), "A."));
  expect(standIn).toMatchObject({ required: false, default: 4 });
  const either = memberOf(field(z.string(), "A.", { computed: true }));
  expect(either).toMatchObject({ setBy: "either", required: false });
  expect(memberOf(computed(z.string(), "A."))).toMatchObject({ setBy: "cloud", required: false });
  expect(memberOf(field(z.string(), "A.", { secret: true }))).toMatchObject({ secret: true });
});

test("a group is an object whose members are its fields", () => {
  const fields = { a: field(z.string(), "A."), b: computed(z.number(), "B.") };
  expect(memberOf(group(fields, "G.", { optional: true }))).toMatchObject({
    shape: { kind: "object", fields: { a: { required: true }, b: { setBy: "cloud" } } },
    required: false,
  });
  expect(membersOf(fields)).toBe(membersOf(fields));
});

test("a value is checked without the wrappers for optional values", () => {
  const schema = valueSchema(field(z._default(z.optional(z.string()), "x"), "A."));
  expect(schema.safeParse("y").success).toBe(true);
  expect(schema.safeParse(undefined).success).toBe(false);
});
