import { hash } from "node:crypto";
import type { Emulator, Execution } from "../emulator/emulator.ts";
import { isEffective } from "../review/model/change.ts";
import type { Rehearsal } from "../review/model/rehearsal.ts";
import { type Engine, RehearsalError } from "./engine/engine.ts";

/**
 * Drill of faults: the change is applied once for each request of its apply that changes something, which fails by a drawn fault. The
 * next run, without a fault, must lead to the objects of the undisturbed apply.
 */

export type DrillRun = NonNullable<Rehearsal["drill"]>["runs"][number];

/** Faults of which one is drawn: rejected, and executed or not, with an error or without a response. */
const faults = [
  { kind: "403", when: "before" },
  { kind: "500", when: "before" },
  { kind: "500", when: "after" },
  { kind: "reset", when: "before" },
  { kind: "reset", when: "after" },
] as const;

export interface DrillOptions {
  readonly seed: number;
  readonly emulator: Emulator;
  /** Requests of the undisturbed apply that change something. */
  readonly executions: readonly Execution[];
  /** Restores the objects with which the apply began. */
  restart(): Promise<void>;
}

/** Runs the drill; the emulator has the objects of the undisturbed apply. Throws `RehearsalError` if the engine cannot plan. */
export async function drill(engine: Engine, options: DrillOptions): Promise<DrillRun[]> {
  const { seed, emulator, executions, restart } = options;
  const expected = countsOf(emulator);
  const calls = new Map<string, number>();
  const runs: DrillRun[] = [];
  for (const { operation } of executions) {
    const call = (calls.get(operation) ?? 0) + 1;
    calls.set(operation, call);
    const request = `${operation} ${call}`;
    const { kind, when } = faultFor(seed, request);
    await restart();
    await engine.plan("drill");
    emulator.faults.add({ target: operation, kind, when, from: call, times: 1 });
    const ended = await reported(() => engine.apply("drill"));
    const isSent = emulator.faults.list().some(({ hits }) => hits > 0);
    emulator.faults.clear();
    const problem =
      ended ?? (await reported(() => nextRun(engine))) ?? differenceOf(expected, countsOf(emulator));
    const fault = isSent ? `${when}-${kind}` : "none, since the request was not sent";
    runs.push({ request, fault, ...(problem && { problem }) });
  }
  return runs;
}

/** Returns the problem that the work of an engine reports, or with which it ends; undefined for none. */
async function reported(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    const problem = await work();
    return typeof problem === "string" ? problem : undefined;
  } catch (error) {
    if (error instanceof RehearsalError) return `the engine fails: ${error.message}`;
    throw error;
  }
}

/** Plans, applies and plans again. Returns a problem as a clause. */
async function nextRun(engine: Engine): Promise<string | undefined> {
  const plan = await engine.plan("next");
  if (plan.changes.some(isEffective)) {
    const { isComplete, errors } = await engine.apply("next");
    if (!isComplete) return `the next run fails: ${errors.map(({ text }) => text).join("; ")}`;
  }
  const left = (await engine.plan("check")).changes.filter(isEffective).map(({ address }) => address);
  return left.length === 0 ? undefined : `after the next run, a plan would change ${left.join(", ")}`;
}

/** Returns the number of objects by kind and name; a UUID in a name, which differs in each run, counts as any. */
function countsOf(emulator: Emulator): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, name, groups } of emulator.snapshot().objects) {
    // A rule in no group has no effect.
    const state = Array.isArray(groups) && groups.length === 0 ? "unattached " : "";
    const key = `${state}${kind} ${String(name).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "*")}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function differenceOf(
  expected: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
): string | undefined {
  const different = [...new Set([...expected.keys(), ...found.keys()])]
    .filter((key) => expected.get(key) !== found.get(key))
    .map((key) => `${key} (${found.get(key) ?? 0} instead of ${expected.get(key) ?? 0})`);
  return different.length === 0
    ? undefined
    : `after the next run, the cloud has other objects: ${different.join(", ")}`;
}

/** Returns the fault of a request, drawn from the seed. */
function faultFor(seed: number, request: string): (typeof faults)[number] {
  const [byte = 0] = hash("sha256", `${seed} ${request}`, "buffer");
  return faults[byte % faults.length] ?? faults[0];
}
