import { expect, test } from "@jest/globals";
import { fingerprint } from "../../../mcp/operation/fingerprint.ts";

const object = { id: "1", status: "available", tags: ["a", "b"], size: 1, nested: { b: null, a: true } };

test("the order of fields and the fields of a response do not count", () => {
  const same = {
    ...{ timestamp: "now", nested: { a: true, b: null }, size: 1, tags: ["a", "b"] },
    ...{ status: "available", id: "1", requestId: "r", none: undefined },
  };
  expect(fingerprint(same)).toBe(fingerprint(object));
});

test("every other difference counts, also of a field that one of the two lacks", () => {
  const others = [
    { ...object, status: "in-use" },
    { ...object, tags: ["b", "a"] },
    { ...object, size: "1" },
    { ...object, more: null },
    { ...object, nested: { a: true } },
    [object],
    undefined,
    null,
    "null",
  ];
  const digests = [object, ...others].map((value) => fingerprint(value));
  expect(new Set(digests).size).toBe(digests.length);
});

test("fields that change by themselves are left out by their names", () => {
  expect(fingerprint({ ...object, lastUsed: 1 }, ["lastUsed"])).toBe(fingerprint(object, ["lastUsed"]));
  expect(fingerprint({ ...object, lastUsed: 1 })).not.toBe(fingerprint(object));
});
