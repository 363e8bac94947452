import { expect, test } from "@jest/globals";
import { root } from "../repository/repository.ts";
import { simulate } from "./command.ts";

/** The simulation as the command line starts it, with few seeds. */

test.each([
  { world: "kind", seeds: 60 },
  { world: "shared", seeds: 60 },
  { world: "beyond", seeds: 30 },
])("$seeds schedules of a $world world break no invariant of that world", async ({ world, seeds }) => {
  const { code, output } = await simulate(root, "--seeds", String(seeds), "--world", world);
  expect(output).toMatch(
    /^\d+ seeds in .*\n\d{3,} faults injected, .*\n\d+ metered requests .*\n(\d+ orphans and duplicates .*\n)?0 violations\n$/,
  );
  expect(output.startsWith(`${seeds} seeds`)).toBe(true);
  expect(code).toBe(0);
});

test("without a world each seed draws one, and the result names it", async () => {
  const { output } = await simulate(root, "--seeds", "40");
  expect(output).toMatch(/^40 seeds in .* \(\d+ kind, \d+ shared, \d+ beyond\)\n/);
});

test("a replay of a seed prints every event, and the same output each time", async () => {
  const replay = () => simulate(root, "--seed", "7", "--world", "kind");
  const [first, second] = [await replay(), await replay()];
  expect(first.output).toBe(second.output);
  expect(first.output).toMatch(/^ +\d+\.\d{3} {2}create [a-z-]+\.\d+: /m);
  expect(first.output).toMatch(/\n0 violations\n$/);
});
