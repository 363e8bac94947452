import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { isSecret } from "../../../provider/core/value.ts";
import { NotReviewableError, readPlan, UnreadableError } from "../../../review/read/read.ts";
import { reportOf } from "../render/outputs.ts";

/** Plans of real engines, recognized by their shape, and inputs that are not plans. */

const fixture = (name: string) => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");
const read = (name: string) => readPlan("stack", fixture(name));

test.each([
  ["terraform-1.16.0.json", "terraform", "change"],
  ["opentofu-1.12.6.json", "opentofu", "change"],
  ["terraform-drift.json", "terraform", "drift"],
  ["opentofu-drift.json", "opentofu", "drift"],
  ["pulumi.json", "pulumi", "change"],
  ["pulumi-events.jsonl", "pulumi", "change"],
  ["pulumi-refresh.json", "pulumi", "drift"],
  ["pulumi-yaml.json", "pulumi", "change"],
])("%s is a plan of %s for a %s", (name, engine, purpose) => {
  expect(read(name)).toMatchObject({ engine, purpose, gaps: [], unknownParts: [] });
});

test("an output that is named as a secret is hidden although no engine marks it", () => {
  const plan = JSON.parse(fixture("terraform-1.16.0.json"));
  const change = (after: unknown) => ({ actions: ["create"], before: null, after, after_unknown: false });
  plan.output_changes = {
    api_key: change("hunter2"),
    address: change("10.0.0.1"),
    database_password: change(null),
  };
  plan.planned_values.outputs = {
    api_key: { sensitive: false, value: "hunter2" },
    address: { value: "10.0.0.1" },
  };
  const { outputs } = readPlan("stack", JSON.stringify(plan));
  expect(JSON.stringify(outputs)).not.toContain("hunter2");
  expect(outputs.map(({ name, after, looksSecret }) => [name, isSecret(after), looksSecret])).toEqual([
    ["api_key", true, true],
    ["address", false, undefined],
    ["database_password", false, undefined],
  ]);
});

test.each([
  ["terraform-errored.json", "ended with an error"],
  ["opentofu-errored.json", "ended with an error"],
  ["terraform-targeted.json", "not complete"],
  ["opentofu-targeted.json", "omits 1 of the objects of the state"],
])("%s cannot be reviewed: it %s", (name, gap) => {
  const report = reportOf([read(name)]);
  expect(report.plans[0]?.gaps.join()).toContain(gap);
  expect(report.verdict.code).toBe(4);
  expect(report.findings.map(({ rule }) => rule)).toContain("META-03");
});

const whole = fixture("terraform-1.16.0.json");

test.each([
  ["an empty file", "", UnreadableError],
  ["a text", "Plan: 1 to add", UnreadableError],
  ["truncated JSON", whole.slice(0, whole.length / 2), UnreadableError],
  ["a truncated event log", fixture("pulumi-events.jsonl").slice(0, -40), UnreadableError],
  ["a list", "[]", NotReviewableError],
  ["another object", "{}", NotReviewableError],
  ["a state", '{"version":4,"serial":1,"lineage":"a","resources":[]}', NotReviewableError],
  ["a shown state", '{"format_version":"1.0","values":{}}', NotReviewableError],
  ["an exported stack", '{"version":3,"deployment":{}}', NotReviewableError],
  [
    "another major version",
    whole.replace(/"format_version":\s*"1\.\d+"/, '"format_version":"2.0"'),
    NotReviewableError,
  ],
] as const)("%s is refused", (_, text, error) => {
  expect(() => readPlan("stack", text)).toThrow(error);
});

test("unsupported parts are listed, and the rest is reviewed", () => {
  const json = { ...JSON.parse(whole), later_part: { a: 1 } };
  const plan = readPlan("stack", JSON.stringify(json));
  expect(plan.unknownParts).toEqual(["later_part"]);
  expect(plan.changes.length).toBe(read("terraform-1.16.0.json").changes.length);
});

test("a preview that omits unchanged objects has a warning", () => {
  const warned = ({ messages }: ReturnType<typeof read>) =>
    messages.filter(({ text }) => text.includes("--show-sames")).map(({ text }) => text);
  expect(warned(read("pulumi.json"))).toEqual([
    "The preview omits 5 unchanged objects, so the review cannot compare with them: run pulumi preview --json --show-sames.",
  ]);
  expect(warned(read("pulumi-events.jsonl"))).toEqual([]);
  expect(warned(read("pulumi-refresh.json"))).toEqual([]);
});

test("a log without its last event is an incomplete preview", () => {
  const lines = fixture("pulumi-events.jsonl").trim().split("\n");
  const plan = readPlan("stack", lines.filter((line) => !line.includes("summaryEvent")).join("\n"));
  expect(plan.gaps.join()).toContain("no summary");
});

test.each(["terraform-left-over.json", "opentofu-left-over.json"])(
  "%s shows the objects that an earlier apply left over",
  (name) => {
    const report = reportOf([read(name)]);
    const left = report.findings.filter(({ rule }) => rule === "OPS-12").map(({ kind }) => kind);
    expect(left.toSorted()).toEqual(["access-key", "ssh-key"]);
  },
);

/** Returns the outputs of a stack as texts. */
const outputsIn = (name: string) =>
  read(name).outputs.map(({ name: output, action }) => `${action} ${output}`);

test("outputs of a Pulumi stack come from the end of the event log; a preview in JSON has none", () => {
  expect(outputsIn("pulumi-options-events.jsonl")).toEqual(["delete gone", "update place"]);
  expect(outputsIn("pulumi-options.json")).toEqual([]);
});

test("a position in a package or in the engine is not the source of an object", () => {
  const sources = (name: string) => new Set(read(name).changes.map(({ source }) => source?.file));
  expect(sources("pulumi-yaml.json")).toEqual(new Set([undefined]));
  expect(sources("pulumi.json")).toEqual(new Set(["index.js"]));
});
