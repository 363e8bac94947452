import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { UsageError } from "../../../command/argument.ts";
import { logToRecord, parseOptions } from "../../../rehearse/command/parse.ts";

let folder: string;
const before = process.cwd();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-parse-"));
  process.chdir(folder);
  await mkdir("net");
  await mkdir("a/b", { recursive: true });
  await mkdir("other");
  await mkdir("program");
  await writeFile("program/Pulumi.yaml", "name: shop\nruntime: yaml\n");
  await writeFile("state.json", "{}");
  await symlink("state.json", "same.json");
});
afterAll(async () => {
  process.chdir(before);
  await rm(folder, { recursive: true });
});

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
  [[...given, "--until", "apply"], '--until must be validate or plan, not "apply"'],
  [[...given, "--until", "plan", "--fault-drill"], "--until ends before the apply"],
  [["program", "--state", "state.json", "--until", "validate"], "Pulumi checks a program in --until plan"],
  [["none", "--state", "s"], "none is no folder"],
  [["state.json", "--state", "s"], "state.json is no folder"],
  [[...given, "--out", "same.json"], "--out same.json is a file that the rehearsal reads"],
] as const)("%j: %s", (args, message) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
  expect(() => parseOptions(args)).toThrow(message);
});

test("a folder that contains the temporary folder is refused, also by another name", async () => {
  await symlink(tmpdir(), "link");
  for (const args of [
    [...given, "--root", tmpdir()],
    ["link", ...given.slice(1)],
  ])
    expect(() => parseOptions(args)).toThrow("set TMPDIR to a folder outside of");
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
