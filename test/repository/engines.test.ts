import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";

import { type EngineName, ensureEngine, terraformEngines } from "../../tools/engines/engine.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-engines-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

test.each<[EngineName, string]>([
  ["terraform", "Terraform v1.16.0"],
  ["opentofu", "OpenTofu v1.12.6"],
  ["pulumi", "v3.259.0"],
])("%s reports its pinned version", async (name, version) => {
  const { path, env } = await ensureEngine(name);
  const configuration = join(folder, "terraform.rc");
  await writeFile(configuration, "");
  const { stdout } = await run(path, ["version"], {
    env: { ...process.env, ...env, TF_CLI_CONFIG_FILE: configuration },
  });
  expect(stdout.split("\n")[0]).toBe(version);
});

test("Pulumi's npm launcher finds the installed engine, and does not download another one", async () => {
  const { env } = await ensureEngine("pulumi");
  const launcher = join(root, "node_modules/pulumi/run.js");
  const { stdout, stderr } = await run(process.execPath, [launcher, "version"], {
    env: { ...process.env, ...env },
  });
  expect({ stdout, stderr }).toEqual({ stdout: "v3.259.0\n", stderr: "" });
});

test("Pulumi runs a program in YAML and one in JavaScript with a dynamic resource", async () => {
  for (const [runtime, file, program] of programs) {
    const project = join(folder, runtime);
    await mkdir(project);
    await symlink(join(root, "node_modules"), join(project, "node_modules"));
    await writeFile(join(project, "Pulumi.yaml"), `name: tiny\nruntime: ${runtime}\n`);
    await writeFile(join(project, file), program, { flag: "a" });
    const { path, env } = await ensureEngine("pulumi-yaml");
    // The command is found by its path, so PULUMI_HOME, where it stores selected stacks, can be the folder of the test.
    const state = {
      PULUMI_HOME: folder,
      PULUMI_BACKEND_URL: `file://${folder}`,
      PULUMI_CONFIG_PASSPHRASE: "",
    };
    const options = { cwd: project, env: { ...process.env, ...env, ...state } };
    await run(path, ["stack", "init", runtime], options);
    await run(path, ["up", "--yes"], options);
    expect((await run(path, ["stack", "output", "word"], options)).stdout).toBe("hello\n");
  }
});

const programs = [
  ["yaml", "Pulumi.yaml", "outputs:\n  word: hello\n"],
  [
    "nodejs",
    "index.js",
    `const pulumi = require("@pulumi/pulumi");
    const provider = { create: async (inputs) => ({ id: "1", outs: inputs }) };
    class Word extends pulumi.dynamic.Resource {}
    exports.word = new Word(provider, "word", { word: "hello" }).word;`,
  ],
] as const;

test("terraformEngines are the pinned engines, and the terraform on PATH if it has another version", async () => {
  const [terraform, opentofu, ...others] = (await terraformEngines()).map(({ name, version }) => [
    name,
    version,
  ]);
  expect([terraform, opentofu]).toEqual([
    ["terraform", "1.16.0"],
    ["opentofu", "1.12.6"],
  ]);
  for (const [name, version] of others) expect([name, version]).not.toEqual(["terraform", "1.16.0"]);
});
