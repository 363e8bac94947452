import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { isIn, noExecution, reach } from "../../../rehearse/isolation/path.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "kcloud-path-")));
});
afterEach(() => rm(root, { recursive: true }));

test("a path is followed through links of folders and files, relative and absolute ones", async () => {
  await mkdir(join(root, "versions/2/bin"), { recursive: true });
  await writeFile(join(root, "versions/2/bin/node"), "");
  await symlink("2", join(root, "versions/current"));
  await symlink(join(root, "versions/current/bin/node"), join(root, "node"));
  expect(reach(join(root, "node"))).toEqual({
    path: join(root, "versions/2/bin/node"),
    links: [
      { path: join(root, "node"), target: join(root, "versions/current/bin/node") },
      { path: join(root, "versions/current"), target: "2" },
    ],
  });
  expect(reach("/")).toEqual({ path: "/", links: [] });
});

test("a path without a file, below a file, or in a circle leads nowhere", async () => {
  await writeFile(join(root, "file"), "");
  await symlink("two", join(root, "one"));
  await symlink("one", join(root, "two"));
  expect(["none/x", "file/x", "one"].map((name) => reach(join(root, name)).path)).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});

test("the options of a path are those of the file system that is mounted last at the longest folder", () => {
  const table = String.raw`22 1 8:1 / / rw,relatime - ext4 /dev/a rw
30 22 8:2 / /home rw,nosuid,noexec,relatime shared:1 - ext4 /dev/b rw
31 30 8:3 / /home/a\040b rw - ext4 /dev/c rw
32 22 8:4 / /data rw,noexec - ext4 /dev/d rw
33 32 8:5 / /data rw - ext4 /dev/e rw
`;
  const paths = ["/usr/bin", "/home", "/home/u/x", "/homes", "/home/a b/x", "/data/x"];
  expect(paths.filter(noExecution(table))).toEqual(["/home", "/home/u/x"]);
});

test("a folder contains itself, and not its neighbours; the first folder contains all", () => {
  expect([
    isIn("/a", "/a"),
    isIn("/a", "/a/b"),
    isIn("/a", "/ab"),
    isIn("/a/b", "/a"),
    isIn("/", "/a"),
  ]).toEqual([...[true, true, false, false, true]]);
});
