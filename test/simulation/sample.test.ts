import { expect, test } from "@jest/globals";
import { root } from "../repository/repository.ts";
import { simulate } from "./command.ts";

/** The simulation as the command line starts it, with few seeds. */

test.each(["kind", "shared"] as const)(
  "one hundred and fifty schedules of a %s world break no invariant",
  async (world) => {
    const { code, output } = await simulate(root, "--seeds", "150", "--world", world);
    expect(output).toMatch(
      /^150 seeds in .*\n\d{3,} faults injected, .*\n\d+ metered requests .*\n0 violations\n$/,
    );
    expect(code).toBe(0);
  },
);

test("a seed is replayed with all that happened, the same each time", async () => {
  const replay = () => simulate(root, "--seed", "7", "--world", "kind");
  const [first, second] = [await replay(), await replay()];
  expect(first.output).toBe(second.output);
  expect(first.output).toMatch(/^ +\d+\.\d{3} {2}create [a-z-]+\.\d+: /m);
  expect(first.output).toMatch(/\n0 violations\n$/);
});
