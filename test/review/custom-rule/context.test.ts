import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { inAllWords } from "../../../provider/core/wording.ts";
import { contextJson } from "../../../review/custom-rule/context.ts";
import { runCustomRules } from "../../../review/custom-rule/custom-rule.ts";
import { settingsOf } from "../../../review/gate/policy.ts";
import { textOf } from "../../../review/model/sentence.ts";
import { readPlan } from "../../../review/read/read.ts";
import { canary } from "../change.ts";

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "../fixture", name), "utf8");

const terraform = readPlan("tf", fixture("terraform-1.16.0.json"));

const pulumi = readPlan("pulumi", fixture("pulumi.json"));

const settings = settingsOf({});

const run = (text: string, limit?: number, path = "rules/acme.js") =>
  runCustomRules([{ path, text }], [terraform, pulumi], settings, limit);

/** Returns the text of a rule file whose one rule has this body of `check`. */
const rule = (body: string, other = ""): string => `import * as review from "@kcloud/iac/review";
export default { id: "ACME-01", title: "Title", severity: "high", confidence: "proven", about: "About.", remedy: "Remedy.", ${other}
  check(context) { ${body} } };`;

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
