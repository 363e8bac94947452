import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { runCustomRules } from "../../../review/custom-rule/custom-rule.ts";
import { settingsOf } from "../../../review/gate/policy.ts";
import { textOf } from "../../../review/model/sentence.ts";
import { readPlan } from "../../../review/read/read.ts";

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "../fixture", name), "utf8");

const terraform = readPlan("tf", fixture("terraform-1.16.0.json"));

const pulumi = readPlan("pulumi", fixture("pulumi.json"));

const settings = settingsOf({});

const run = (text: string, limit?: number, path = "rules/acme.js") =>
  runCustomRules([{ path, text }], [terraform, pulumi], settings, limit);

test("one TypeScript rule finds the same change in a plan of Terraform and in one of Pulumi", async () => {
  const text = `
import { type Change, defineRule, differencesOf } from "@kcloud/iac/review";
const grows = (change: Change): boolean => differencesOf(change).some(({ path }) => path[0] === "sizeGb");
export default defineRule({
  id: "ACME-01", title: "A volume grows", severity: "low", confidence: "proven", about: "It costs more.", remedy: "Ask for the budget.",
  check: ({ changes }) => changes.filter((change) => change.kind === "volume" && change.action === "update" && grows(change))
    .map((change) => ({ change, path: ["sizeGb"], text: \`It grows to \${change.after?.sizeGb} GB.\` })),
});`;
  const [found] = await run(text, undefined, "rules/acme.ts");
  const hits = found?.hits ?? [];
  expect(hits.map(({ change, text: found }) => [change?.plan, change?.name, textOf(found)])).toEqual([
    ["tf", "archive", "It grows to 30 GB."],
    ["pulumi", "archive", "It grows to 30 GB."],
  ]);
});
