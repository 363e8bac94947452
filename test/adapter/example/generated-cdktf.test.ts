import { execFile } from "node:child_process";
import { cp, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { requiredExample } from "../../../tools/docs/example.ts";
import { cdktfProgram } from "../../../tools/docs/program.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { openExampleRunner } from "../../support/engine/example.ts";
import { openFolder } from "../../support/engine/terraform.ts";

/** Runs the CDKTF programs that the pages of resources show, which are generated from the HCL. */

const root = join(import.meta.dirname, "../../..");
const terraform = await ensureEngine("terraform");
const stage = openExampleRunner(async (folder) => {
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});

const commands = [
  ["init"],
  ["apply", "-auto-approve"],
  ["plan", "-detailed-exitcode"],
  ["destroy", "-auto-approve"],
];

const written = resources.map(
  ({ name }) => [name, cdktfProgram(name, requiredExample(`${name}/main.tf`))] as const,
);

test("every example has a program, except those with constructs that only HCL has", () => {
  const others = written.filter(([, program]) => program === undefined);
  expect(others.map(([name]) => name)).toEqual(["object"]);
});

test.each(written.flatMap(([name, program]) => (program === undefined ? [] : [[name, program] as const])))(
  "the CDKTF program of %s is applied and destroyed",
  async (name, program) => {
    const work = await mkdtemp(join(stage.folder(), "work-"));
    await writeFile(join(work, "main.mts"), program);
    await promisify(execFile)(process.execPath, ["main.mts"], { cwd: work });
    const stack = join(work, "cdktf.out/stacks", name);
    await cp(join(stack, "cdk.tf.json"), join(work, "cdk.tf.json"));
    const { run } = await openFolder(terraform, work, stage.settings());
    await stage.runLifecycle(commands, "plan", 1, run);
  },
);
