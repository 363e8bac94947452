import { expect, test } from "@jest/globals";
import {
  bestOf,
  compareIds,
  compareList,
  compareRow,
  compareWithAny,
  idsOf,
} from "../../../operation/destruction/identity.ts";

const uuid = "5070ef53-16af-4bc0-8bc5-93a7dbfd69f0";
const other = "5070ef53-16af-4bc0-8bc5-93a7dbfd69f1";
const krn = `krn:vpc:In-Bangalore-1:1:customer:vpc:${uuid}`;

test("an ID in another spelling, or with masked parts, is the same one", () => {
  for (const listed of [krn, krn.toUpperCase().replace("KRN", "krn"), uuid, krn.replace("customer", "***")])
    expect([listed, compareIds(listed, krn)]).toEqual([listed, "same"]);
  expect(compareIds(krn, uuid)).toBe("same");
  expect(compareIds(17, "17")).toBe("same");
});

test("an ID whose last part differs is another one, also if it is masked", () => {
  for (const listed of [
    krn.replace(uuid, other),
    other,
    krn.replace("customer", "***").replace(uuid, other),
    "data",
  ])
    expect([listed, compareIds(listed, krn)]).toEqual([listed, "other"]);
});

test("an ID that is missing, masked in its last part, or equal in its last part only is not comparable", () => {
  const unknown = [
    undefined,
    null,
    "",
    {},
    krn.replace(uuid, "***"),
    krn.replace("In-Bangalore-1", "in-blr"),
    `vpc/${uuid}`,
  ];
  for (const listed of unknown) expect([listed, compareIds(listed, krn)]).toEqual([listed, "unknown"]);
  expect(compareIds(krn, "krn:vpc:***")).toBe("unknown");
});

test("several IDs are compared with all IDs of an object", () => {
  expect(compareWithAny(uuid, [other, krn])).toBe("same");
  expect(compareWithAny(uuid, [])).toBe("unknown");
  expect(compareList([other, uuid], [krn])).toBe("same");
  expect([compareList([], [krn]), compareList([other], [krn])]).toEqual(["other", "other"]);
  expect([compareList(undefined, [krn]), compareList([other, null], [krn])]).toEqual(["unknown", "unknown"]);
  expect(bestOf([])).toBe("other");
});

test("a row without an ID is not comparable, and a masked ID of an object is none", () => {
  expect(compareRow({ krn, id: other }, ["id", "krn"], uuid)).toBe("same");
  expect([compareRow({}, ["id"], uuid), compareRow([], ["id"], uuid), compareRow("x", ["id"], uuid)]).toEqual(
    Array(3).fill("unknown"),
  );
  expect(compareRow({ id: other, krn: null }, ["id", "krn"], uuid)).toBe("other");
  expect(idsOf({ id: uuid, krn: krn.replace(uuid, "***") }, ["id", "krn"], uuid)).toEqual([uuid]);
});
