import { expect, test } from "@jest/globals";
import { secret, UNKNOWN, type Values } from "../../provider/core/value.ts";
import { labelOf, titleObject, writtenObject } from "../../provider/engine/title.ts";
import { resource } from "../support/cloud.ts";

/** Tests the object in the title of a warning: Terraform merges warnings of equal title. */

const titles = (kind: string, objects: readonly { id?: string; values: Values }[]) => {
  const session = { messages: { warnedKinds: new Set<string>(), titled: new Map<string, string>() } };
  return objects.map((object) => titleObject(session, resource(kind), labelOf(resource(kind), object)));
};

test("objects of one name differ by their ids, and before their create by the object that they belong to", () => {
  const data = (vpcId: string, id?: string) => ({
    ...(id === undefined ? {} : { id }),
    values: { name: "data", vpcId },
  });
  expect(titles("volume", [data("krn:a", "krn:1"), data("krn:a", "krn:2"), data("krn:a", "krn:1")])).toEqual([
    'the volume "data"',
    'the volume "data" (krn:2)',
    'the volume "data"',
  ]);
  expect(titles("volume", [data("krn:a"), data("krn:b")])).toEqual([
    'the volume "data"',
    'the volume "data" of krn:b',
  ]);
});

test("objects of one key in two buckets differ by their bucket", () => {
  const at = (bucketId: string) => ({ id: "a.txt", values: { key: "a.txt", bucketId } });
  expect(titles("object", [at("krn:a"), at("krn:b")])).toEqual([
    'the object "a.txt"',
    'the object "a.txt" of krn:b',
  ]);
});

test("an object without a name has its id and, before its create, the object that it belongs to", () => {
  const rule = { securityGroupId: "krn:group", direction: "ingress" };
  expect(titles("security-group-rule", [{ id: "krn:rule", values: rule }, { values: rule }])).toEqual([
    "the security group rule (krn:rule)",
    "the security group rule of krn:group",
  ]);
});

test("a title contains neither an unknown nor a secret value", () => {
  expect(writtenObject(resource("volume"), { name: UNKNOWN, vpcId: UNKNOWN })).toBe("the volume");
  expect(writtenObject(resource("volume"), { name: secret("canary"), vpcId: secret("canary") })).toBe(
    "the volume",
  );
});
