import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { interruptible } from "../../account/command/progress.ts";
import { gapsOf } from "../../account/seed/entry.ts";
import type { StateFile } from "../../account/state/recorded.ts";
import { readState } from "../../account/state/state.ts";
import { thisMachine } from "../../command/install/machine.ts";
import { CommandError, runCommand } from "../../command/run.ts";
import { accessTo, InvalidInventoryError, readInventory } from "../../emulator/emulator.ts";
import { replacedVariable } from "../../provider/config/config.ts";
import { findOnPath } from "../../review/custom-rule/node.ts";
import { isEffective, productOf } from "../../review/model/change.ts";
import type { Plan } from "../../review/model/plan.ts";
import type { Rehearsal } from "../../review/model/rehearsal.ts";
import { NotReviewableError, readPlan, UnreadableError } from "../../review/read/read.ts";
import { openWorld, seedWorld, type World } from "../cloud/world.ts";
import { type Engine, RehearsalError } from "../engine/engine.ts";
import { confinementOf, rootProblem, runConfined } from "../isolation/namespace.ts";
import { firstPlan, rehearse } from "../rehearsal.ts";
import { linesOf, textOf } from "../report.ts";
import { readTimes, recordTimes } from "../times.ts";
import { prepareConfiguration } from "./configuration.ts";
import { logToRecord, type Options, parseOptions } from "./parse.ts";
import { prepareProgram } from "./program.ts";
import { textIn } from "./text.ts";

const exitCodes = { applies: 0, fails: 3 } as const;

