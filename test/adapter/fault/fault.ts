import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../../emulator/emulator.ts";
import type { Face, Outcome, Workspace } from "../adapter.ts";
import { environment } from "../lifecycle/lifecycle.ts";
import { type Case, drawCase, drawFaults, stackOf, stagesOf } from "./draw.ts";

/** Lifecycles with drawn faults, each in an emulator of its own, until the time is over. */

/** Lifecycles that run even when no time is left. */
const least = 3;

/** Runs without faults that a stack may take to recover from those before. */
const recoveries = 3;

type Counts = Readonly<Record<string, number>>;

/** What a step does without faults: its calls of each operation, and how many objects of each kind it leaves. */
interface Expected {
  readonly calls: Counts;
  readonly objects: Counts;
}

const objectsOf = (emulator: Emulator): Counts =>
  Object.fromEntries(
    [...Map.groupBy(emulator.inventory.list(), ({ kind }) => kind)].map(([kind, list]) => [
      kind,
      list.length,
    ]),
  );

const difference = (now: Counts, then: Counts): Counts =>
  Object.fromEntries(
    Object.entries(now)
      .map(([name, count]): [string, number] => [name, count - (then[name] ?? 0)])
      .filter(([, count]) => count > 0),
  );

async function succeed(outcome: Promise<Outcome>): Promise<void> {
  const { ok, output } = await outcome;
  if (!ok) throw new Error(output);
}

/** Opens an emulator and a workspace, and removes both after `work`. */
async function withWorkspace<T>(
  face: Face,
  work: (workspace: Workspace, emulator: Emulator) => Promise<T>,
): Promise<T> {
  const emulator = createEmulator({ taskMs: 50, assume: { podRead: "pod", sessionAttempts: 10_000 } });
  const server = await emulator.listen();
  const folder = await mkdtemp(join(tmpdir(), "kcloud-fault-"));
  try {
    const settings = { ...environment(server.url), SERVICE_ADOPT_EXISTING: "true" };
    return await work(await face.open(folder, settings), emulator);
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a case up to its step and the step itself: `apply` and `destroy` run that step. */
async function runCase(
  drawn: Case,
  workspace: Workspace,
  step: (run: () => Promise<Outcome>) => Promise<void>,
): Promise<void> {
  const stages = stagesOf(drawn);
  for (const [at, stage] of stages.entries()) {
    await workspace.write(stackOf(drawn.resource, stage));
    if (drawn.step !== "destroy" && at === stages.length - 1) await step(() => workspace.apply());
    else await succeed(workspace.apply());
  }
  if (drawn.step === "destroy") await step(() => workspace.destroy());
}

const expectations: { readonly [key: string]: Promise<Expected> | undefined } = {};

/** What the step of a case does without faults; each is run once. */
function expectedOf(drawn: Case, face: Face): Promise<Expected> {
  const key = `${face.name} ${drawn.resource} ${drawn.step}`;
  const known =
    expectations[key] ??
    withWorkspace(face, async (workspace, emulator) => {
      let calls: Counts = {};
      await runCase(drawn, workspace, async (run) => {
        const then = { ...emulator.log.counts() };
        await succeed(run());
        calls = difference(emulator.log.counts(), then);
      });
      return { calls, objects: objectsOf(emulator) };
    });
  Object.assign(expectations, { [key]: known });
  return known;
}

/** Runs the step of a case under its faults, then without until it succeeds; throws where an invariant is broken. */
async function survive(drawn: Case, face: Face): Promise<void> {
  const { calls, objects } = await expectedOf(drawn, face);
  const faults = drawFaults(drawn, calls);
  try {
    await withWorkspace(face, async (workspace, emulator) => {
      await runCase(drawn, workspace, async (run) => {
        for (const fault of faults) emulator.faults.add(fault);
        let outcome = await run();
        emulator.faults.clear();
        for (let again = 0; !outcome.ok && again < recoveries; again += 1) outcome = await run();
        if (!outcome.ok) throw new Error(outcome.output);
      });
      expect(objectsOf(emulator)).toEqual(objects);
      if (drawn.step !== "destroy") expect(await workspace.plan()).toEqual({});
      await succeed(workspace.destroy());
      expect(emulator.inventory.list()).toEqual([]);
    });
  } catch (error) {
    throw new Error(`${describe(drawn, face)}, with ${JSON.stringify(faults)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

const describe = ({ seed, resource, step }: Case, { name }: Face): string =>
  `seed ${seed}, ${step} of ${resource} through ${name}`;

/**
 * Draws lifecycles until `KCLOUD_PROVE_DEADLINE`, in milliseconds since the epoch, or only the one of `KCLOUD_FAULT_SEED`.
 * `file` is the test file, for the command that replays a seed.
 */
export function drawLifecycles(faces: readonly Face[], file: string): void {
  const { KCLOUD_PROVE_DEADLINE: deadline = "0", KCLOUD_FAULT_SEED: only } = process.env;
  test("lifecycles with drawn faults end with one object each, an empty plan, and nothing after a destroy", async () => {
    const violations: string[] = [];
    let count = 0;
    for (; only === undefined ? count < least || Date.now() < Number(deadline) : count < 1; count += 1) {
      const drawn = drawCase(only === undefined ? count + 1 : Number(only), faces.length);
      try {
        await survive(drawn, faces[drawn.engine] as Face);
      } catch (error) {
        const replay = `KCLOUD_FAULT_SEED=${drawn.seed} npm run unit -- ${file}`;
        violations.push(`${(error as Error).message}\nTo see it again: ${replay}`);
      }
    }
    process.stdout.write(`${count} lifecycles with drawn faults, ${file}\n`);
    expect(violations.join("\n\n")).toBe("");
  }, 7_200_000);
}
