import { expect, test } from "@jest/globals";
import { parseCall } from "../../call/argument.ts";
import { InvalidCallError } from "../../call/invalid-call.ts";
import { areas } from "../../operation/operations.ts";

const parse = (area: string, method: string, ...args: readonly string[]) => {
  const operation = areas[area]?.[method];
  if (operation === undefined) throw new TypeError(`no operation ${method}`);
  return parseCall(operation, args);
};

const problemOf = (...call: Parameters<typeof parse>): string => {
  try {
    parse(...call);
  } catch (error) {
    if (error instanceof InvalidCallError) return error.message;
    throw error;
  }
  return "";
};

test.each([
  [
    "volume",
    "createVolume",
    ["--size", "10", "--name=-x", "--multiattach"],
    { size: 10, name: "-x", multiattach: true },
  ],
  ["volume", "deleteVolume", ["--no-force"], { force: false }],
  ["volume", "deleteVolume", ["--force=false"], { force: false }],
  ["volume", "createVolume", ["--metadata", '{"a":"b"}'], { metadata: { a: "b" } }],
  ["volume", "createVolume", ["--size", "1e1", "--name", ""], { size: 10, name: "" }],
  [
    "instance",
    "createInstance",
    ["--security-groups", "a", "--security-groups", "b"],
    { securityGroups: ["a", "b"] },
  ],
  ["instance", "createInstance", ["--security-groups", '["a","b"]'], { securityGroups: ["a", "b"] }],
  ["instance", "createInstance", ["--tags", '{"key":"a","value":"b"}'], { tags: [{ key: "a", value: "b" }] }],
  [
    "aiPod",
    "createPod",
    ["--expose-http-ports", "80", "--expose-http-ports", "81"],
    { exposeHttpPorts: [80, 81] },
  ],
  ["volume", "createVolume", ["--size", "ten", "--size-gb"], undefined],
])("%s.%s %j", (area, method, args, parameters) => {
  if (parameters === undefined)
    expect(problemOf(area, method, ...args)).toContain("unknown option --size-gb");
  else expect(parse(area, method, ...args).parameters).toEqual(parameters);
});

test("a value that is not of the type of its parameter stays a text, for the check of the parameters", () => {
  const { parameters, problems } = parse(
    "volume",
    "createVolume",
    "--size",
    "ten",
    "--multiattach=maybe",
    "--metadata",
    "{",
  );
  expect(parameters).toEqual({ size: "ten", multiattach: "maybe", metadata: "{" });
  expect(problems).toEqual([{ option: "--metadata", problem: "is not valid JSON" }]);
});

test.each([
  [["--nme", "data"], 'unknown option --nme; did you mean "--name"?'],
  [["--name"], "--name requires a value"],
  [
    ["--name", "--size", "1"],
    '--name requires a value; write a value that begins with "-" as --name=--size\nunexpected argument "1"',
  ],
  [["--name", "a", "--name", "b"], "--name is given twice"],
  [["data"], 'unexpected argument "data"'],
  [["--multiattach", "false"], 'unexpected argument "false"; write --multiattach=false'],
  [["--yes=no"], "--yes does not accept a value"],
  [["--out", "a", "--out", "b"], "--out is given twice"],
  [["--nme", "a", "--colour"], 'unknown option --nme; did you mean "--name"?\nunknown option --colour'],
])("%j: %s", (args, problem) => {
  expect(problemOf("volume", "createVolume", ...args)).toBe(problem);
});

test("a secret is no argument, and the problem does not show it", () => {
  for (const args of [["--password", "canary"], ["--password=canary"], ["--password", "-canary"]])
    expect(problemOf("signIn", "signInRoot", ...args)).toMatch(/^(?!.*canary).*--password/s);
  expect(parse("signIn", "signInRoot", "--password-env", "PW").variables).toEqual({ password: "PW" });
});
