import { expect, test } from "@jest/globals";
import { UsageError } from "../../../command/argument.ts";
import { logToRecord, parseOptions } from "../../../rehearse/command/parse.ts";

const given = ["net", "--state", "state.json"];

test("a folder and its state suffice", () => {
  expect(parseOptions(given)).toMatchObject({
    ...{
      states: ["state.json"],
      folder: "",
      limit: 600_000,
      allowsCommands: false,
      requiresIsolation: false,
    },
    ...{ drillSeed: undefined, remoteStates: [], file: undefined },
  });
  expect(parseOptions(["a/b", "--root", "a", ...given.slice(1)])).toMatchObject({ folder: "b" });
});

test("a drill has a seed, given or drawn, and states of other folders have names", () => {
  expect(parseOptions([...given, "--fault-drill", "--seed", "7"]).drillSeed).toBe(7);
  expect(parseOptions([...given, "--fault-drill"]).drillSeed).toEqual(expect.any(Number));
  expect(parseOptions([...given, "--remote-state", "net=a=b.json"]).remoteStates).toEqual([
    ["net", "a=b.json"],
  ]);
});

test.each([
  [["--state", "s"], "the folder is missing"],
  [["net"], "--state is missing"],
  [["net", "--state", "-"], "--state must be a file"],
  [[...given, "--time-limit", "0"], "--time-limit must be a number of seconds"],
  [[...given, "--seed", "7"], "--seed is for --fault-drill"],
  [[...given, "--fault-drill", "--seed", "x"], "--seed must be a number"],
  [[...given, "--root", "other"], "--root must contain net"],
  [[...given, "--stack", "dev"], "--stack is for programs of Pulumi"],
  [[...given, "--remote-state", "net"], "--remote-state must be NAME=FILE"],
] as const)("%j: %s", (args, message) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
  expect(() => parseOptions(args)).toThrow(message);
});

test("a log of which times are recorded has a file, and no other option", () => {
  expect(logToRecord(given)).toBeUndefined();
  expect(logToRecord(["--record-times", "log", "--out", "t.json"])).toEqual({ log: "log", out: "t.json" });
  expect(() => logToRecord(["--record-times", "log"])).toThrow("--record-times needs --out FILE");
  expect(() => logToRecord(["--record-times", "log", "--out", "t", "--state", "s"])).toThrow(
    "--record-times and --state exclude each other",
  );
  expect(() => logToRecord(["net", "--record-times", "log", "--out", "t"])).toThrow(UsageError);
});
