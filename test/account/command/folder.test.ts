import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { requireEmptyFolder, writeFolder } from "../../../account/command/folder.ts";
import { CommandError } from "../../../command/run.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kcloud-folder-"));
});
afterEach(() => {
  chmodSync(root, 0o755);
  rmSync(root, { recursive: true });
});

const files = new Map([
  ["main.tf", "one\n"],
  ["vpc.tf", "two\n"],
]);

test("a new folder and an empty one get the files, and nothing remains beside them", () => {
  mkdirSync(join(root, "empty"));
  for (const name of ["empty", "new"]) {
    writeFolder(join(root, name), files);
    expect(readFileSync(join(root, name, "vpc.tf"), "utf8")).toBe("two\n");
  }
  writeFolder(join(root, "deep", "er"), files);
  expect(readdirSync(root).toSorted()).toEqual(["deep", "empty", "new"]);
});

test("a folder with content and a file are refused, and stay as they are", () => {
  const [full, file] = [join(root, "full"), join(root, "file")];
  mkdirSync(full);
  writeFileSync(join(full, "main.tf"), "mine");
  writeFileSync(file, "mine");
  expect(() => writeFolder(full, files)).toThrow(
    `${full} is not empty: choose another folder, or remove its content`,
  );
  expect(() => requireEmptyFolder(file)).toThrow(`${file} is a file: choose another folder`);
  expect([readdirSync(full), readFileSync(file, "utf8")]).toEqual([["main.tf"], "mine"]);
});

test("a file that cannot be written leaves no part of the project", () => {
  const target = join(root, "project");
  expect(() => writeFolder(target, new Map([...files, ["no/such/folder.tf", "three"]]))).toThrow(
    CommandError,
  );
  expect([existsSync(target), readdirSync(root)]).toEqual([false, []]);
});
