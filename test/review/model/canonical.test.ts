import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { createDraw, type Draw } from "../../simulation/draw.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";
import { shuffle } from "../shuffle.ts";

/** Outputs do not depend on the order in which an engine lists changes, nor on that of the plans. */

const read = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

/** Unordered lists of a plan. */
const unordered = [
  "resource_changes",
  "resource_drift",
  "resources",
  "child_modules",
  "steps",
  "deferred_changes",
];

/** Returns the JSON with its unordered lists, and the members of its objects, in another order. */
function shuffled(draw: Draw, value: unknown, name = ""): unknown {
  if (Array.isArray(value)) {
    const rows = value.map((row) => shuffled(draw, row));
    return unordered.includes(name) ? shuffle(draw, rows) : rows;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, shuffled(draw, member, key)] as const);
  return Object.fromEntries(shuffle(draw, members));
}

test.each(["terraform-1.16.0.json", "opentofu-drift.json", "opentofu-moved.json", "pulumi.json"])(
  "every output of %s is the same for any order of its changes",
  (name) => {
    const draw = createDraw(name);
    const outputs = (text: string) => outputsOf(reportOf([readPlan("shop", text)]));
    const expected = outputs(read(name));
    for (let round = 0; round < 10; round++) {
      const text = JSON.stringify(shuffled(draw, JSON.parse(read(name))));
      expect(outputs(text)).toEqual(expected);
    }
  },
);
