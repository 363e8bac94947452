import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readContext } from "../../review/review.ts";

const text = readFileSync(join(import.meta.dirname, "fixture/terraform-1.16.0.json"), "utf8");

test("a rule can be tested with the context of a plan", () => {
  const { changes, settings, plans } = readContext({ net: text }, { requiredTags: ["team"] });
  expect(
    changes.filter(({ kind, action }) => kind === "volume" && action === "delete").map(({ name }) => name),
  ).toEqual(["logs"]);
  expect(settings.requiredTags).toEqual(["team"]);
  expect(plans.map(({ name }) => name)).toEqual(["net"]);
});
