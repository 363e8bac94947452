import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { writeFolder } from "../../../account/command/folder.ts";
import { type FormatName, formats } from "../../../account/command/format.ts";
import { exportAccount } from "../../../account/export/export.ts";
import type { Project } from "../../../account/export/project.ts";
import { importCommand } from "../../../account/export/pulumi.ts";
import { everything } from "../../../account/filter.ts";
import { createEmulator } from "../../../emulator/emulator.ts";
import { gatherSettings } from "../../../provider/config/config.ts";
import { comparable } from "../../../provider/core/krn.ts";
import { snakeCase } from "../../../provider/core/name.ts";
import { realPorts } from "../../../provider/platform/real-ports.ts";
import { type Engine, ensureEngine, terraformEngines } from "../../../tools/engines/engine.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { createDraw } from "../../simulation/draw.ts";
import { compileCache, nameOf, runPulumi } from "../../support/engine/pulumi.ts";
import { installPlugin, installPythonSdk } from "../../support/engine/pulumi-python.ts";
import { openFolder, succeed } from "../../support/engine/terraform.ts";
import { existingObjects } from "../../support/large-account.ts";
import { drawAccount, drawnAssumptions, removeKeptPorts, renameObjects } from "../drawn.ts";

/** Drawn accounts that real engines take over: import, empty plan and destroy. */

const root = join(import.meta.dirname, "../../..");

/** Fields that the plan after an import may record: no route returns the first two, and the test adds the last one. */
const recorded = ["primarySubnet", "floatingIp", "forceDestroy"];

/** Language of an export with the engine that manages it. */
export interface Manager {
  readonly name: string;
  readonly format: FormatName;
  readonly engine: Engine;
}

/** Returns every engine, each with the languages that it runs. */
export async function managers(): Promise<Manager[]> {
  const pulumi = await ensureEngine("pulumi-yaml");
  const engines = await terraformEngines();
  const [terraform = pulumi] = engines;
  const ofHcl = engines.map((engine) => ({
    name: `${engine.name} ${engine.version}`,
    format: "terraform" as const,
    engine,
  }));
  const ofPulumi = (["pulumi-typescript", "pulumi-python", "pulumi-yaml"] as const).map((format) => ({
    name: format,
    format,
    engine: pulumi,
  }));
  return [...ofHcl, ...ofPulumi, { name: "cdktf", format: "cdktf", engine: terraform }];
}

/** Program of an account in a folder. */
interface Opened {
  readonly url: string;
  readonly path: string;
  readonly project: Project;
  /** Number of resources in force. */
  readonly count: number;
}

/** Commands of an engine on a program. */
interface Commands {
  /** Imports the objects, and checks that this changes nothing but the recorded fields. */
  takeOver(): Promise<void>;
  /** Fails if the plan has a change. */
  planNothing(): Promise<void>;
  destroy(): Promise<void>;
}

/** Returns the names of the values that differ. */
const differing = (before: object, after: object): string[] =>
  Object.entries(after).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify((before as Record<string, unknown>)[name]) ? [] : [name],
  );

/** Plan of Terraform or OpenTofu, as far as the test reads it. */
interface PlanJson {
  readonly resource_changes?: readonly {
    readonly address: string;
    readonly change: {
      readonly actions: readonly string[];
      readonly before: object;
      readonly after: object;
      readonly after_unknown: object;
      readonly importing?: object;
    };
  }[];
}

async function openTerraform(engine: Engine, { path, url, count }: Opened): Promise<Commands> {
  const opened = await openFolder(engine, path, { ...environment(url), SERVICE_REGION: "" });
  const run = (...args: string[]) => succeed(opened, args);
  await run("init");
  return {
    async takeOver() {
      await run("plan", "-out=planned");
      const { resource_changes: rows = [] } = JSON.parse(await run("show", "-json", "planned")) as PlanJson;
      expect(rows).toHaveLength(count);
      const wrong = rows.flatMap(({ address, change }) => {
        const { actions, before, after, after_unknown: unknown, importing } = change;
        const names = [...differing(before, after), ...Object.keys(unknown)];
        const others = names.filter((name) => !recorded.map(snakeCase).includes(name));
        const isRight = importing !== undefined && /^(no-op|update)$/.test(actions.join());
        return isRight && others.length === 0 ? [] : [`${address}: ${actions} ${others}`];
      });
      expect(wrong).toEqual([]);
      await run("apply", "planned");
    },
    async planNothing() {
      await run("plan", "-detailed-exitcode");
    },
    async destroy() {
      await run("destroy", "-auto-approve");
    },
  };
}

/** Installs what a program in Python needs, in place of `pulumi install`. Returns the variables of its engine. */
async function installPython(path: string): Promise<Record<string, string>> {
  const installation = join(path, "../installation");
  await installPlugin(installation);
  const { venv, variables } = await installPythonSdk(installation);
  await symlink(venv, join(path, "venv"));
  return variables;
}

