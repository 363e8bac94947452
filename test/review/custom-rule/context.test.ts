import { expect, test } from "@jest/globals";
import { inAllWords } from "../../../provider/core/wording.ts";
import { contextJson } from "../../../review/custom-rule/context.ts";
import { textOf } from "../../../review/model/sentence.ts";
import { canary } from "../change.ts";
import { pulumi, rule, run, settings, terraform } from "./rule-file.ts";

test("a rule gets plans, relations and settings, and only the existence of sensitive values", async () => {
  const [found] = await run(
    rule(`
    const machine = context.changes.find(({ plan, name }) => plan === "tf" && name === "machine");
    const shop = context.changes.find(({ plan, name }) => plan === "tf" && name === "orders");
    const isHidden = machine.after.userData === review.SENSITIVE;
    const unknown = shop.after.id === review.UNKNOWN;
    return [{ plan: "tf", text: JSON.stringify([context.plans.length, isHidden, unknown, machine.action, shop.action,
      review.destroys(shop), review.creates(shop), review.severities, context.settings.manyDeletes]) }];`),
  );
  const [hit] = found?.hits ?? [];
  const [plans, isHidden, unknown, ...rest] = JSON.parse(
    hit === undefined ? "[]" : inAllWords(textOf(hit.text)),
  );
  expect([plans, isHidden, unknown]).toEqual([2, true, true]);
  expect(rest.slice(0, 6)).toEqual([
    "replace",
    "replace",
    true,
    true,
    ["critical", "high", "medium", "low"],
    settings.manyDeletes,
  ]);
  const json = contextJson([terraform, pulumi], settings);
  expect(json).toContain("userData");
  expect(json).not.toContain(canary);
});
