import { expect, test } from "@jest/globals";
import type { Emulator } from "../../../emulator/emulator.ts";
import { withSite } from "../../support/engine/site.ts";
import { leftover } from "../../support/leftover.ts";
import type { Adapter, CommandResult, Workspace } from "../adapter.ts";
import { environment } from "../lifecycle/lifecycle.ts";
import { type Case, drawCase, drawFaults, stackOf, stagesOf } from "./draw.ts";

/** Runs lifecycles with drawn faults, each with a separate emulator, until the time limit. */

/** Minimum number of lifecycles, regardless of the time limit. */
const minimumCount = 3;

/** Maximum number of runs without faults after which a failed step must have succeeded. */
const recoveries = 3;

type Counts = Readonly<Record<string, number>>;

/** Effect of a step without faults: its calls of each operation, and the number of objects of each kind after it. */
interface Expected {
  readonly calls: Counts;
  readonly objects: Counts;
}

/** Objects that a destroy should have deleted. A session of object storage whose deactivation fails expires by itself. */
const remaining = (emulator: Emulator) => leftover(emulator).filter(({ kind }) => kind !== "object_session");

const objectsOf = (emulator: Emulator): Counts =>
  Object.fromEntries(
    [...Map.groupBy(remaining(emulator), ({ kind }) => kind)].map(([kind, list]) => [kind, list.length]),
  );

const difference = (now: Counts, then: Counts): Counts =>
  Object.fromEntries(
    Object.entries(now)
      .map(([name, count]): [string, number] => [name, count - (then[name] ?? 0)])
      .filter(([, count]) => count > 0),
  );

async function succeed(outcome: Promise<CommandResult>): Promise<void> {
  const { ok, output } = await outcome;
  if (!ok) throw new Error(output);
}

/** Opens an emulator and a workspace, and removes both after `work`. */
const withWorkspace = <T>(
  adapter: Adapter,
  work: (workspace: Workspace, emulator: Emulator) => Promise<T>,
): Promise<T> =>
  withSite({ assume: { podRead: "pod", sessionAttempts: 10_000 } }, async ({ emulator, url, path }) =>
    work(await adapter.open(path, { ...environment(url), SERVICE_ADOPT_EXISTING: "true" }), emulator),
  );

/** Applies the stages before the step of a case, then calls `step` with a function that runs the step itself. */
async function runCase(
  drawn: Case,
  workspace: Workspace,
  step: (run: () => Promise<CommandResult>) => Promise<void>,
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

/** Returns the effect of a case's step without faults; each step runs once. */
function expectedOf(drawn: Case, adapter: Adapter): Promise<Expected> {
  const key = `${adapter.name} ${drawn.resource} ${drawn.step}`;
  const known =
    expectations[key] ??
    withWorkspace(adapter, async (workspace, emulator) => {
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

/** Runs the step of a case under its faults, then without until it succeeds. Throws if an invariant is broken. */
async function runUnderFaults(drawn: Case, adapter: Adapter): Promise<void> {
  const { calls, objects } = await expectedOf(drawn, adapter);
  const faults = drawFaults(drawn, calls);
  try {
    await withWorkspace(adapter, async (workspace, emulator) => {
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
      expect(remaining(emulator)).toEqual([]);
    });
  } catch (error) {
    throw new Error(
      `${describe(drawn, adapter)}, with ${JSON.stringify(faults)}: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

const describe = ({ seed, resource, step }: Case, { name }: Adapter): string =>
  `seed ${seed}, ${step} of ${resource} through ${name}`;

/**
 * Draws lifecycles until `KCLOUD_PROVE_DEADLINE`, in milliseconds since the epoch, or only the one of the seed
 * `KCLOUD_FAULT_SEED`. `file` is the test file, for the command that replays a seed.
 */
export function drawLifecycles(adapters: readonly Adapter[], file: string): void {
  const { KCLOUD_PROVE_DEADLINE: deadline = "0", KCLOUD_FAULT_SEED: only } = process.env;
  test("lifecycles with drawn faults end with one object each, an empty plan, and nothing after a destroy", async () => {
    const violations: string[] = [];
    let count = 0;
    for (
      ;
      only === undefined ? count < minimumCount || Date.now() < Number(deadline) : count < 1;
      count += 1
    ) {
      const drawn = drawCase(only === undefined ? count + 1 : Number(only), adapters.length);
      try {
        await runUnderFaults(drawn, adapters[drawn.engine] as Adapter);
      } catch (error) {
        const replay = `KCLOUD_FAULT_SEED=${drawn.seed} npm run unit -- ${file}`;
        violations.push(`${(error as Error).message}\nReplay: ${replay}`);
      }
    }
    process.stdout.write(`${count} lifecycles with drawn faults, ${file}\n`);
    expect(violations.join("\n\n")).toBe("");
  }, 7_200_000);
}
