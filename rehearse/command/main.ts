import { randomInt } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { interruptible } from "../../account/command/progress.ts";
import { gapsOf } from "../../account/seed/entry.ts";
import type { StateFile } from "../../account/state/recorded.ts";
import { readState } from "../../account/state/state.ts";
import { checkPositionals, parseArguments, UsageError } from "../../command/argument.ts";
import { thisMachine } from "../../command/install/machine.ts";
import { programOf } from "../../command/install/program.ts";
import { CommandError, runCommand } from "../../command/run.ts";
import { accessTo, InvalidInventoryError, readInventory } from "../../emulator/emulator.ts";
import { replacedVariable } from "../../provider/config/config.ts";
import { findOnPath } from "../../review/custom-rule/node.ts";
import type { Rehearsal } from "../../review/model/rehearsal.ts";
import { readText } from "../../review/read/file.ts";
import { NotReviewableError, readPlan, UnreadableError } from "../../review/read/read.ts";
import { openWorld, seedWorld, type World } from "../cloud/world.ts";
import { RehearsalError } from "../engine/engine.ts";
import { openTerraform } from "../engine/terraform.ts";
import { checkFolder } from "../folder/check.ts";
import { copyFolder, workspaceOf } from "../folder/copy.ts";
import { environmentOf } from "../folder/environment.ts";
import { confinementOf, runConfined } from "../namespace.ts";
import { rehearse } from "../rehearsal.ts";
import { textOf } from "../report.ts";
import { readTimes, recordTimes } from "../times.ts";
import { rehearseCommand } from "./option.ts";

const exitCodes = { applies: 0, fails: 3 } as const;

/** Runs `kcloud rehearse`. Returns the exit code. */
export const rehearseMain = (args: readonly string[]): Promise<number> =>
  runCommand("rehearse", async () => {
    const log = logToRecord(args);
    if (log !== undefined) return reportingErrors(() => recordLog(log));
    const options = parseOptions(args);
    const confinement = confinementOf(process.env);
    if (confinement.kind === "available") return runConfined(confinement.command, commandLine());
    const unconfined = confinement.kind === "unavailable" ? confinement.reason : undefined;
    if (unconfined !== undefined && options.requiresIsolation)
      throw new CommandError(`--require-isolation: ${unconfined}`);
    return interruptible(
      () => "kcloud rehearse: interrupted; nothing but the copy was changed, and it is removed",
      async ({ stop, show }) => {
        show("rehearsing");
        const outcome = await reportingErrors(() => run(options, stop));
        const rehearsal = unconfined === undefined ? outcome : { ...outcome, unconfined };
        show(undefined);
        if (options.out !== undefined)
          writeFileSync(options.out, `${JSON.stringify(rehearsal, undefined, 2)}\n`, { mode: 0o600 });
        process.stdout.write(textOf(rehearsal));
        return rehearsal.isComplete && rehearsal.secondPlan?.length === 0
          ? exitCodes.applies
          : exitCodes.fails;
      },
    );
  });

/** Returns the program and the arguments of this process. */
function commandLine(): string[] {
  const { executable } = thisMachine();
  return executable === undefined
    ? [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
    : [executable, ...process.argv.slice(2)];
}

/** Returns the log of which the durations are recorded, and the file of the table. */
function logToRecord(args: readonly string[]): { readonly log: string; readonly out: string } | undefined {
  const { values, positionals } = parseArguments(rehearseCommand.options, args);
  const { "record-times": log, out, ...others } = values;
  if (log === undefined) return undefined;
  checkPositionals(positionals, 0);
  const [other] = Object.keys(others);
  if (other !== undefined) throw new UsageError(`--record-times and --${other} exclude each other`);
  if (out === undefined) throw new UsageError("--record-times needs --out FILE");
  return { log, out };
}

async function recordLog({ log, out }: { readonly log: string; readonly out: string }): Promise<number> {
  const times = recordTimes(log, readText(log));
  writeFileSync(out, `${JSON.stringify(times, undefined, 2)}\n`);
  process.stdout.write(`${Object.keys(times.steps).length} kinds of steps in ${out}\n`);
  return 0;
}

type Options = ReturnType<typeof parseOptions>;

/** Parses the command line. Throws `UsageError`. */
function parseOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments(rehearseCommand.options, args);
  const [folder] = positionals;
  if (folder === undefined)
    throw new UsageError("the folder is missing, as in kcloud rehearse . --state terraform.tfstate");
  checkPositionals(positionals, 1);
  const { state = [], root = folder, "time-limit": limit = "600", seed } = values;
  if (state.length === 0)
    throw new UsageError("--state is missing: terraform state pull > state.json writes it to a file");
  if (!/^[1-9]\d{0,5}$/.test(limit))
    throw new UsageError(`--time-limit must be a number of seconds, not ${limit}`);
  if (seed !== undefined && !/^\d{1,9}$/.test(seed))
    throw new UsageError(`--seed must be a number of at most 9 digits, not ${seed}`);
  if (seed !== undefined && values["fault-drill"] !== true)
    throw new UsageError("--seed is for --fault-drill");
  const inner = relative(resolve(root), resolve(folder));
  if (inner.startsWith("..")) throw new UsageError(`--root must contain ${folder}`);
  return {
    ...{ states: state, root: resolve(root), folder: inner, limit: Number(limit) * 1000 },
    ...{ inventory: values.inventory, plan: values.plan, out: values.out, times: values.times },
    drillSeed: values["fault-drill"] === true ? Number(seed ?? randomInt(1e9)) : undefined,
    remoteStates: (values["remote-state"] ?? []).map(namedFile),
    engine: values.engine ?? (findOnPath("terraform") === undefined ? "tofu" : "terraform"),
    allowsCommands: values["allow-commands"] === true,
    requiresIsolation: values["require-isolation"] === true,
  };
}

