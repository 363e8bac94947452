import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import type { Report } from "../../../review/report/report.ts";
import { outputsOf, reportOf } from "./outputs.ts";

const read = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

const reportIn = (name: string, text = read(name)): Report => reportOf([readPlan(name, text)]);

test("SARIF has the words of the engine, and the severity of the policy", () => {
  const sarifOf = (report: Report) => JSON.parse(outputsOf(report).sarif ?? "").runs[0].tool.driver.rules;
  const report = reportIn("terraform-1.16.0.json");
  const terraform = JSON.stringify(sarifOf(report));
  const pulumi = JSON.stringify(sarifOf(reportIn("pulumi.json")));
  expect(terraform).toContain("Set delete_on_termination to false");
  expect(pulumi).toContain("Set deleteOnTermination to false");
  expect(terraform + pulumi).not.toMatch(/\p{Co}/u);
  const lowered = report.findings.map((finding) => ({ ...finding, severity: "low" as const }));
  expect(
    sarifOf({ ...report, findings: lowered }).map(
      (rule: { properties: Record<string, string> }) => rule.properties["security-severity"],
    ),
  ).toEqual(sarifOf(report).map(() => "2.0"));
});

test("SARIF with more findings than hosts accept has the number of the others", () => {
  const { findings, ...report } = reportIn("terraform-1.16.0.json");
  const many = Array.from({ length: 400 }, () => findings).flat();
  const [run] = JSON.parse(outputsOf({ ...report, findings: many }).sarif ?? "").runs;
  expect(run.results).toHaveLength(5_000);
  const [{ message }] = run.invocations[0].toolExecutionNotifications;
  expect(message.text).toMatch(new RegExp(`^${many.length - 5_000} more: `));
});
