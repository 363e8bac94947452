import { join } from "node:path";
import { runNode, runTests } from "./child.ts";
import type { Reached } from "./coverage.ts";
import type { Mutant } from "./mutant.ts";

/** Runs of tests and of the simulation against one mutant. */

/** Result of one mutant. */
export interface Outcome {
  readonly outcome: "killed" | "timeout" | "survived" | "not reached";
  /** Test file that killed the mutant. */
  readonly file?: string;
  /** First violation, or "no violation", where the simulation ran. */
  readonly simulation?: string;
}

/** Number of folders at the start of both paths that are the same, without the first. */
function nearness(test: string, source: string): number {
  const [a, b] = [test, source].map((path) =>
    path
      .replace(/(\.test)?\.ts$/, "")
      .split("/")
      .slice(1),
  );
  const differs = (a ?? []).findIndex((part, at) => part !== b?.[at]);
  return differs < 0 ? (a ?? []).length : differs;
}

/**
 * Runs the tests that reach the mutant until one fails: first the files that killed most mutants of the same source,
 * then those nearest to it, then the shortest.
 */
export async function testMutant(
  copy: string,
  mutant: Mutant,
  coverage: readonly Reached[],
  killers: Readonly<Record<string, number>>,
): Promise<Outcome> {
  const reaching = coverage.filter(({ counts }) => counts[mutant.id] !== undefined);
  if (reaching.length === 0) return { outcome: "not reached" };
  const order = reaching.toSorted(
    (a, b) =>
      (killers[b.test] ?? 0) - (killers[a.test] ?? 0) ||
      nearness(b.test, mutant.file) - nearness(a.test, mutant.file) ||
      a.milliseconds - b.milliseconds,
  );
  const most = Math.max(...reaching.map(({ counts }) => counts[mutant.id] ?? 0));
  const usual = reaching.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const { code, output } = await runTests(
    copy,
    order.map(({ test }) => test),
    ["--bail"],
    { KCLOUD_MUTANT: mutant.id, KCLOUD_HIT_LIMIT: String(most * 100) },
    60_000 + 5 * usual,
  );
  if (code === undefined) return { outcome: "timeout" };
  if (code === 0) return { outcome: "survived" };
  const file = /^FAIL (\S+)/m.exec(output)?.[1];
  if (file === undefined) throw new Error(`jest ended with ${code}: ${output.slice(-4_000)}`);
  return { outcome: "killed", file };
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
