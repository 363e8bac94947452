import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { opentofu, pulumi, type Recipe, terraform } from "../../../tools/engines/recipe.ts";
import { replay } from "./replay.ts";
import { digestOf, engineNames, readLeast, readRecordings, stored } from "./store.ts";

/** Compares the fake engine with the recorded calls of the real ones: per object and command, and the state after it. */

const recipes: Readonly<Record<(typeof engineNames)[number], Recipe>> = { terraform, opentofu, pulumi };
const least = await readLeast();

describe.each(engineNames)("the fake %s", (engine) => {
  test("is compared with recordings of the pinned version", async () => {
    const { version, recordings = [] } = (await readRecordings(engine)) ?? {};
    expect(version).toBe(recipes[engine].version);
    expect(recordings.length).toBeGreaterThanOrEqual(Math.max(1, least[engine] ?? 0));
    expect(recordings.filter(({ seed, drawn }) => drawn !== digestOf(seed))).toEqual([]);
  });

  test("makes the calls of the real engine for each object, and leaves the same state", async () => {
    for (const { seed, commands } of (await readRecordings(engine))?.recordings ?? []) {
      const results = await replay(engine, seed, (result, at) =>
        isDeepStrictEqual(stored(result), commands[at]),
      );
      expect({ seed, commands: results.map(stored) }).toEqual({ seed, commands });
    }
  });
});
