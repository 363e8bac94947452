import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import type { Report } from "../../../review/report/report.ts";
import { outputsOf, reportOf } from "./outputs.ts";

const read = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

const reportIn = (name: string, text = read(name)): Report => reportOf([readPlan(name, text)]);

test("a finding without a source is at the folder of the program, or at the input, and on no line", () => {
  const { findings, ...report } = reportIn("terraform-1.16.0.json");
  const sourceless = findings.map(({ source, ...finding }) => finding);
  for (const [root, file] of [
    ["infra", "infra"],
    [undefined, "terraform-1.16.0.json"],
  ] as const) {
    const plans = report.plans.map((plan) => ({ ...plan, ...(root === undefined ? {} : { root }) }));
    const outputs = outputsOf({ ...report, plans, findings: sourceless });
    const [run] = JSON.parse(outputs.sarif ?? "").runs;
    for (const { locations } of run.results)
      expect(locations[0].physicalLocation).toEqual({ artifactLocation: { uri: file } });
    for (const { location, description } of JSON.parse(outputs.gitlab ?? "")) {
      expect(location.path).toBe(file);
      expect(description).toMatch(/The plan does not show the line\.$/);
    }
    expect(outputs.annotations).not.toMatch(/file=|line=/);
  }
});