async function openPulumi(
  engine: Engine,
  { path, url }: Opened,
  python: Record<string, string>,
): Promise<Commands> {
  const settings = {
    ...process.env,
    ...engine.env,
    ...compileCache,
    ...python,
    PATH: [python.PATH, engine.env.PATH].filter((folders) => folders !== undefined).join(":"),
    ...environment(url),
    SERVICE_REGION: "",
    PULUMI_BACKEND_URL: `file://${await mkdtemp(join(path, ".."))}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, output } = await runPulumi(engine, args, path, settings);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${output}`);
    return stdout;
  };
  await run("stack", "init", "dev");
  return {
    async takeOver() {
      await run(...importCommand.split(" ").slice(1), "--yes", "--skip-preview");
      const { steps } = JSON.parse(await run("preview", "--json")) as {
        steps: { op: string; urn: string; diffReasons?: string[] }[];
      };
      const wrong = steps.flatMap(({ op, urn, diffReasons = [] }) => {
        const others = diffReasons.filter((path) => !recorded.includes(path.split(/[.[]/)[0] ?? ""));
        // The import of no object creates no stack.
        if (urn.includes("::pulumi:pulumi:Stack::")) return [];
        return (op === "same" || op === "update") && others.length === 0
          ? []
          : [`${op} ${nameOf(urn)}: ${others}`];
      });
      expect(wrong).toEqual([]);
      await run("up", "--yes", "--skip-preview");
    },
    async planNothing() {
      await run("preview", "--expect-no-changes");
    },
    async destroy() {
      await run("destroy", "--yes", "--skip-preview");
    },
  };
}

/** Opens a program with its engine. */
async function openManager({ format, engine }: Manager, opened: Opened): Promise<Commands> {
  if (format === "terraform") return openTerraform(engine, opened);
  if (format === "pulumi-python") return openPulumi(engine, opened, await installPython(opened.path));
  await symlink(join(root, "node_modules"), join(opened.path, "node_modules"));
  if (format !== "cdktf") return openPulumi(engine, opened, {});
  await promisify(execFile)(process.execPath, ["--no-warnings", "main.ts"], { cwd: opened.path });
  const work = await mkdtemp(join(opened.path, "../work-"));
  await cp(join(opened.path, "cdktf.out/stacks/account/cdk.tf.json"), join(work, "cdk.tf.json"));
  return openTerraform(engine, { ...opened, path: work });
}

/** Returns the project with `force_destroy` for each bucket, which a person adds to one whose content is to be deleted. */
const withForceDestroy = (project: Project): Project => ({
  ...project,
  blocks: project.blocks.map((block) =>
    block.kind === "bucket"
      ? { ...block, inputs: [...block.inputs, ["forceDestroy", { kind: "literal", value: true }]] }
      : block,
  ),
});

/** Exports a drawn account, and takes it over until its end. */
async function manage(seed: string, manager: Manager, folder: string): Promise<void> {
  const state = join(folder, "cloud.json");
  await drawAccount(seed, { state });
  const emulator = createEmulator({ state, taskMs: 20, assume: drawnAssumptions });
  const draw = createDraw(`managed ${seed}`);
  if (draw.chance(0.5)) renameObjects(emulator, draw);
  const server = await emulator.listen();
  try {
    const { url } = server;
    const { project, gaps } = await exportAccount(gatherSettings({}, environment(url)), realPorts, {
      filter: everything,
      stop: new AbortController().signal,
    });
    expect(gaps.filter(({ isIncomplete }) => isIncomplete)).toEqual([]);
    const written = withForceDestroy(project);
    const inForce = written.blocks.filter(({ problems }) => problems.length === 0);
    const path = join(folder, "project");
    writeFolder(path, formats[manager.format].write(written, draw.pick(["kind", "vpc"])));
    const commands = await openManager(manager, { url, path, project, count: inForce.length });
    const before = existingObjects(emulator);
    await commands.takeOver();
    await commands.planNothing();
    expect(existingObjects(emulator)).toEqual(before);
    removeKeptPorts(emulator, (id) =>
      inForce.some(({ kind, importId }) => kind === "subnet" && importId.endsWith(id)),
    );
    await commands.destroy();
    const left = existingObjects(emulator).map(({ krn }) => comparable(krn));
    const managed = inForce.map(({ importId }) => comparable(importId.split(",").at(-1) ?? ""));
    expect(left.filter((krn) => managed.includes(krn))).toEqual([]);
  } finally {
    await server.close();
  }
}

const limit = 180_000;

/** Tests the export, import and destroy of drawn accounts, with the managers in turn. Seeds begin with the first one. */
export function testAccounts(first: number, count: number, all: readonly Manager[]): void {
  const cases = Array.from({ length: count }, (_, index) => {
    const manager = all[(first + index) % all.length] as Manager;
    return [String(first + index), manager.name, manager] as const;
  });
  test.each(cases)(
    "account %s by %s: it is imported, changes nothing but the state, and is destroyed without an error",
    async (seed, _, manager) => {
      const folder = await mkdtemp(join(tmpdir(), "kcloud-account-"));
      try {
        await manage(seed, manager, folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    limit,
  );
}
