import { expect, test } from "@jest/globals";
import { root } from "../repository/repository.ts";
import { simulate } from "./command.ts";

/** Runs the simulation with all seeds, as a sweep. `sample.test.ts` runs the first of them. */

test.each([
  { world: "kind", seeds: 1_000 },
  { world: "shared", seeds: 1_000 },
  { world: "beyond", seeds: 200 },
])(
  "$seeds schedules of a $world world break no invariant of that world",
  async ({ world, seeds }) => {
    const { code, output } = await simulate(root, "--seeds", String(seeds), "--world", world);
    expect(output).toMatch(
      /^\d+ seeds in [\d.]+ s, \d+ a minute \(\d+ \w+\)\n\d{3,} faults injected, \d+ requests, \d+ objects made\n\d+ metered requests refused after their commit, and billed twice\n(\d+ orphans and duplicates .*\n)?0 violations\n$/,
    );
    expect(output.startsWith(`${seeds} seeds`)).toBe(true);
    expect(code).toBe(0);
  },
  1_800_000,
);
