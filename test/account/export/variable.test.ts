import { expect, test } from "@jest/globals";
import { variableNames } from "../../../account/export/variable.ts";

const namesOf = (...blocks: (readonly [kind: string, name: string, ...problems: string[]])[]): string[] => {
  const all = blocks.map(([kind, name, ...problems]) => ({ kind, name, problems }));
  return all.map(variableNames(all));
};

test("a name of one resource is in camel case, a name of several has the kind", () => {
  expect(namesOf(["vpc", "shop"], ["volume", "web_data"], ["volume", "web"], ["instance", "web"])).toEqual([
    ...["shop", "webData", "webVolume", "webInstance"],
  ]);
});

test("names that only differ in underscores are numbered, and a name with a kind yields to one without", () => {
  expect(namesOf(["volume", "a_1"], ["volume", "a1"], ["volume", "a_1_volume"])).toEqual([
    ...["a1Volume2", "a1Volume3", "a1Volume"],
  ]);
});

test("reserved words have the kind", () => {
  expect(namesOf(["security-group", "default"], ["vpc", "pulumi"], ["object", "stack"])).toEqual([
    ...["defaultSecurityGroup", "pulumiVpc", "stackObjectResource"],
  ]);
});

test("digits stay apart", () => {
  expect(namesOf(["floating-ip", "ip_198_18_0_1"], ["instance", "web_1"])).toEqual(["ip198_18_0_1", "web1"]);
});

test("a comment has the kind in its name if a resource in force has the name", () => {
  expect(
    namesOf(["security-group-rule", "staff", "direction is required"], ["security-group", "staff"]),
  ).toEqual(["staffSecurityGroupRule", "staff"]);
});
