import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { isWithin, refusedEntries } from "../../../rehearse/folder/entry.ts";

let root: string;
beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), "kcloud-entry-")), "root");
  await mkdir(join(root, "sub"), { recursive: true });
  await writeFile(join(root, "sub/file"), "");
});
afterEach(() => rm(join(root, ".."), { recursive: true }));

const refused = () => refusedEntries(root).map(({ place, reason }) => `${place} ${reason}`);

test("links within the folder are copied, and those without a target", async () => {
  await symlink("sub/file", join(root, "link"));
  await symlink("none", join(root, "nowhere"));
  expect(refused()).toEqual([]);
});

test("absolute links and links that lead out of the folder are refused, also over another link", async () => {
  await symlink(join(root, "sub"), join(root, "absolute"));
  await symlink("../../secret", join(root, "sub/out"));
  await writeFile(join(root, "../outside"), "");
  await symlink("../..", join(root, "sub/up"));
  expect(refused().toSorted()).toEqual([
    `absolute is a link to ${join(root, "sub")}: only relative links are copied`,
    "sub/out is a link to ../../secret, which is outside of the copied folder",
    "sub/up is a link to ../.., which is outside of the copied folder",
  ]);
});

test("what is neither file nor folder is refused; packages and providers have links of their own", async () => {
  execFileSync("mkfifo", [join(root, "pipe")]);
  for (const folder of ["node_modules", ".terraform/providers"]) {
    await mkdir(join(root, folder), { recursive: true });
    await symlink("/elsewhere", join(root, folder, "link"));
  }
  await symlink("/elsewhere", join(root, "venv"));
  expect(refusedEntries(root, (path) => path === "venv")).toEqual([
    { place: "pipe", reason: "is neither a file nor a folder" },
  ]);
});

test("a folder contains itself, and not its neighbours", () => {
  expect([
    isWithin("/a", "/a"),
    isWithin("/a", "/a/..b"),
    isWithin("/a", "/ab"),
    isWithin("/a", "/"),
  ]).toEqual([...[true, true, false, false]]);
});
