import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import {
  isSecure,
  projectFileIn,
  readConfiguration,
  readProgram,
  stacksIn,
} from "../../../rehearse/folder/program.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kcloud-program-"));
});
afterEach(() => rm(root, { recursive: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), text);
}

async function read(text: string, folder = "") {
  await write(join(folder, "Pulumi.yaml"), text);
  return readProgram(root, folder, "Pulumi.yaml");
}

const nodejs = "name: proj\nruntime: nodejs\n";

test("a project is read with its runtime and options, and without its plugins and its backend", async () => {
  const program = await read(
    "name: proj\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n    nodeargs: --import ./loader.mjs\nmain: src/index.ts\nstackConfigDir: stacks\nbackend:\n  url: s3://bucket\nplugins:\n  providers:\n    - name: kcloud\n      path: ./node_modules/@kcloud/iac/dist\npackages:\n  kcloud: ./x\n",
  );
  expect(program).toMatchObject({
    ...{ name: "proj", runtime: "nodejs", configurationFolder: "stacks", refusals: [] },
    options: new Map([
      ["typescript", "false"],
      ["nodeargs", "--import ./loader.mjs"],
    ]),
  });
  expect(program.entries.map(({ key }) => key)).toEqual(["name", "runtime", "main", "stackConfigDir"]);
  expect(await read('{"name": "proj", "runtime": "yaml", "resources": {}}')).toMatchObject({
    ...{ name: "proj", runtime: "yaml", refusals: [] },
  });
});

test.each([
  [
    "another package",
    `${nodejs}packages:\n  random: 4.16.0\n`,
    4,
    "uses the package random, which no emulator confines",
  ],
  ["a component from elsewhere", `${nodejs}packages:\n  mine: ../mine\n`, 4, "uses the package mine"],
  [
    "another plugin",
    `${nodejs}plugins:\n  providers:\n  - path: ../x\n    name: command\n`,
    4,
    "uses the package command",
  ],
  ["a policy", `${nodejs}plugins:\n  analyzers:\n  - name: p\n`, 4, "plugins.analyzers runs outside"],
  ["main outside", `${nodejs}main: ../other\n`, 3, 'main "../other" is outside of the copied folder'],
  ["main that is absolute", `${nodejs}main: /srv/app\n`, 3, 'main "/srv/app" is outside'],
  ["configurations outside", `${nodejs}stackConfigDir: ../c\n`, 3, 'stackConfigDir "../c" is outside'],
  ["configurations of an old form", `${nodejs}config: ../c\n`, 3, "config is no mapping"],
  ["another runtime", "name: proj\nruntime: dotnet\n", 2, "the runtime dotnet has no rehearsal yet"],
  ["a name that is a path", "name: ../../x\nruntime: yaml\n", 1, "the name of the project cannot be read"],
  ["no name", "runtime: yaml\n", 1, "the name of the project cannot be read"],
  [
    "a runtime that is no option",
    "name: p\nruntime: constructor\n",
    2,
    "the runtime constructor has no rehearsal",
  ],
  ["a configuration that is a reference", `${nodejs}config: *a\n`, 3, "config is no mapping"],
  ["an unreadable configuration", `${nodejs}config:\n  <<: *a\n`, 4, "is no key and value"],
  ["no runtime", "name: proj\n", 1, "the runtime of the program has no rehearsal yet"],
  [
    "a compiler",
    "name: p\nruntime:\n  name: yaml\n  options:\n    compiler: cue\n",
    5,
    "runtime.options.compiler runs programs",
  ],
  [
    "arguments outside",
    "name: p\nruntime:\n  name: nodejs\n  options:\n    nodeargs: --require=/x.js\n",
    5,
    "is outside",
  ],
  [
    "a package manager of Python",
    "name: p\nruntime:\n  name: python\n  options:\n    toolchain: uv\n",
    5,
    "runs programs",
  ],
  [
    "an environment outside",
    "name: p\nruntime:\n  name: python\n  options:\n    virtualenv: ../v\n",
    5,
    "is outside",
  ],
  ["an unknown part", `${nodejs}hooks: x\n`, 3, "hooks is not known to a rehearsal"],
  ["an unreadable part", `${nodejs}<<: *other\n`, 3, "is no key and value"],
  [
    "unreadable options",
    "name: p\nruntime:\n  name: nodejs\n  options: {typescript: false}\n",
    4,
    "is a mapping in braces",
  ],
])("%s is refused with its place", async (_, text, line, reason) => {
  const { refusals } = await read(text);
  expect(refusals.map(({ place }) => place)).toContain(`Pulumi.yaml:${line}`);
  expect(refusals.map((one) => one.reason).join("\n")).toContain(reason);
});

test("a folder of a larger copy may name the rest of it", async () => {
  const { refusals } = await read(`${nodejs}main: ../shared\n`, "app");
  expect(refusals).toEqual([]);
});

test("the project file is found by its name", async () => {
  expect(projectFileIn(root)).toBeUndefined();
  await write("Pulumi.yml", nodejs);
  expect(projectFileIn(root)).toBe("Pulumi.yml");
});

test("the configuration of a stack is read with its secrets; what is not known is refused", async () => {
  const program = await read(nodejs);
  expect(readConfiguration(root, program, "dev")).toMatchObject({
    exists: false,
    settings: [],
    refusals: [],
  });
  await write(
    "Pulumi.dev.yaml",
    "encryptionsalt: v1:a=:v1:b:c==\nconfig:\n  kcloud:region: x\n  proj:a:\n    secure: v1:x\n  proj:b:\n    c:\n      - secure: v1:y\n",
  );
  await write(
    "Pulumi.other.yaml",
    "secretsprovider: awskms://alias/x\nencryptedkey: abc\nenvironment:\n- prod\n",
  );
  const dev = readConfiguration(root, program, "dev");
  expect(dev).toMatchObject({ exists: true, salt: "v1:a=:v1:b:c==", keyService: undefined, refusals: [] });
  expect(dev.settings.filter(isSecure).map(({ key }) => key)).toEqual(["proj:a", "proj:b"]);
  expect(readConfiguration(root, program, "other")).toMatchObject({
    ...{ keyService: "awskms://alias/x", salt: undefined },
    refusals: [{ place: "Pulumi.other.yaml:3", reason: "environment reads settings of Pulumi Cloud" }],
  });
  expect(stacksIn(root, program).toSorted()).toEqual(["dev", "other"]);
  await write("Pulumi.dev.yaml", "config: *a\n");
  expect(readConfiguration(root, program, "dev").refusals).toEqual([
    { place: "Pulumi.dev.yaml", reason: expect.stringMatching(/^line 1 /) },
  ]);
});
