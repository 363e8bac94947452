import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { createDraw } from "../../simulation/draw.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";
import { shuffle } from "../shuffle.ts";

const read = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

test("every output is the same for any order of the plans", () => {
  const draw = createDraw("plans");
  const names = ["terraform-1.16.0.json", "opentofu-moved.json", "pulumi.json", "dynamic/events.jsonl"];
  const plans = names.map((name) => readPlan(name, read(name)));
  const expected = outputsOf(reportOf(plans));
  for (let round = 0; round < 10; round++)
    expect(outputsOf(reportOf(shuffle(draw, plans)))).toEqual(expected);
});
