import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { UNKNOWN } from "../../../provider/core/value.ts";
import { readPlan } from "../../../review/read/read.ts";
import { renderMarkdown } from "../../../review/render/markdown.ts";
import { renderText } from "../../../review/render/text.ts";
import type { Report } from "../../../review/report/report.ts";
import { changeOf, planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "./outputs.ts";

const read = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

const reportIn = (name: string, text = read(name)): Report => reportOf([readPlan(name, text)]);

const count = (text: string, part: string): number => text.split(part).length - 1;

test("text and Markdown list an unknown value of an update, and its computed values by name", () => {
  const batch = { vpcId: "vpc-1", name: "workers", templateId: "template-1", machineCount: 3 };
  const resized = changeOf("instance-batch", batch, { ...batch, machineCount: UNKNOWN });
  const outputs = outputsOf(reportOf([planOf([resized])]));
  expect(outputs.text).toContain("machine_count: 3 → (known after apply)");
  expect(outputs.text).toContain(
    "known after the apply: status, progress, failure_reason, instances, job_ids",
  );
  for (const name of Object.keys(outputs).filter((one) => one.startsWith("Markdown")))
    expect(outputs[name]).toMatch(/machine_count.*3.*known after apply/);
});

test("text names kind, name and id of each of several equal deletes", () => {
  const report = reportIn("opentofu-moved.json");
  const deletes = report.changes.filter(({ action }) => action === "delete");
  expect(deletes.length).toBeGreaterThan(1);
  for (const { kind, name, id } of deletes)
    expect(outputsOf(report).text).toContain(`${kind} ${JSON.stringify(name)} (${id})`);
});

test("text and Markdown have the values of new objects that are listed as one", () => {
  const volume = (nth: number) => ({ vpcId: "vpc-1", name: `data-${nth}`, sizeGb: 10, volumeType: "ssd" });
  const created = Array.from({ length: 6 }, (_, nth) => changeOf("volume", undefined, volume(nth)));
  const outputs = outputsOf(reportOf([planOf(created)]));
  expect(outputs.text).toContain(
    '      name: 6 values: "data-0", "data-1", "data-2", 3 more\n      size_gb: 10\n',
  );
  expect(outputs["Markdown for github"]).toContain(
    '  - `name`: 6 values: `"data-0"`, `"data-1"`, `"data-2"`, 3 more\n  - `size_gb`: `10`\n',
  );
});

test("the mode for screen readers has words instead of signs", () => {
  const report = reportIn("opentofu-moved.json");
  const text = [...renderText(report, { colour: false, symbols: "words", width: 100 })].join("");
  expect(text).toContain('place: "here" becomes "there"');
  const markdown = renderMarkdown(report, { budget: 60_000, symbols: "words" });
  for (const output of [text, markdown]) expect(output).not.toMatch(/[→×−±·✅]/u);
});

test("text shows the remedy of equal findings once", () => {
  const report = reportIn("terraform-1.16.0.json");
  const { text = "" } = outputsOf(report);
  const plain = text.replaceAll(/\s+/g, " ");
  const remedies = new Set(report.findings.map(({ remedy }) => remedy));
  expect(remedies.size).toBeLessThan(report.findings.length);
  for (const remedy of remedies) expect([remedy, count(plain, remedy)]).toEqual([remedy, 1]);
});
