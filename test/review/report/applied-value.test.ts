import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { secret, UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { type AppliedValues, comparedInputs } from "../../../review/report/applied-value.ts";
import type { ReportChange, ReportDifference, Shown } from "../../../review/report/report.ts";

const difference = (
  path: ReportDifference["path"],
  after: Shown,
  more: Partial<ReportDifference> = {},
): ReportDifference => ({
  ...{ path, name: path.join("."), before: { kind: "none" }, after, forcesReplacement: false },
  ...more,
});
const value = (text: string): Shown => ({ kind: "value", text });

const compare = (
  differences: ReportDifference[],
  inputs: Values,
  {
    action = "update",
    type = "a:b:C",
    engine = "pulumi",
    ...more
  }: Partial<Pick<ReportChange, "action" | "type" | "engine"> & AppliedValues> = {},
) => comparedInputs({ differences, action, type, engine } as ReportChange, { ...more, inputs });

test("planned values are compared with the inputs, by their paths", () => {
  const differences = [
    difference(["sizeGb"], value("8")),
    difference(["tags", "team"], value('"web"')),
    difference(["ports", 1, "to"], value("80")),
    difference(["old"], { kind: "none" }),
  ];
  const inputs = { sizeGb: 8, tags: { team: "web" }, ports: [{}, { to: 80 }] };
  expect(compare(differences, inputs)).toEqual({ compared: 4, uncompared: 0, different: [] });
  const other = { sizeGb: 9, tags: { team: "db" }, ports: [{ to: 80 }], old: 1 };
  expect(compare(differences, other).different).toEqual(["sizeGb", "tags.team", "ports.1.to", "old"]);
});

test("a long value is compared by its length and its hash", () => {
  const text = JSON.stringify("x".repeat(1_000));
  const after = (full: string): Shown => ({
    ...{ kind: "value", text: full.slice(0, 400), cut: full.length },
    sha256: createHash("sha256").update(full).digest("hex"),
  });
  const inputs = { policy: "x".repeat(1_000) };
  expect(compare([difference(["policy"], after(text))], inputs)).toMatchObject({
    compared: 1,
    different: [],
  });
  const end = `${text.slice(0, -2)}y"`;
  expect(compare([difference(["policy"], after(end))], inputs).different).toEqual(["policy"]);
});

test.each([
  ["a sensitive planned value", { kind: "sensitive" }, "a"],
  ["an unknown planned value", { kind: "unknown" }, "a"],
  ["a sensitive input", value('"a"'), secret("a")],
  ["a part of an input that is sensitive", value("{}"), { b: [secret("a")] }],
  ["an unknown input", value('"a"'), UNKNOWN],
  ["a planned value with an unknown part", value('["?",?]'), ["?", "b"]],
  ["a planned value with a sensitive part", value('{"b":(sensitive)}'), { b: "c" }],
  ["a redacted planned value", value('"a *** b"'), "a canary b"],
] as const)("%s is counted as not compared", (_, after, input) => {
  expect(compare([difference(["a"], after as Shown)], { a: input as never })).toEqual({
    ...{ compared: 0, uncompared: 1, different: [] },
  });
});

test("a question mark in a text is no unknown part", () => {
  expect(compare([difference(["a"], value('"why? (sensitive)"'))], { a: "because" }).different).toEqual([
    "a",
  ]);
});

test("values that the API sets are no inputs", () => {
  expect(compare([difference(["status"], value('"on"'), { isComputed: true })], {})).toEqual({
    ...{ compared: 0, uncompared: 0, different: [] },
  });
});

test("a planned value without an input is another value, unless the API sets it", () => {
  const volume = { type: "kcloud:index:Volume" };
  const without = (name: string, more: object = volume) =>
    compare([difference([name], value('"x"'))], {}, more);
  expect(without("description")).toEqual({ compared: 1, uncompared: 0, different: ["description"] });
  expect(without("region")).toEqual({ compared: 0, uncompared: 1, different: [] });
  expect(without("status")).toEqual({ compared: 0, uncompared: 1, different: [] });
  // Of other providers it is not known which values are outputs.
  expect(without("arn", {})).toEqual({ compared: 0, uncompared: 1, different: [] });
});

test("attributes that the plan does not set are other values", () => {
  const differences = [difference(["a"], value("1"))];
  expect(compare(differences, { a: 1, b: 2 }, { changed: ["a", "b"] }).different).toEqual(["b"]);
  expect(compare(differences, { a: 1, b: 2 }, { changed: ["a"] }).different).toEqual([]);
  expect(compare(differences, { a: 1, b: 2, c: null, __own: 1 }, { action: "create" }).different).toEqual([
    "b",
  ]);
  // A report omits values that mean the same as none.
  const inputs = { bucketId: "b", readWriteIps: [], readOnlyIps: ["10.0.0.0/24"] };
  const policy = { action: "create", type: "kcloud:index:BucketPolicy" } as const;
  expect(compare([difference(["bucketId"], value('"b"'))], inputs, policy).different).toEqual([
    "readOnlyIps",
  ]);
  // A replacement shows its changed values only.
  expect(compare(differences, { a: 1, b: 2 }, { action: "replace" }).different).toEqual([]);
});

test("inputs before and after a step show what it changes, at any depth", () => {
  const differences = [difference(["v"], value("2")), difference(["tags", "team"], value('"web"'))];
  const before = { v: 1, tags: { team: "db", owner: "ann" }, kept: "x", __own: 1 };
  const after = { v: 2, tags: { team: "web", owner: "ann" }, kept: "x", __own: 2 };
  for (const action of ["update", "replace"] as const) {
    const different = (inputs: Values) => compare(differences, inputs, { action, before }).different;
    expect(different(after)).toEqual([]);
    expect(different({ ...after, more: 1 })).toEqual(["more"]);
    expect(different({ ...after, kept: null })).toEqual(["kept"]);
    expect(different({ ...after, tags: { team: "web", owner: "eve" } })).toEqual(["tags.owner"]);
    expect(different({ ...after, tags: { team: "web", owner: "ann", more: "x" } })).toEqual(["tags.more"]);
  }
});

test("a planned value that is neither an input nor an output was not set", () => {
  const differences = [difference(["v"], value("1")), difference(["w"], value("2"))];
  const different = (outputs: Values | undefined) =>
    compare(differences, { v: 1 }, { action: "create", outputs }).different;
  expect(different({ v: 1 })).toEqual(["w"]);
  expect(different({ v: 1, w: 3 })).toEqual([]);
  expect(different(undefined)).toEqual([]);
});

test("all values of an object of Terraform are compared, and it has others that the plan does not", () => {
  const differences = [difference(["size_gb"], value("8")), difference(["id"], { kind: "unknown" })];
  const options = { engine: "terraform", action: "create", type: "kcloud_volume" } as const;
  expect(compare(differences, { size_gb: 8, id: "a", more: 1 }, options)).toEqual({
    ...{ compared: 1, uncompared: 1, different: [] },
  });
  expect(compare(differences, { size_gb: 9, id: "a" }, options).different).toEqual(["size_gb"]);
});

test("an asset whose content the log leaves out is compared by its hash", () => {
  const asset = (text: string, hash: string) => ({ sig: "asset", hash, text });
  const planned = (text: string) => [
    difference(["v"], value(JSON.stringify({ hash: "a", sig: "asset", text }))),
  ];
  const different = (hash: string) =>
    compare(planned("good"), { v: asset("<contents elided>", hash) }).different;
  expect(different("a")).toEqual([]);
  expect(different("b")).toEqual(["v"]);
});
