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

test("fields of a response inside of others count, as labels do, and those of a response in it do not", () => {
  const labelled = (timestamp: string) => ({ ...object, tags: { timestamp }, requestId: timestamp });
  expect(fingerprint(labelled("1"))).not.toBe(fingerprint(labelled("2")));
  const [one, two] = [1, 2].map((requestId) => {
    const source = { key: "a", requestId, tags: { requestId: 0 } };
    return [{ source }, new WeakSet([source])] as const;
  });
  if (one === undefined || two === undefined) throw new TypeError("two values");
  expect(fingerprint(one[0], [], one[1])).toBe(fingerprint(two[0], [], two[1]));
  expect(fingerprint(one[0])).not.toBe(fingerprint(two[0]));
  expect(fingerprint({ labels: { lastUsed: 1 } }, ["lastUsed"])).not.toBe(
    fingerprint({ labels: { lastUsed: 2 } }, ["lastUsed"]),
  );
});
