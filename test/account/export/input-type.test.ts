import { expect, test } from "@jest/globals";
import {
  elementType,
  enumerationOf,
  inputType,
  lookupInputType,
  propertyType,
} from "../../../account/export/input-type.ts";

test("the type of an input leads to those of its parts", () => {
  expect(inputType("instance", "name")).toMatchObject({ type: "string" });
  expect(elementType(inputType("instance", "securityGroups"))).toEqual({ type: "string" });
  expect(elementType(inputType("instance", "tags"))).toEqual({ type: "string" });
  const group = inputType("instance", "bootVolume");
  expect(propertyType(group, "sizeGb")).toMatchObject({ type: "integer" });
  expect([propertyType(group, "none"), elementType(group), inputType("vpc", "none")]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});

test("a closed set of values is an enumeration, and so is an open one", () => {
  const values = (kind: string, input: string) =>
    enumerationOf(inputType(kind, input))?.members.map(({ value }) => value);
  expect(values("instance", "powerState")).toEqual(["running", "stopped"]);
  expect(values("vpc", "ipVersion")).toEqual([4, 6]);
  expect(values("volume", "volumeType")).toContain("HNSS_Encrypted");
  expect(enumerationOf(propertyType(inputType("instance", "bootVolume"), "volumeType"))?.name).toBe(
    "VolumeType",
  );
  expect(values("volume", "name")).toBeUndefined();
});

test("the type of an input of a lookup is that of its function", () => {
  expect(lookupInputType("vpc", "name")).toMatchObject({ type: "string" });
  expect([lookupInputType("vpc", "none"), lookupInputType("none", "name")]).toEqual([undefined, undefined]);
});
