import { rm } from "node:fs/promises";
import { afterAll, expect, test } from "@jest/globals";
import { simulate } from "../simulation/command.ts";
import { defects } from "./defect.ts";
import { copySources, withPlanted } from "./plant.ts";

/** Tests that the simulation finds each planted defect that names a world. A sweep, since each defect needs a separate run. */

const folder = await copySources();
afterAll(() => rm(folder, { recursive: true, force: true }));

/** First seed of every search by simulation; `KCLOUD_PLANTED_FIRST` sets another one. */
const { KCLOUD_PLANTED_FIRST: first = "1" } = process.env;

/** Maximum number of seeds of a search. */
const seeds = "1000";

/** Runs the simulation on the copy until its first violation; prints the number of seeds that it needed. */
async function find(name: string, world: string): Promise<void> {
  const options = ["--until-violation", "--world", world, "--first", first, "--seeds", seeds];
  const { code, output } = await simulate(folder, ...options);
  const [, needed] = /^(\d+) seeds in /.exec(output) ?? [];
  const [, violation] = /\n1 violations\n((?:I\d+|crash) seed \d+ .*)\n/.exec(output) ?? [];
  process.stdout.write(`${name}: ${needed} seeds of a ${world} world from ${first}: ${violation}\n`);
  expect(violation).toBeDefined();
  expect(code).toBe(1);
}

test.each(defects.flatMap((defect) => ("world" in defect.foundBy ? [{ ...defect, ...defect.foundBy }] : [])))(
  "the planted defect $name is found by the simulation",
  (defect) => withPlanted(folder, defect, () => find(defect.name, defect.world)),
);
