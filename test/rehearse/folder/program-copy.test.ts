import { existsSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import manifest from "../../../package.json" with { type: "json" };
import { readConfiguration, readProgram } from "../../../rehearse/folder/program.ts";
import { copyProgram, otherVersionsIn } from "../../../rehearse/folder/program-copy.ts";

const { TMPDIR } = process.env;
let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "kcloud-program-copy-")));
  // Other tests look for copies in the folder of the system.
  process.env.TMPDIR = join(root, "temporary");
  await mkdir(process.env.TMPDIR);
});
afterEach(async () => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  await rm(root, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

const access = { url: "http://127.0.0.1:9", key: "emulator-key" };

function copy(folder: string, at = "work") {
  const program = readProgram(join(root, at), folder, "Pulumi.yaml");
  expect(program.refusals).toEqual([]);
  const configuration = readConfiguration(join(root, at, folder), program, "dev");
  return copyProgram({
    ...{ root: join(root, at), folder, program, configuration, stack: "dev", salt: "v1:new", access },
    ...{ checkpoint: '{"version":3}', plugin: "/plugins/pulumi-resource-kcloud" },
  });
}

test("the copy has the program and its stack, links to the packages, and nothing that leads to the real one", async () => {
  await write({
    "work/app/Pulumi.yaml":
      "name: proj # mine\nruntime: nodejs\nbackend:\n  url: s3://real\nconfig:\n  kcloud:apiKey:\n    value: real\n  kcloud:region: a\nplugins:\n  providers:\n  - name: kcloud\n    path: ./old\n",
    "work/app/Pulumi.dev.yaml":
      "secretsprovider: awskms://real\nencryptedkey: abc\nconfig:\n  kcloud:baseUrl: https://real\n  kcloud:password:\n    secure: v1:real\n  proj:a: |\n    text\n",
    ...{ "work/app/Pulumi.prod.yaml": "config: {}\n", "work/app/index.ts": "", "work/shared/a.ts": "" },
    ...{
      "work/.pulumi/stacks/proj/dev.json": "real",
      "work/.git/config": "real",
      "work/app/.pulumi/x": "real",
    },
    ...{
      "work/app/node_modules/@s/a/index.js": "",
      "work/app/node_modules/.cache/old": "",
      "work/node_modules/b/index.js": "",
      "node_modules/c/index.js": "",
    },
  });
  const { path, state, engineFolder, reset, remove } = copy("app");
  expect((await readdir(path)).toSorted()).toEqual([
    "Pulumi.dev.yaml",
    "Pulumi.yaml",
    "index.ts",
    "node_modules",
  ]);
  expect((await readdir(dirname(path))).toSorted()).toEqual(["app", "node_modules", "shared"]);
  // Packages are found as from the original, in the folders above the copied one, too.
  const places = [path, dirname(path), join(engineFolder, "parent-0")];
  const found = ["@s/a", "b", "c"].map((name, index) =>
    realpathSync(join(places[index] ?? "", "node_modules", name)),
  );
  expect(found).toEqual(
    ["work/app/node_modules/@s/a", "work/node_modules/b", "node_modules/c"].map((name) => join(root, name)),
  );
  // Caches that a program writes are in the copy only.
  expect(await readdir(join(path, "node_modules"))).toEqual(["@s"]);
  await mkdir(join(path, "node_modules/.cache/x"), { recursive: true });
  expect(await readdir(join(root, "work/app/node_modules/.cache"))).toEqual(["old"]);
  expect(path.startsWith(join(engineFolder, "parent-0"))).toBe(true);
  expect(await readFile(join(path, "Pulumi.yaml"), "utf8")).toBe(
    `"name": proj # mine\n"runtime": nodejs\n"config":\n  "kcloud:apiKey": "emulator-key"\n  "kcloud:region": a\n\nplugins: ${JSON.stringify({ providers: [{ name: "kcloud", path: join(engineFolder, "plugin") }] })}\n`,
  );
  expect(await readFile(join(path, "Pulumi.dev.yaml"), "utf8")).toBe(
    'encryptionsalt: v1:new\nconfig:\n  "kcloud:baseUrl": "http://127.0.0.1:9"\n  "kcloud:password": "rehearsal"\n  "proj:a": |\n    text\n\n',
  );
  expect(state).toBe(join(engineFolder, "backend/.pulumi/stacks/proj/dev.json"));
  expect((await stat(state)).mode & 0o777).toBe(0o600);
  await writeFile(state, "changed");
  await mkdir(join(engineFolder, "backend/.pulumi/locks"));
  reset();
  expect([await readFile(state, "utf8"), existsSync(join(engineFolder, "backend/.pulumi/locks"))]).toEqual([
    ...['{"version":3}', false],
  ]);
  remove();
  expect([existsSync(engineFolder), existsSync(join(root, "work/app/node_modules/@s/a/index.js"))]).toEqual([
    ...[false, true],
  ]);
});

test("a virtual environment of Python is linked, and a missing configuration is written", async () => {
  await write({
    "work/Pulumi.yaml":
      "name: p\nruntime:\n  name: python\n  options:\n    virtualenv: ./venv\nstackConfigDir: c\n",
    ...{
      "work/venv/pyvenv.cfg": "",
      "work/__main__.py": "",
      "work/__pycache__/x": "",
      "work/Pulumi.other.yaml": "",
    },
  });
  const { path, remove } = copy("");
  expect((await readdir(path)).toSorted()).toEqual([
    "Pulumi.other.yaml",
    "Pulumi.yaml",
    "__main__.py",
    "c",
    "venv",
  ]);
  expect(realpathSync(join(path, "venv"))).toBe(join(root, "work/venv"));
  expect(await readFile(join(path, "c/Pulumi.dev.yaml"), "utf8")).toBe("encryptionsalt: v1:new\n");
  remove();
});

test("a package of this name in another version is refused, also in a folder above", async () => {
  const file = `node_modules/${manifest.name}/package.json`;
  await write({
    [`work/app/${file}`]: JSON.stringify({ version: manifest.version }),
    [file]: '{"version":"0.0.1"}',
  });
  expect(otherVersionsIn(join(root, "work"), "app")).toEqual([
    {
      place: `../node_modules/${manifest.name}`,
      reason: `is version 0.0.1, and this command is of version ${manifest.version}: run the command of the program, as npx kcloud does`,
    },
  ]);
});

test("a file that is no package in place of one of this name is not quoted", async () => {
  const file = `node_modules/${manifest.name}/package.json`;
  await write({ [`work/app/${file}`]: "secret-token", [file]: '{"version":"secret"}' });
  const reasons = otherVersionsIn(join(root, "work"), "app").map(({ reason }) => reason);
  expect(reasons).toEqual(
    Array(2).fill(expect.stringMatching(/^is no package with a version, and this command is/)),
  );
  expect(reasons.join()).not.toContain("secret");
});

test("a copy that fails leaves nothing behind", async () => {
  await write({ "work/Pulumi.yaml": "name: p\nruntime: nodejs\n" });
  const program = readProgram(join(root, "work"), "", "Pulumi.yaml");
  expect(() =>
    copyProgram({
      ...{ root: join(root, "none"), folder: "", program, stack: "dev", salt: "", access, checkpoint: "" },
      ...{ configuration: readConfiguration(root, program, "dev"), plugin: "/plugin" },
    }),
  ).toThrow("ENOENT");
  expect(await readdir(join(root, "temporary"))).toEqual([]);
});
