import { expect, test } from "@jest/globals";
import {
  appliedContent,
  appliedPlanText,
  notDone,
  outcomeTable,
  stepsText,
  withApplyFindings,
} from "../../../review/render/applied.ts";
import { renderHtml } from "../../../review/render/html.ts";
import { renderMarkdown } from "../../../review/render/markdown.ts";
import { renderText } from "../../../review/render/text.ts";
import type { Report, ReportApplied } from "../../../review/report/report.ts";
import { appliedReport, recorded, reportOf } from "../applied/fixture.ts";

const appliedIn = (report: Report): ReportApplied => {
  if (report.applied === undefined) throw new Error("no apply");
  return report.applied;
};

const failed = appliedReport("terraform-failed");
const markdown = (report: Report, budget = 60_000) => renderMarkdown(report, { budget, symbols: "emoji" });

test("a plan has its engine, the end of the apply, and its values", () => {
  const texts = ["terraform-done", "opentofu-failed", "pulumi-done"].map((scene) =>
    appliedIn(appliedReport(scene)).plans.map(appliedPlanText).join(),
  );
  expect(texts).toEqual([
    "net: Terraform 1.16.0, the apply succeeded, compared with the state after it.",
    "net: OpenTofu 1.12.6, the apply failed, compared with the state after it.",
    "net: Pulumi, the apply succeeded, compared with the state after it; 17 planned values compared, 5 not.",
  ]);
  expect(appliedIn(appliedReport("terraform-killed", { state: null })).plans.map(appliedPlanText)).toEqual([
    "net: Terraform 1.16.0, the end of the apply is not known, without a state.",
  ]);
});

test("the table counts the objects by planned effect and outcome", () => {
  expect(outcomeTable(appliedIn(failed))).toEqual({
    columns: ["failed", "not reached", "done"],
    rows: [
      { effect: "create", counts: [1, 1, 1] },
      { effect: "delete", counts: [1, 0, 0] },
      ...["forget", "import", "invoke", "move"].map((effect) => ({ effect, counts: [0, 0, 1] })),
      { effect: "replace", counts: [1, 0, 0] },
      { effect: "update", counts: [0, 0, 1] },
    ],
  });
});

test("an object has its planned effect and its steps", () => {
  const [first] = notDone(appliedIn(appliedReport("terraform-deposed")));
  expect(first && stepsText(first)).toBe("replace (delete not ended, create done)");
});

test("Markdown has what the apply did, and the report of the review folded below", () => {
  const text = markdown(failed);
  expect(text).toMatch(/^## 🛑 Apply incomplete: 6 done, 3 failed, 1 not reached\.\n/);
  expect(text).toContain(
    "| planned | failed | not reached | done |\n|---|---:|---:|---:|\n| create | 1 | 1 | 1 |",
  );
  expect(text).toContain(
    "- **not reached** `kcloud_volume.copy`: create. The state does not have the object.\n",
  );
  const [above = "", below = ""] = text.split("<details><summary>Report of the review</summary>\n\n");
  expect(above).toContain("- Next: Plan again, and review the new plan before you apply it: terraform plan.");
  expect(below).toMatch(
    /^## ✅ Passed: 1 plan · [\s\S]*### Findings[\s\S]*Approval digest: `kr2-[\s\S]*\n<\/details>\n$/,
  );
  expect(markdown(appliedReport("terraform-done"))).toMatch(/^## ✅ Applied: 10 done\.\n/);
  expect(markdown(appliedReport("pulumi-other-values"))).toMatch(
    /^## ⚠️ Apply differs: 0 done, 3 other than planned\.\n/,
  );
});

test.each([1, 50_000])("Markdown fits the budget with %i objects in each change", (count) => {
  const plan = reportOf({ net: recorded("terraform-failed", "plan.json") });
  const [object] = notDone(appliedIn(failed));
  if (object === undefined) throw new Error("no object");
  const objects = Array.from({ length: count }, (_, index) => ({
    ...object,
    address: `kcloud_volume.shape["${index}"]`,
    errors: [`${"-->`|".repeat(300)}`],
  }));
  const report = { ...failed, changes: plan.changes, applied: { ...appliedIn(failed), objects } };
  for (const budget of [10_000, 60_000, 950_000]) {
    const text = markdown(report, budget);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
    if (count > 1) expect(text).toMatch(/- \d+ more: \d+ × failed\n/);
  }
});

test("a budget that is too small for the report of the review says so", () => {
  const text = markdown(failed, 3_800);
  expect(text).toContain("The report of the review does not fit.");
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_800);
});

test("the text has each object with its errors, and the verdict of the review", () => {
  const text = [...renderText(failed, { colour: false, symbols: "letter", width: 200 })].join("");
  expect(text).toMatch(/^Apply incomplete: 6 done, 3 failed, 1 not reached\.\n/);
  expect(text).toContain(
    "  failed: kcloud_volume.fresh, create (create failed)\n    The state does not have the object.\n    Error: Creating the volume",
  );
  expect(text).toContain("\nReview: Passed: 1 plan · ");
});

test("warnings of the engine are in every text", () => {
  const warning = JSON.stringify({
    ...{ "@level": "warn", type: "diagnostic" },
    diagnostic: { severity: "warning", summary: "No request deleted the port", detail: "It remains." },
  });
  const log = `${warning}\n${recorded("terraform-done", "log.jsonl")}`;
  const report = appliedReport("terraform-done", { log });
  expect(report.verdict.code).toBe(0);
  const texts = [
    markdown(report),
    [...renderHtml(report)].join(""),
    [...renderText(report, { colour: false, symbols: "letter", width: 200 })].join(""),
  ];
  for (const text of texts) expect(text).toContain("net: No request deleted the port: It remains.");
});

test("the page has a section about the apply, with links to the changes", () => {
  const page = [...renderHtml(failed)].join("");
  expect(page).toContain("<title>Apply incomplete: report after the apply</title>");
  expect(page).toContain('<details class="section" id="applied" open><summary><h2>Apply</h2></summary>');
  expect(page).toContain(
    '<td><strong>failed</strong></td><td><a class="code" href="#plan=net&amp;change=kcloud_volume.fresh">kcloud_volume.fresh</a></td><td>create (create failed)</td>',
  );
  const hostile = {
    ...appliedIn(failed),
    objects: notDone(appliedIn(failed)).map((one) => ({ ...one, text: "<script>" })),
  };
  expect(appliedContent(hostile, () => "")).not.toContain("<script>");
});

test("hosts that show findings get what is not done as planned first", () => {
  const rules = withApplyFindings(failed).findings.map(({ rule }) => rule);
  expect(rules.slice(0, 6)).toEqual(["APPLY-03", "APPLY-03", "APPLY-03", "APPLY-03", "APPLY-03", "APPLY-04"]);
  expect(rules.slice(6)).toEqual(failed.findings.map(({ rule }) => rule));
  const prints = withApplyFindings(failed).findings.map(({ fingerprint }) => fingerprint);
  expect(new Set(prints).size).toBe(prints.length);
  const done = appliedReport("terraform-done");
  expect(withApplyFindings(done).findings).toEqual(done.findings);
  expect(withApplyFindings(appliedReport("terraform-done", { log: "" })).findings[0]).toMatchObject({
    ...{ rule: "APPLY-02", severity: "critical", address: "net" },
  });
});
