import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";
import { type EngineName, ensureEngine } from "../engines/engine.ts";
import type { Adapter } from "./adapter.ts";
import { runCommand, succeed } from "./command.ts";
import { recordLifecycle } from "./lifecycle.ts";
import { dynamicAdapter, pulumiEnvironment, yamlAdapter } from "./pulumi.ts";
import { normalize } from "./record.ts";
import { type Renamed, renamedTo } from "./renamed.ts";
import type { Revision } from "./revision.ts";
import { loadStages } from "./stack.ts";
import { cdktfAdapter, openTerraform, terraformAdapter } from "./terraform.ts";
import { printTypes } from "./type.ts";

/** Texts of a revision by the names under which they are compared. */
export type Texts = Readonly<Record<string, string>>;

/** Part of the comparison: extracts texts from a built revision. */
export type Part = (revision: Revision, renamed: Renamed) => Promise<Texts>;

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-compare-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the JSON text with one value per line, in the original order. */
const lines = (json: string): string => `${JSON.stringify(JSON.parse(json), undefined, 2)}\n`;

/** Schemas as the engines receive them from the built plugins. */
const schema: Part = (revision) =>
  inFolder(async (folder) => {
    const terraform = await openTerraform(await ensureEngine("terraform"), revision, folder, {});
    const pulumi = await ensureEngine("pulumi");
    const plugin = join(revision.root, "dist/pulumi-resource-kcloud");
    const env = pulumiEnvironment(pulumi, folder);
    return {
      "Terraform schema": lines(await terraform.run("providers", "schema", "-json")),
      "Pulumi schema": lines(
        await succeed(pulumi.path, ["package", "get-schema", plugin], { cwd: folder, env }),
      ),
    };
  });

/** Returns the sorted paths of all files below a folder, relative to the folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/**
 * Golden files of the tests, which contain texts that users read, by file name: all files below any folder named
 * `golden`.
 */
const goldens: Part = async ({ root }, renamed) => {
  const tests = join(root, "test");
  const files = (await filesBelow(tests)).filter((file) => file.split(sep).includes("golden"));
  if (files.length === 0) throw new Error(`${root} has no goldens`);
  const texts: Record<string, string> = {};
  for (const file of files) {
    const name = `golden ${renamedTo(renamed.goldens, basename(file))}`;
    if (Object.hasOwn(texts, name))
      throw new Error(`${root} has two goldens with the name ${basename(file)}`);
    texts[name] = await readFile(join(tests, file), "utf8");
  }
  return texts;
};

/** Invocations of the built commands that print and exit. */
const invocations: readonly (readonly string[])[] = [
  ["kcloud"],
  ["kcloud", "--help"],
  ["kcloud", "-h"],
  ["kcloud", "--version"],
  ["kcloud", "help", "emulator-reference"],
  ...["bash", "zsh", "fish"].map((shell) => ["kcloud", "completion", shell]),
  ["kcloud", "unknown"],
  ["kcloud", "emulator", "--help"],
  ["kcloud", "emulator", "--unknown"],
  ["kcloud", "emulator", "--assume", "unknown=1"],
  ["kcloud", "emulator", "--fault", "unknown"],
  ["terraform-provider-kcloud"],
  ["terraform-provider-kcloud", "--help"],
];

const print = async ({ root }: Revision, [command = "", ...args]: readonly string[]): Promise<string> => {
  const file = join(root, "dist", command);
  const { PATH = "" } = process.env;
  const { code, stdout, stderr } = await runCommand(process.execPath, [file, ...args], {
    cwd: root,
    env: { PATH },
  });
  return [`exit code ${code}`, stdout, stderr].join("\n").replaceAll(root, "<root>");
};

const help: Part = async (revision) => {
  const texts = invocations.map(
    async (words): Promise<[string, string]> => [`help ${words.join(" ")}`, await print(revision, words)],
  );
  return Object.fromEntries(await Promise.all(texts));
};

const operations: Part = async (revision) => ({
  "emulator operations": await print(revision, ["kcloud", "emulator", "--operations"]),
});

/**
 * Structures of the exports of the public entries, without the names of files and of declarations that are not
 * exported.
 */
const types: Part = async ({ root }, renamed) => {
  const texts = await printTypes(root, renamed);
  return Object.fromEntries(Object.entries(texts).map(([entry, text]) => [`types ${entry}`, text]));
};

/**
 * Bindings for CDKTF and CDKTN, declarations and code. They are generated from the schema, so that none of their names
 * may change.
 */
const bindingsPart: Part = async ({ root }) => {
  const texts = ["cdktf", "cdktn"].map(async (flavour): Promise<[string, string]> => {
    const folder = join(root, "dist", flavour);
    const parts = (await filesBelow(folder)).map(
      async (file) => `=== ${file}\n${await readFile(join(folder, file), "utf8")}`,
    );
    return [`bindings ${flavour}`, (await Promise.all(parts)).join("\n")];
  });
  return Object.fromEntries(await Promise.all(texts));
};

/** Returns a part that records the requests and the state of the full stack through one adapter. */
const lifecycle =
  (
    name: string,
    engine: EngineName,
    adapter: (engine: Awaited<ReturnType<typeof ensureEngine>>) => Adapter,
  ): Part =>
  async (revision) => {
    const recorded = normalize(
      await recordLifecycle(revision, adapter(await ensureEngine(engine)), await loadStages()),
    );
    return {
      [`changes by ${name}`]: recorded.changes,
      [`reads by ${name}`]: recorded.reads,
      [`state of ${name}`]: recorded.state,
    };
  };

/** Parts that run an engine for minutes. Their texts do not depend on the table of renamed symbols. */
export const lifecycles: Readonly<Record<string, Part>> = {
  "lifecycle-terraform": lifecycle("Terraform", "terraform", terraformAdapter),
  "lifecycle-opentofu": lifecycle("OpenTofu", "opentofu", terraformAdapter),
  "lifecycle-cdktf": lifecycle("CDKTF", "terraform", (engine) => cdktfAdapter("cdktf", engine)),
  "lifecycle-cdktn": lifecycle("CDKTN", "opentofu", (engine) => cdktfAdapter("cdktn", engine)),
  "lifecycle-pulumi": lifecycle("Pulumi YAML", "pulumi-yaml", yamlAdapter),
  "lifecycle-dynamic": lifecycle("Pulumi dynamic classes", "pulumi", dynamicAdapter),
};

/** All parts by their names on the command line. */
export const parts: Readonly<Record<string, Part>> = {
  goldens,
  help,
  operations,
  types,
  bindings: bindingsPart,
  schema,
  ...lifecycles,
};
