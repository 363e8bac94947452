import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import type { Report } from "../../../review/report/report.ts";
import { changeOf, planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "./outputs.ts";

const read = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

const reportIn = (name: string, text = read(name)): Report => reportOf([readPlan(name, text)]);

test("with several plans, text and Markdown have the plan of each finding and change", () => {
  const text = read("terraform-left-over.json");
  const report = reportOf([readPlan("app", text), readPlan("net", text)]);
  const outputs = outputsOf(report);
  for (const format of ["text", "Markdown for github"])
    for (const { plan, address = "" } of [...report.findings, ...report.changes])
      expect(outputs[format]?.replaceAll(/\s+/g, " ")).toContain(`${plan}: ${address}`);
  for (const { plan, address } of report.changes) expect(outputs.html).toContain(`>${plan}: ${address}</a>`);
  expect(outputsOf(reportIn("terraform-left-over.json")).text).not.toContain(
    "terraform-left-over.json: kcloud",
  );
});

test("Markdown and the page show names without a second escape", () => {
  const name = 'a "b" \\c \u200b';
  const volume = { vpcId: "vpc-1", name, sizeGb: 1, volumeType: "ssd" };
  const report = reportOf([
    planOf([changeOf("volume", volume, undefined, { address: "kcloud_volume.one" })]),
  ]);
  const outputs = outputsOf(report);
  const shown = 'a "b" \\c \\u{200b}';
  expect(outputs["Markdown for github"]?.match(/`[^`]*`/g)).toEqual(expect.arrayContaining([`\`${shown}\``]));
  const [html = ""] = outputs.html?.split("<script") ?? [];
  const texts = html.replaceAll("&quot;", '"').replaceAll(/<[^>]*>/g, "|");
  expect(texts).toContain(`Volume "${shown}" is deleted.`);
  expect(texts).toContain(`|${shown}|`);
  for (const text of [outputs["Markdown for github"], texts]) expect(text).not.toMatch(/\\\\|\\"/);
});

test("messages that an output does not show are counted", () => {
  const messages = (["info", "info", "warning"] as const).map((level, at) => ({
    level,
    text: `message ${at}`,
  }));
  const outputs = outputsOf(
    reportOf([planOf([], { messages, unknownParts: ["later.part"], gaps: ["one gap", "another gap"] })]),
  );
  for (const format of ["text", "Markdown for bitbucket", "html"]) {
    expect(outputs[format]).toContain("2 more of level info");
    for (const part of ["later.part", "one gap", "another gap"]) expect(outputs[format]).toContain(part);
  }
  const long = outputsOf(reportOf([planOf([], { messages: [{ level: "error", text: "x".repeat(3_000) }] })]));
  expect(long.json).toContain("x… (3000 characters)");
});
