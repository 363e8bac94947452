import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { pythonVariableNames, variableNames } from "../../../account/export/variable.ts";

type Row = readonly [kind: string, name: string, ...problems: string[]];

const namesIn =
  (names: typeof variableNames) =>
  (...blocks: Row[]): string[] => {
    const all = blocks.map(([kind, name, ...problems]) => ({ kind, name, problems }));
    return all.map(names(all));
  };

const namesOf = namesIn(variableNames);
const pythonNamesOf = namesIn(pythonVariableNames);

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

test("a variable of Python is the name of the project, with the kind if several resources have it", () => {
  expect(
    pythonNamesOf(
      ["volume", "web_data"],
      ["security-group", "web"],
      ["vpc", "web"],
      ["volume", "web_vpc"],
      ["vpc", "kcloud"],
      ["volume", "a_1"],
      ["volume", "a1"],
    ),
  ).toEqual(["web_data", "web_security_group", "web_vpc_2", "web_vpc", "kcloud_vpc", "a_1", "a1"]);
});

test("no variable of Python is a keyword or a built-in name", () => {
  const script =
    "import builtins, json, keyword; print(json.dumps([*keyword.kwlist, *keyword.softkwlist, *dir(builtins)]))";
  const names = JSON.parse(execFileSync("python3", ["-c", script], { encoding: "utf8" })) as string[];
  // Names of projects are in lower case and begin with a letter.
  const possible = names.filter((name) => /^[a-z]\w*$/.test(name));
  expect(possible.length).toBeGreaterThan(80);
  const blocks = possible.map((name): Row => ["vpc", name]);
  expect(pythonNamesOf(...blocks)).toEqual(possible.map((name) => `${name}_vpc`));
});
