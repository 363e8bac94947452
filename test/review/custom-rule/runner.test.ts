import { expect, test } from "@jest/globals";
import { runCustomRules } from "../../../review/custom-rule/custom-rule.ts";
import { textOf } from "../../../review/model/sentence.ts";
import { rule, run, settings, terraform } from "./rule-file.ts";

test("an endless rule is stopped, and the error names it", async () => {
  await expect(run(rule("for (;;) ;"), 1_000)).rejects.toThrow(
    "rules/acme.js: ACME-01 did not finish within 1 s",
  );
  await expect(run("for (;;) ;", 1_000)).rejects.toThrow("rules/acme.js did not finish within 1 s");
});

test("a rule that exceeds the memory limit is stopped, and the error names it", async () => {
  const fill = "const all = []; for (;;) all.push(new Array(100000).fill(0).map(() => ({})));";
  await expect(run(rule(fill), 60_000)).rejects.toThrow(/^rules\/acme\.js: ACME-01 needs more than \d+ MB$/);
});

test("one file does not affect the next one", async () => {
  const files = [
    {
      path: "a.js",
      text: `Array.prototype.map = () => []; Object.prototype.plan = "x"; ${rule("return []")}`,
    },
    { path: "b.js", text: rule('return [{ plan: "tf", text: "b" }]').replace("ACME-01", "ACME-02") },
  ];
  const second = (await runCustomRules(files, [terraform], settings)).at(-1);
  const found = (second?.hits ?? []).map(({ plan, text }) => [plan, textOf(text)]);
  expect(found).toEqual([["tf", "b"]]);
});
