import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "@jest/globals";
import { type Engine, terraformEngines } from "../../../tools/engines/engine.ts";

/** Plan files of the real engines, with a resource that is built into the engines and needs no provider. */

export const engines = await terraformEngines();

/** Folder of the configuration of a test. */
export let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-plan-file-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a command of the engine. Throws an error with the output if it fails. */
export function run(engine: Engine, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(engine.path, args, {
    cwd: folder,
    env: { ...process.env, ...engine.env, CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_INPUT: "0" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
}

/** Writes the configuration, with this value. */
export const write = (input: string): void =>
  writeFileSync(join(folder, "main.tf"), `resource "terraform_data" "one" {\n  input = "${input}"\n}\n`);

/** Plans a change of an applied configuration; returns the path of the plan file. */
export function planned(engine: Engine): string {
  write("old");
  run(engine, "init");
  run(engine, "apply", "-auto-approve");
  write("new");
  run(engine, "plan", "-out", "planned");
  return join(folder, "planned");
}
