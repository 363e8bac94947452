import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { openOut } from "../../call/out-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-out-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);
const mode = (name: string) => statSync(path(name)).mode & 0o777;

test("a file has its former content until the response is complete", () => {
  writeFileSync(path("a"), "before");
  const file = openOut(path("a"), false);
  file.write("after");
  expect(readFileSync(path("a"), "utf8")).toBe("before");
  file.complete();
  file.discard();
  expect([readFileSync(path("a"), "utf8"), readdirSync(folder)]).toEqual(["after", ["a"]]);
});

test("what is discarded leaves nothing", () => {
  const file = openOut(path("a"), false);
  file.write(Buffer.from("half"));
  file.discard();
  file.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test("a file is readable by its owner only, also while it is written, and behind a link", () => {
  writeFileSync(path("a"), "before");
  chmodSync(path("a"), 0o644);
  symlinkSync(path("a"), path("link"));
  const file = openOut(path("link"), false);
  file.write("secret");
  expect(
    readdirSync(folder)
      .filter((name) => name.startsWith("."))
      .map(mode),
  ).toEqual([0o600]);
  file.complete();
  expect([readFileSync(path("a"), "utf8"), mode("a"), lstatSync(path("link")).isSymbolicLink()]).toEqual([
    "secret",
    0o600,
    true,
  ]);
});

test("a pipe is refused, since opening it would wait for its reader", () => {
  execFileSync("mkfifo", [path("pipe")]);
  expect(() => openOut(path("pipe"), false)).toThrow(
    "is a pipe: without --out, the response is written to standard",
  );
});

test("a device is written to, but not with a secret; a folder is refused", () => {
  const file = openOut("/dev/null", false);
  file.write("x");
  file.complete();
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  expect(() => openOut("/dev/null", true)).toThrow("is no regular file, and the response contains a secret");
  expect(() => openOut(folder, false)).toThrow(`--out ${folder}: is a folder`);
  expect(() => openOut(`${folder}/\u001b[2J/a`, false)).toThrow("\\u001b[2J/a: cannot be written");
  expect(() => openOut(path("no/a"), false)).toThrow("cannot be written: its folder does not exist");
});
