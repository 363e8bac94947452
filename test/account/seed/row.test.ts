import { expect, test } from "@jest/globals";
import { common, derivedUuid, type Entry, krnFor, krnOf, needed } from "../../../account/seed/row.ts";
import type { Values } from "../../../provider/core/value.ts";

const owner = { account: "12", customer: "00000000-0000-4000-8000-000000000001" };
const entry = (values: Values, id = "krn:x"): Entry => ({ kind: "instance", id, region: "In-A-1", values });

test.each<[Values, object]>([
  [{ name: "web" }, { name: "web" }],
  [
    { name: "web", createdAt: "2026-01-31T12:00:00+05:30" },
    { name: "web", createdAt: "2026-01-31T06:30:00.000Z" },
  ],
  [{ name: "web", createdAt: "yesterday" }, { name: "web" }],
  [
    { name: "web", status: "ERROR" },
    { name: "web", failure: "failed" },
  ],
  [
    { name: "web", status: "ERROR", failureReason: "volume: no space" },
    { name: "web", failure: "no space", failedStep: "volume" },
  ],
  [{ name: null, status: "ACTIVE", failureReason: "old" }, { name: "krn:x".slice(4) }],
])("the common fields of %j are %j", (values, fields) => {
  expect(common("instance", entry(values), "krn:x")).toEqual({ kind: "instance", krn: "krn:x", ...fields });
});

test("an id that is no KRN becomes part of one: a UUID as it is, any other text as a derived UUID", () => {
  const uuid = "0A000000-0000-4000-8000-000000000009";
  expect(krnFor(entry({}), owner, "kbs:volume")).toBe("krn:x");
  expect(krnFor(entry({}, uuid), owner, "kbs:volume")).toBe(
    krnOf(owner, "kbs:volume", "In-A-1", uuid.toLowerCase()),
  );
  expect(krnFor(entry({}, "AK1"), owner, "kos:accesskey")).toBe(
    krnOf(owner, "kos:accesskey", "In-A-1", derivedUuid("kos:accesskey AK1")),
  );
});

test("fields that a row needs are assumed where an entry lacks them", () => {
  expect(needed("the volume v", { size: [null, 1], volumeType: ["hdd", "ssd"] })).toEqual({
    fields: { size: 1, volumeType: "hdd" },
    assumed: ["size of the volume v: 1"],
  });
});
