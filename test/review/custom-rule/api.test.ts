import { expect, test } from "@jest/globals";
import { textOf } from "../../../review/model/sentence.ts";
import { run } from "./rule-file.ts";

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
