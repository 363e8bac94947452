import { expect, test } from "@jest/globals";
import { root } from "../repository/repository.ts";
import { simulate } from "./command.ts";

/** Runs the simulation with all seeds, as a sweep. `sample.test.ts` runs the first of them. */

test("five thousand schedules break no invariant", async () => {
  const { code, output } = await simulate(root, "--seeds", "5000");
  expect(output).toMatch(
    /^5000 seeds in [\d.]+ s, \d+ a minute\n\d{4,} faults injected, \d+ requests, \d+ objects made\n\d+ metered requests refused after their commit, and billed twice\n0 violations\n$/,
  );
  expect(code).toBe(0);
}, 1_800_000);
