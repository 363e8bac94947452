import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { writeNewFiles } from "../../../command/init/file.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const all = () => readdirSync(folder, { recursive: true }).toSorted();

test("new files are written, with their folders, next to those that exist", () => {
  writeFileSync(join(folder, "other"), "");
  writeNewFiles(folder, { "main.tf": "a\n", "review/rules/size.ts": "b\n" });
  expect(all()).toEqual(["main.tf", "other", "review", "review/rules", "review/rules/size.ts"]);
  expect(readFileSync(join(folder, "review/rules/size.ts"), "utf8")).toBe("b\n");
});

test("if files exist, the error lists them, and nothing is written", () => {
  writeFileSync(join(folder, "b"), "mine");
  symlinkSync("nowhere", join(folder, "c"));
  expect(() => writeNewFiles(folder, { a: "1", b: "2", c: "3" })).toThrow(
    "nothing was written, since these files exist: b, c",
  );
  expect(all()).toEqual(["b", "c"]);
  expect(existsSync(join(folder, "c"))).toBe(false);
  expect(readFileSync(join(folder, "b"), "utf8")).toBe("mine");
});

test("a file in the place of a folder, and a folder in the place of a file, are in the list", () => {
  writeFileSync(join(folder, "review"), "mine");
  mkdirSync(join(folder, "main.tf"));
  expect(() => writeNewFiles(folder, { "main.tf": "1", "review/a": "2", "review/b/c": "3" })).toThrow(
    "nothing was written, since these files exist: main.tf, review",
  );
  expect(all()).toEqual(["main.tf", "review"]);
});

test("a path that cannot be read is an error, and nothing is written", () => {
  const long = "c".repeat(300);
  expect(() => writeNewFiles(folder, { a: "1", [long]: "2" })).toThrow(
    /^nothing was written, since c+ cannot be written \(ENAMETOOLONG\)/,
  );
  expect(all()).toEqual([]);
});

test("if a later file cannot be written, the earlier ones and their folders are removed", () => {
  mkdirSync(join(folder, "existing"));
  writeFileSync(join(folder, "existing/file"), "mine");
  // A second spelling of a path, as if another program had created the file in between.
  const files = { "new/deep/a": "1", "existing/b": "2", "existing//b": "3" };
  expect(() => writeNewFiles(folder, files)).toThrow(
    /^nothing was written, since existing\/\/b cannot be written \(EEXIST\)/,
  );
  expect(all()).toEqual(["existing", "existing/file"]);
});
