import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { decide } from "../../../review/gate/gate.ts";
import { settingsOf } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import { readPlan } from "../../../review/read/read.ts";
import { makeReport } from "../../../review/report/make.ts";
import { packageSchemas } from "../../../tools/schema.ts";
import { rehearsed } from "../rehearsal-of.ts";

/** Schemas of the package, and its entry for rules. */

const schemas = packageSchemas();
const schemaOf = (name: string): Schema => JSON.parse(schemas[name] ?? "null");
const text = readFileSync(join(import.meta.dirname, "../fixture/terraform-1.16.0.json"), "utf8");

interface Schema {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
}

/**
 * Returns the fields of a value that its schema does not declare, and the required fields that the value lacks. Supports only
 * the keywords that these schemas use.
 */
function unnamed(value: unknown, schema: Schema, at: string): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => unnamed(item, schema.items ?? {}, `${at}[${index}]`));
  if (typeof value !== "object" || value === null || schema.properties === undefined) return [];
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name) => `${at}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, part]) => {
      const inner = schema.properties?.[name];
      return inner === undefined ? [`${at}.${name}`] : unnamed(part, inner, `${at}.${name}`);
    }),
  ];
}

test("the schema of the report declares every field of a report, and requires no other field", () => {
  const plans = [readPlan("net", text)];
  const rehearsals = plans.map((plan) =>
    rehearsed(plan, { unconfined: "x", drill: { seed: 1, runs: [{ request: "r", fault: "f" }] } }),
  );
  const draft = makeReport(plans, { results: runRules(plans, settingsOf({}), { rehearsals }) });
  const report = decide(draft, { policy: {}, profile: {}, failOn: "high", today: "2027-01-01" });
  const plain = JSON.parse(JSON.stringify(report));
  expect(unnamed(plain, schemaOf("review-report.json"), "report")).toEqual([]);
  expect(
    unnamed({ ...plain, more: 1, plans: [{}] }, schemaOf("review-report.json"), "report").length,
  ).toBeGreaterThan(3);
});

test("the schema of the policy allows no other fields", () => {
  const { properties, additionalProperties } = schemaOf("review-policy.json");
  expect(additionalProperties).toBe(false);
  expect(Object.keys(properties ?? {})).toEqual(["$schema", "profiles", "waivers"]);
  expect(properties?.waivers?.items?.required).toEqual(["rule", "address", "owner", "reason", "until"]);
});
