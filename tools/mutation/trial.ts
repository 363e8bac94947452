import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runNode, startTests, type TestProcess } from "./child.ts";
import type { Coverage, Reached } from "./coverage.ts";
import type { Mutant } from "./mutant.ts";

/** Runs of tests and of the simulation against one mutant. */

/** Result of one mutant. */
export interface Outcome {
  readonly outcome: "killed" | "timeout" | "survived" | "not reached";
  /** Test file that killed the mutant, and the name of the test. */
  readonly file?: string;
  readonly test?: string;
  /** Failure of that test. */
  readonly error?: string;
  /** Number of tests that reach a survivor and did not run within the time limit. */
  readonly left?: number;
  readonly milliseconds?: number;
  /** First violation, or "no violation"; undefined if the simulation did not run. */
  readonly simulation?: string;
}

/** Sources that keep values between tests, so that their mutants need a separate process. */
const keepsValues = new Set(["provider/client/redact.ts"]);

/** Returns the number of common leading folders of both paths, without the first folder of each. */
function nearness(test: string, source: string): number {
  const [a, b] = [test, source].map((path) =>
    path
      .replace(/(\.test)?\.ts$/, "")
      .split("/")
      .slice(1),
  );
  const differs = (a ?? []).findIndex((part, index) => part !== b?.[index]);
  return differs < 0 ? (a ?? []).length : differs;
}

export interface Trials {
  /** Runs the tests that reach a mutant until one fails; with `only`, those in these files and folders. */
  test(mutant: Mutant, killers: Readonly<Record<string, number>>, only?: readonly string[]): Promise<Outcome>;
  end(): Promise<void>;
}

/**
 * Tests mutants in one process, which restarts after a test that did not end or that affects later tests.
 *
 * @param patience CPU time for the tests of one mutant, in milliseconds
 */
export function openTrials(
  copy: string,
  patience: number,
  { tests, whileLoading, whileLoadingTest, imports }: Coverage,
): Trials {
  let warm: TestProcess | undefined;
  /** Process with the current mutant active from its start. */
  let fresh: TestProcess | undefined;
  /** CPU time of the tests of the current mutant, in milliseconds. */
  let cpu = 0;
  const flaky = new Set<Reached>();

  const limits = (test: Reached, count: number) => ({
    file: test.file,
    index: test.index,
    hitLimit: 1_000 + 100 * count,
    cpuLimit: 3_000 + 10 * test.cpuMilliseconds,
    idleLimit: 50 + Math.ceil(test.milliseconds / 20),
  });

  async function restart(): Promise<void> {
    await warm?.end();
    warm = undefined;
  }

  async function passes(test: Reached): Promise<boolean> {
    warm ??= startTests(copy);
    const response = await warm.send({ ...limits(test, 0), cpuLimit: 60_000 + 10 * test.cpuMilliseconds });
    if (response === undefined || response.isEndless) await restart();
    return response !== undefined && response.error === undefined;
  }

  /** Runs a test with the mutant; undefined if it passes. */
  async function fails(mutant: Mutant, test: Reached, isFresh: boolean): Promise<Outcome | undefined> {
    let process = isFresh ? fresh : warm;
    process ??= startTests(copy, isFresh ? mutant.id : undefined);
    if (isFresh) fresh = process;
    else warm = process;
    const response = await process.send({
      ...limits(test, test.counts[mutant.id] ?? whileLoading[mutant.id] ?? 0),
      mutant: mutant.id,
    });
    const isEndless = response === undefined || response.isEndless === true;
    if (isEndless) await (isFresh ? endFresh() : restart());
    cpu += response === undefined ? 3_000 : response.loadMilliseconds + response.cpuMilliseconds;
    if (!isEndless && response.error === undefined) return undefined;
    const error = response?.error && stripVTControlCharacters(response.error).slice(0, 300);
    const outcome = isEndless ? "timeout" : "killed";
    return { outcome, file: test.file, test: test.name, ...(error !== undefined && { error }) };
  }

  async function endFresh(): Promise<void> {
    await fresh?.end();
    fresh = undefined;
  }

  /** Returns the outcome of a test that fails with the mutant, passes without it, and fails with it again. */
  async function kills(mutant: Mutant, test: Reached, isFresh: boolean): Promise<Outcome | undefined> {
    const first = await fails(mutant, test, isFresh);
    if (first === undefined) return undefined;
    if (await passes(test)) return first.outcome === "timeout" ? first : fails(mutant, test, isFresh);
    // State of an earlier run makes the test fail.
    await restart();
    if (!(await passes(test))) {
      flaky.add(test);
      console.log(`left out, since it fails without a mutant: ${test.file}: ${test.name}`);
      return undefined;
    }
    await restart();
    return fails(mutant, test, isFresh);
  }

  return {
    async test(mutant, killers, only) {
      const { id, file } = mutant;
      const isStatic = whileLoading[id] !== undefined || keepsValues.has(file);
      const rank = (test: Reached) =>
        4 * Math.log2(1 + (killers[`${test.file} ${test.name}`] ?? 0)) +
        2 * Math.log2(1 + (killers[test.file] ?? 0)) +
        3 * nearness(test.file, file) +
        (test.counts[id] === undefined ? 0 : 6) -
        Math.log2(20 + test.cpuMilliseconds);
      const inOrder = (isReaching: (test: Reached) => boolean) =>
        tests
          .filter((test) => !flaky.has(test) && (only?.some((path) => test.file.startsWith(path)) ?? true))
          .filter(isReaching)
          .map((test) => ({ test, rank: rank(test) }))
          .toSorted((a, b) => b.rank - a.rank)
          .map(({ test }) => test);
      const warmTests = isStatic ? [] : inOrder(({ counts }) => counts[id] !== undefined);
      const freshTests = inOrder((test) =>
        isStatic ? imports(test.file, file) : whileLoadingTest[test.file]?.[id] !== undefined,
      );
      const order = [
        ...warmTests.map((test) => ({ test, isFresh: false })),
        ...freshTests.map((test) => ({ test, isFresh: true })),
      ];
      if (order.length === 0) return { outcome: "not reached" };
      const began = Date.now();
      cpu = 0;
      let outcome: Outcome | undefined;
      let done = 0;
      for (const { test, isFresh } of order) {
        if (cpu > patience) break;
        done += 1;
        outcome = await kills(mutant, test, isFresh);
        if (outcome !== undefined) break;
      }
      await endFresh();
      const left = order.length - done;
      const survived: Outcome = { outcome: "survived", ...(left > 0 && { left }) };
      return { ...(outcome ?? survived), milliseconds: Date.now() - began };
    },
    end: restart,
  };
}

/** Runs 1,000 seeds of the simulation against the mutant, if any; returns the first violation or failure. */
export async function runSimulation(copy: string, mutant?: Mutant): Promise<string | undefined> {
  const { code, output } = await runNode(
    copy,
    [join("test", "simulation", "main.ts"), "--seeds", "1000", "--world", "shared", "--until-violation"],
    mutant === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: mutant.id },
    600_000,
  );
  if (code === 0) return undefined;
  return code === undefined
    ? "no end within 10 minutes"
    : (/^I\d+ seed.*/m.exec(output)?.[0] ?? output.slice(-300));
}
