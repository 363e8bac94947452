import { expect, test } from "@jest/globals";
import type { Report } from "../../../review/report/report.ts";
import { compareReports } from "../../../review/report/since.ts";
import { changeOf, planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";

/** Comparison with the report of the last review. */

const volume = { vpcId: "vpc-one", name: "data", sizeGb: 10, volumeType: "ssd" };
const address = "kcloud_volume.data";
const deleted = (plan: string) => changeOf("volume", volume, undefined, { address, plan });
const grown = changeOf("volume", volume, { ...volume, sizeGb: 20 }, { address });
const reportOfDeletes = (...plans: readonly string[]): Report =>
  reportOf(plans.map((name) => planOf([deleted(name)], { name })));

test("a finding that disappears from one of two plans with equal addresses is listed as removed", () => {
  expect(compareReports(reportOfDeletes("app", "net"), reportOfDeletes("net"))).toEqual({
    added: [],
    changed: [],
    removed: [`app: DATA-01 ${address}`, `app: delete ${address}`],
  });
});

test("other values of a change, a waiver and an output count as changed", () => {
  const before = reportOf([planOf([grown])]);
  const larger = changeOf("volume", volume, { ...volume, sizeGb: 30 }, { address });
  const output = { name: "url", action: "update", before: "a", after: "b" } as const;
  expect(compareReports(before, reportOf([planOf([larger], { outputs: [output] })]))).toEqual({
    added: ["plan: output url"],
    changed: [`plan: update ${address}`],
    removed: [],
  });
  const open = reportOfDeletes("net");
  const waiver = { owner: "ann", reason: "copied", until: "2999-01-01" };
  const waived = { ...open, findings: open.findings.map((finding) => ({ ...finding, waiver })) };
  expect(compareReports(open, waived)?.changed).toEqual([`net: DATA-01 ${address}`]);
});

/** Returns text, Markdown and page with this comparison. */
const shownWith = (since: Report["since"]): string[] => {
  const outputs = outputsOf({ ...reportOfDeletes("net"), since });
  return ["text", "Markdown for github", "html"].map((format) => outputs[format] ?? "");
};

test("text, Markdown and the page show the differences, or that nothing changed", () => {
  for (const text of shownWith({ added: ["net: one"], changed: ["net: two"], removed: ["net: three"] }))
    expect(text).toMatch(
      /Since the last report[\s\S]*new: .*one[\s\S]*changed: .*two[\s\S]*removed: .*three/,
    );
  for (const text of shownWith({ added: [], changed: [], removed: [] }))
    expect(text).toMatch(/Since the last report[\s\S]*Nothing changed\./);
  for (const text of shownWith(undefined)) expect(text).not.toContain("Since the last report");
});

test("Markdown has the number of differences that it omits", () => {
  const added = Array.from({ length: 400 }, (_, at) => `net: create ${"x".repeat(300)}${at}`);
  const [, markdown = ""] = shownWith({ added, changed: [], removed: [] });
  const shown = markdown.match(/^- new: /gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(10);
  expect(markdown).toContain(`- ${400 - shown} more: `);
});
