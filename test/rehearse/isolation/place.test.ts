import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { packageParts, rootFor, systemPlaces } from "../../../rehearse/isolation/place.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "kcloud-place-")));
});
afterEach(() => rm(root, { recursive: true }));

async function write(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "");
    await chmod(join(root, file), 0o755);
  }
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await symlink(target, join(root, path));
}

interface Options {
  readonly path?: readonly string[];
  readonly programs?: readonly string[];
  readonly others?: readonly string[];
  readonly environments?: readonly string[];
}

/** Returns what is visible in the folder of the test, relative to it: outside of the source, and in it. */
function visible({ path = [], programs = [], others = [], environments = [] }: Options) {
  const all = (names: readonly string[]) => names.map((name) => join(root, name));
  const { visible, writable, source } = rootFor({
    environment: { PATH: [...all(path), "relative/bin", ""].join(":"), HOME: join(root, "home") },
    ...{ programs: all(programs), others: all(others), environments: all(environments) },
    ...{ copy: "/copy", source: join(root, "work") },
  });
  expect([writable, source?.path]).toEqual(["/copy", join(root, "work")]);
  expect(visible).toEqual(expect.arrayContaining([...systemPlaces]));
  const inRoot = (paths: readonly string[] = []) =>
    paths.filter((one) => one.startsWith(`${root}/`)).map((one) => relative(root, one));
  return { outer: inRoot(visible), inner: inRoot(source?.visible) };
}

test("a folder of programs on PATH is visible with its libraries, and other folders on PATH are not", async () => {
  await write("home/.tool/bin/a", "home/.tool/lib/a", "home/.tool/versions/a", "home/.tool/secret");
  await write("home/bin/b", "home/lib/b", "home/downloads/c", "home/.config/key", "work/main.tf");
  const path = ["home/.tool/bin", "home/bin", "home/downloads", "home", "none/bin"];
  expect(visible({ path })).toEqual({
    outer: ["home/.tool/bin", "home/.tool/lib", "home/.tool/versions", "home/bin"],
    inner: [],
  });
});

test("a program outside of such a folder is visible with the programs of its name, and one in packages with these", async () => {
  await write("home/downloads/pulumi", "home/downloads/pulumi-language-yaml", "home/downloads/private");
  await write("packages/node_modules/tool/bin/run");
  await link("../packages/node_modules/tool/bin/run", "home/run");
  const path = ["packages/node_modules/.bin"];
  await mkdir(join(root, "packages/node_modules/.bin"));
  expect(visible({ path, programs: ["home/downloads/pulumi", "home/run", "none"] }).outer).toEqual([
    ...["packages/node_modules/.bin", "packages/node_modules"],
    ...["home/downloads/pulumi", "home/downloads/pulumi-language-yaml", "home/run"],
  ]);
});

test("a folder that contains the home folder or the source is not visible, also by a link", async () => {
  await write("home/a", "work/main.tf");
  await link(root, "packages/node_modules/all");
  await link("../../home", "packages/node_modules/home");
  await link("../../work", "packages/node_modules/work");
  const others = [
    "",
    "home",
    "work",
    ...["all", "home", "work"].map((name) => `packages/node_modules/${name}`),
  ];
  expect(visible({ others })).toEqual({ outer: [], inner: [] });
});

test("links in the source lead to packages and into the source only", async () => {
  await write("work/packages/x/a", "work/node_modules/y/a", "home/.config/key", "home/bin/z");
  await write("other/node_modules/.pnpm/p/a");
  await link("../packages/x", "work/node_modules/x");
  await link("../../other/node_modules/.pnpm/p", "work/node_modules/p");
  await link("../../home/.config", "work/node_modules/config");
  await link("../home/bin", "work/bin");
  const names = ["", "/x", "/p", "/config"].map((name) => `work/node_modules${name}`);
  expect(visible({ others: names, path: ["work/bin"] })).toEqual({
    outer: ["other/node_modules"],
    inner: ["work/node_modules", "work/packages/x"],
  });
});

test("of a virtual environment, the interpreters to which it links are visible with their libraries", async () => {
  await write("home/uv/3.12.1/bin/python3.12", "home/uv/3.12.1/lib/a", "home/uv/3.12.1/secret");
  await write("home/.config/bin/key", "home/.config/python3", "work/venv/lib/a");
  await link("3.12.1", "home/uv/3.12");
  await link(join(root, "home/uv/3.12/bin/python3.12"), "work/venv/bin/python");
  await link("python", "work/venv/bin/python3");
  await link(join(root, "home/.config/bin/key"), "work/venv/bin/python3.9");
  await link(join(root, "home/.config/python3"), "work/venv/bin/python3.10");
  const { outer, inner } = visible({ environments: ["work/venv"], others: ["work/venv"] });
  expect([...new Set(outer)].toSorted()).toEqual([
    ...["home/uv/3.12.1/bin", "home/uv/3.12.1/lib", "home/uv/3.12/bin/python3.12"],
  ]);
  expect(inner).toEqual(["work/venv"]);
});

test("a link in the source leads to a virtual environment, and to no other folder", async () => {
  await write("home/.cache/venv/pyvenv.cfg", "home/.cache/key", "home/uv/bin/python3", "work/__main__.py");
  await link(join(root, "home/uv/bin/python3"), "home/.cache/venv/bin/python3");
  await link("python3", "home/.cache/venv/bin/python");
  await link("../home/.cache/venv", "work/venv");
  await link("../home/.cache", "work/other");
  const { outer, inner } = visible({
    others: ["work/venv", "work/other"],
    environments: ["work/venv", "work/other"],
  });
  expect([...new Set(outer)].toSorted()).toEqual([
    ...["home/.cache/venv", "home/.cache/venv/bin/python3", "home/uv/bin", "home/uv/bin/python3"],
  ]);
  expect(inner).toEqual([]);
});

test("of this package, its programs and packages are visible", () => {
  expect(packageParts("/a/@kcloud/iac/dist/terraform-provider-kcloud")).toEqual([
    ...["/a/@kcloud/iac/dist", "/a/@kcloud/iac/package.json", "/a/@kcloud/iac/node_modules"],
  ]);
});