/** Runs `kcloud rehearse`. Returns the exit code. */
export const rehearseMain = (args: readonly string[]): Promise<number> =>
  runCommand("rehearse", async () => {
    const log = logToRecord(args);
    if (log !== undefined) return reportingErrors(() => recordLog(log));
    const options = parseOptions(args);
    const confinement = confinementOf(process.env);
    if (confinement.kind === "available") return runConfined(confinement.command, commandLine());
    const unconfined =
      confinement.kind === "unavailable" ? confinement.reason : rootProblem(process.env, options.root);
    if (unconfined !== undefined && options.requiresIsolation)
      throw new CommandError(`--require-isolation: ${unconfined}`);
    return interruptible(
      () => "kcloud rehearse: interrupted; nothing but the copy was changed, and it is removed",
      async ({ stop, show }) => {
        show("rehearsing");
        const outcome = await reportingErrors(() => run(options, unconfined === undefined, stop));
        show(undefined);
        if ("text" in outcome) {
          if (options.out !== undefined) writeFileSync(options.out, outcome.text, { mode: 0o600 });
          process.stdout.write(outcome.lines);
          return outcome.isValid ? exitCodes.applies : exitCodes.fails;
        }
        const rehearsal = unconfined === undefined ? outcome : { ...outcome, unconfined };
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

async function recordLog({ log, out }: { readonly log: string; readonly out: string }): Promise<number> {
  const times = recordTimes(log, textIn(log));
  writeFileSync(out, `${JSON.stringify(times, undefined, 2)}\n`);
  process.stdout.write(`${Object.keys(times.steps).length} kinds of steps in ${out}\n`);
  return 0;
}

/** Result of a step after which the command ends: the content of its file, and lines for a terminal. */
interface StepResult {
  readonly isValid: boolean;
  readonly text: string;
  readonly lines: string;
}

async function run(
  options: Options,
  isIsolated: boolean,
  stop: AbortSignal,
): Promise<Rehearsal | StepResult> {
  const { file, folder, drillSeed } = options;
  const program = options.engine.includes("/") ? resolve(options.engine) : findOnPath(options.engine);
  if (program === undefined || !existsSync(program))
    throw new CommandError(`${options.engine} is not on PATH: install it, or name a program with --engine`);
  const [first = ""] = options.states;
  const states = options.states.map(readState);
  if (states[0]?.engine !== (file === undefined ? "terraform" : "pulumi"))
    throw new CommandError(
      file === undefined
        ? `${first} is no state of Terraform or OpenTofu`
        : `${first} is no export of a Pulumi stack, and ${join(folder, file)} is a program of Pulumi`,
    );
  const [gap] = gapsOf(options.states, states);
  if (gap !== undefined) throw new CommandError(gap);
  const { objects: known = [], assumed = [] } =
    options.inventory === undefined ? {} : readInventory(options.inventory);
  const text = options.plan === undefined ? undefined : textIn(options.plan);
  const given = text === undefined ? undefined : planIn(String(options.plan), text);
  if (given !== undefined && (given.engine === "pulumi") !== (file !== undefined))
    throw new CommandError(`${options.plan} is a plan of ${given.engine}, which does not fit the folder`);
  const times = options.times === undefined ? undefined : readTimes(options.times, textIn(options.times));
  const prepared =
    file === undefined
      ? prepareConfiguration({ ...options, state: first, plan: text })
      : prepareProgram({ ...options, file, environment: process.env });
  const world = await openWorld();
  try {
    seedWorld(world, states, { known });
    const access = {
      url: world.url,
      key: accessTo(world.url, world.emulator.settings(), { region: "" }).SERVICE_API_KEY ?? "",
    };
    const settings = settingsFor(world, states);
    const opened = await prepared.open({
      ...{ program, access, settings, stop, isIsolated },
      limit: options.limit,
    });
    process.once("exit", opened.remove);
    try {
      if (options.until === "validate") return await validated(opened.engine);
      if (options.until === "plan") return await planned(opened.engine, world, { states, known });
      const rehearsal = await rehearse(opened.engine, world, { states, known, given, times, drillSeed });
      return { ...rehearsal, assumed: [...rehearsal.assumed, ...assumed, ...prepared.assumed] };
    } finally {
      process.off("exit", opened.remove);
      opened.remove();
    }
  } finally {
    await world.close();
  }
}

async function validated({ validate, name, version }: Engine): Promise<StepResult> {
  if (validate === undefined) throw new CommandError("the engine checks a program in --until plan only");
  const { isValid, messages } = await validate();
  const verdict = `The configuration is ${isValid ? "" : "not "}valid. Checked with ${productOf[name]} ${version}.`;
  const lines = messages.map(
    ({ severity, text, place }) => `${place ? `${place}: ` : ""}${severity}: ${text}`,
  );
  return {
    isValid,
    text: `${JSON.stringify({ isValid, messages }, undefined, 2)}\n`,
    lines: linesOf([verdict, ...lines]),
  };
}

async function planned(
  engine: Engine,
  world: World,
  options: Parameters<typeof firstPlan>[2],
): Promise<StepResult> {
  const { plan, text } = await firstPlan(engine, world, options);
  const count = plan.changes.filter(isEffective).length;
  const changes = `${count} ${count === 1 ? "object changes" : "objects change"}`;
  const lines = linesOf([`${changes}. Planned with ${productOf[engine.name]} ${engine.version}.`]);
  return { isValid: true, text, lines };
}

/** Returns a plan that shows every effect. Throws `CommandError` for another one. */
function planIn(name: string, text: string): Plan {
  try {
    const plan = readPlan(name, text);
    const [gap] = plan.gaps;
    if (gap === undefined) return plan;
    throw new CommandError(`${name} does not show every effect: ${gap}`);
  } catch (error) {
    if (error instanceof UnreadableError || error instanceof NotReviewableError)
      throw new CommandError(`${name} ${error.message}`);
    throw error;
  }
}

/** Returns the settings with which the provider uses the emulator, and no other address. */
function settingsFor({ emulator, url }: World, states: readonly StateFile[]): Record<string, string> {
  const regions = states.flatMap(({ objects }) => objects.map(({ state }) => state.values.region));
  const known = regions.find((one) => typeof one === "string") ?? process.env.SERVICE_REGION;
  const region = typeof known === "string" ? known : "In-Bangalore-1";
  return {
    ...accessTo(url, emulator.settings(), { region }),
    KCLOUD_ONLY: url,
    // Configurations, programs and states name the real cloud.
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
