import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import type { Report } from "../../../review/report/report.ts";
import { outputsOf, reportOf } from "./outputs.ts";

const read = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

const reportIn = (name: string, text = read(name)): Report => reportOf([readPlan(name, text)]);

const count = (text: string, part: string): number => text.split(part).length - 1;

test("JUnit has a case for each finding, also for those about all plans", () => {
  const report = reportIn("terraform-1.16.0.json");
  const findings = report.findings.map((finding, at) => (at === 0 ? { ...finding, plan: "" } : finding));
  expect(count(outputsOf({ ...report, findings }).junit ?? "", "<failure")).toBe(findings.length);
});
