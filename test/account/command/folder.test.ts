import {
  chmodSync,
  lstatSync,
  mkdirSync,
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

test("a file that cannot be written leaves no part of the project, in a new folder and in an existing one", () => {
  const unwritable = new Map([...files, ["no/such/folder.tf", "three"]]);
  for (const name of ["project", "deep/er/project"])
    expect(() => writeFolder(join(root, name), unwritable)).toThrow(CommandError);
  expect(readdirSync(root)).toEqual([]);
  mkdirSync(join(root, "empty"));
  expect(() => writeFolder(join(root, "empty"), unwritable)).toThrow(CommandError);
  expect(readdirSync(join(root, "empty"))).toEqual([]);
});

test("an existing folder is not replaced: it may be the current one of a shell, or a mount", () => {
  const folder = join(root, "empty");
  mkdirSync(folder);
  const { ino } = statSync(folder);
  writeFolder(folder, files);
  expect([statSync(folder).ino, readdirSync(folder).toSorted()]).toEqual([ino, ["main.tf", "vpc.tf"]]);
});

test("a symbolic link to an empty folder stays, and the folder gets the files; one to nothing is refused", () => {
  const [folder, link, dangling] = [join(root, "folder"), join(root, "link"), join(root, "dangling")];
  mkdirSync(folder);
  symlinkSync(folder, link);
  symlinkSync(join(root, "nothing"), dangling);
  writeFolder(link, files);
  expect([lstatSync(link).isSymbolicLink(), readFileSync(join(folder, "vpc.tf"), "utf8")]).toEqual([
    true,
    "two\n",
  ]);
  for (const use of [requireEmptyFolder, (path: string) => writeFolder(path, files)])
    expect(() => use(dangling)).toThrow(
      `${dangling} is a symbolic link to a folder that does not exist: create that folder`,
    );
  expect(readdirSync(root).toSorted()).toEqual(["dangling", "folder", "link"]);
});

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("a folder that cannot be created is refused at once, before an account is read", () => {
  for (const path of ["/proc/kcloud", "/proc/kcloud/project"])
    expect(() => requireEmptyFolder(path)).toThrow(
      `${path} cannot be written (ENOENT): choose another folder, or change its permissions`,
    );
  expect(() => requireEmptyFolder("/dev/null/project")).toThrow("/dev/null/project is a file");
});