/** Splits NAME=FILE. Throws `UsageError`. */
function namedFile(text: string): readonly [name: string, path: string] {
  const [, name = "", path = ""] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === "") throw new UsageError(`--remote-state must be NAME=FILE, not ${text}`);
  return [name, path];
}

/** Returns a state with the outputs of a state file, and nothing else. Throws `CommandError`. */
function outputsOf(path: string): string {
  const state = jsonIn(path);
  if (state?.version !== 4) throw new CommandError(`${path} is no state file of Terraform or OpenTofu`);
  const { version, terraform_version, outputs = {} } = state;
  return JSON.stringify({
    version,
    terraform_version,
    serial: 1,
    lineage: "rehearsal",
    outputs,
    resources: [],
  });
}

function jsonIn(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(readText(path));
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function run(options: Options, stop: AbortSignal): Promise<Rehearsal> {
  const { root, folder, allowsCommands, drillSeed } = options;
  const outputs = new Map(options.remoteStates.map(([name, path]) => [name, outputsOf(path)]));
  const remote = { allowsCommands, remoteStates: new Set(outputs.keys()) };
  const { refusals, remoteStates } = checkFolder(root, folder, remote);
  if (refusals.length > 0)
    throw new CommandError(
      `the configuration has parts that a rehearsal does not run:\n${refusals.map(({ place, reason }) => `  ${place}: ${reason}`).join("\n")}`,
    );
  const program = options.engine.includes("/") ? resolve(options.engine) : findOnPath(options.engine);
  if (program === undefined || !existsSync(program))
    throw new CommandError(`${options.engine} is not on PATH: install it, or name a program with --engine`);
  const [first = ""] = options.states;
  const states = options.states.map(readState);
  if (states[0]?.engine !== "terraform")
    throw new CommandError(`${first} is no state of Terraform or OpenTofu`);
  const [gap] = gapsOf(options.states, states);
  if (gap !== undefined) throw new CommandError(gap);
  const { objects: known = [], assumed = [] } =
    options.inventory === undefined ? {} : readInventory(options.inventory);
  const text = options.plan === undefined ? undefined : readFileSync(options.plan, "utf8");
  const given = text === undefined ? undefined : readPlan(String(options.plan), text);
  const times = options.times === undefined ? undefined : readTimes(options.times, readText(options.times));
  const machine = thisMachine();
  const { file: plugin } = programOf("terraform", machine.program, machine.executable, machine.platform);
  const workspace = workspaceOf(join(root, folder), process.env);
  const world = await openWorld();
  try {
    seedWorld(world, states, { known });
    const copy = copyFolder({
      ...{ root, folder, workspace, state: readFileSync(first, "utf8") },
      remoteStates: remoteStates.map((one) => ({ ...one, state: outputs.get(one.name) ?? "" })),
    });
    try {
      const engine = await openTerraform({
        ...{ program, plugin, copy, allowsCommands, stop, workspace, limit: options.limit },
        variables: text === undefined ? {} : variablesIn(text),
        // The plugin and programs may leave files, which are removed with the copy.
        environment: environmentOf(process.env, copy.engineFolder, settingsFor(world, states)),
      });
      const rehearsal = await rehearse(engine, world, { states, known, given, times, drillSeed });
      return { ...rehearsal, assumed: [...rehearsal.assumed, ...assumed] };
    } finally {
      copy.remove();
    }
  } finally {
    await world.close();
  }
}

/** Returns the variables of a plan by name. */
function variablesIn(text: string): Record<string, unknown> {
  const { variables = {} } = JSON.parse(text) as { variables?: Record<string, { value?: unknown }> };
  return Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value ?? null]));
}

/** Returns the settings with which the provider uses the emulator, and no other address. */
function settingsFor({ emulator, url }: World, states: readonly StateFile[]): Record<string, string> {
  const regions = states.flatMap(({ objects }) => objects.map(({ state }) => state.values.region));
  const known = regions.find((one) => typeof one === "string") ?? process.env.SERVICE_REGION;
  const region = typeof known === "string" ? known : "In-Bangalore-1";
  return {
    ...accessTo(url, emulator.settings(), { region }),
    KCLOUD_ONLY: url,
    // Configurations name the real cloud.
    [replacedVariable]: "true",
    SERVICE_USER: "user",
    SERVICE_SETTLE_SECONDS: "1",
  };
}

/** Runs work whose failures are reported as `CommandError`. */
async function reportingErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof RehearsalError ||
      error instanceof UnreadableError ||
      error instanceof NotReviewableError ||
      error instanceof InvalidInventoryError
    )
      throw new CommandError(error.message);
    throw error;
  }
}
