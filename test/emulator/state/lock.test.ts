import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { StateFileError } from "../../../emulator/state/file.ts";
import { lockState } from "../../../emulator/state/lock.ts";

let folder = "";
let file = "";
let lock = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-lock-"));
  file = join(folder, "state.json");
  lock = `${file}.lock`;
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the lock contains the process id, is the only file next to the state file, and is released", () => {
  const unlock = lockState(file);
  expect(readFileSync(lock, "utf8")).toBe(`${process.pid}\n`);
  expect(readdirSync(folder)).toEqual(["state.json.lock"]);
  unlock();
  expect(existsSync(lock)).toBe(false);
});

test("a file locked by a running process is rejected, and the lock is kept", () => {
  writeFileSync(lock, `${process.ppid}\n`);
  expect(() => lockState(file)).toThrow(
    new StateFileError(
      file,
      `is in use by the emulator of process ${process.ppid}`,
      `stop that one, name another file or, if it is no emulator, delete ${lock}`,
    ),
  );
  expect(readFileSync(lock, "utf8")).toBe(`${process.ppid}\n`);
  expect(readdirSync(folder)).toEqual(["state.json.lock"]);
});

test.each([
  ["a process that has ended", () => spawnSync(process.execPath, ["-e", ""]).pid],
  ["an earlier process with the id of this one", () => process.pid],
  ["an invalid process id", () => "?"],
])("the lock of %s is replaced", (_, holder) => {
  writeFileSync(lock, `${holder()}\n`);
  lockState(file);
  expect(readFileSync(lock, "utf8")).toBe(`${process.pid}\n`);
});

test("a stale lock that two emulators find at once is acquired by one of them", () => {
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  writeFileSync(lock, `${dead}\n`);
  const kill = jest.spyOn(process, "kill").mockImplementationOnce(() => {
    // The other emulator acquires the lock after this one found it stale.
    writeFileSync(lock, `${process.ppid}\n`);
    throw Object.assign(new Error("no such process"), { code: "ESRCH" });
  });
  try {
    expect(() => lockState(file)).toThrow(`is in use by the emulator of process ${process.ppid}`);
  } finally {
    kill.mockRestore();
  }
  expect(readFileSync(lock, "utf8")).toBe(`${process.ppid}\n`);
  expect(readdirSync(folder)).toEqual(["state.json.lock"]);
});

test("a stale lock that another emulator is replacing is rejected, one whose replacing process was killed is acquired", () => {
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  const takeover = `${lock}.takeover`;
  writeFileSync(lock, `${dead}\n`);
  writeFileSync(takeover, `${process.ppid}\n`);
  expect(() => lockState(file)).toThrow(`delete ${takeover}`);
  expect(readFileSync(lock, "utf8")).toBe(`${dead}\n`);
  writeFileSync(takeover, `${dead}\n`);
  lockState(file);
  expect(readFileSync(lock, "utf8")).toBe(`${process.pid}\n`);
  expect(readdirSync(folder)).toEqual(["state.json.lock"]);
});

test("a lock that another emulator replaced and released while this one read it is acquired", () => {
  const dead = spawnSync(process.execPath, ["-e", ""]).pid;
  writeFileSync(lock, `${dead}\n`);
  const kill = jest.spyOn(process, "kill").mockImplementationOnce(() => {
    rmSync(lock);
    throw Object.assign(new Error("no such process"), { code: "ESRCH" });
  });
  try {
    lockState(file);
  } finally {
    kill.mockRestore();
  }
  expect(readFileSync(lock, "utf8")).toBe(`${process.pid}\n`);
  expect(readdirSync(folder)).toEqual(["state.json.lock"]);
});

test("a missing folder is an error that names it", () => {
  expect(() => lockState(join(folder, "none", "state.json"))).toThrow(/cannot be written \(ENOENT/);
});
