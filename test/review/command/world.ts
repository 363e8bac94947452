import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe } from "@jest/globals";
import type { Report } from "../../../review/report/report.ts";
import { type Ran, runBuilt, runSources } from "./run.ts";

export const fixtures = join(import.meta.dirname, "../fixture");
export const plan = join(fixtures, "terraform-1.16.0.json");
export const preview = join(fixtures, "pulumi.json");
export const text = readFileSync(plan, "utf8");

/** Text of a file with a custom rule. */
export const acme = `export default { id: "ACME-01", title: "T", severity: "low", confidence: "proven", about: "A.", remedy: "R.",
  check: ({ plans }) => [{ plan: plans[0].name, text: "x" }] };`;

/** Change of an object in a plan. */
export interface Row {
  readonly address: string;
  readonly change: { readonly actions: readonly string[]; readonly before: unknown; readonly after: unknown };
}

export let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kcloud-review-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Day within the maximum time of a waiver. */
export const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);

export const at = (name: string): string => join(folder, name);

export function file(name: string, content: string | object): string {
  writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  return at(name);
}

/** Returns the plan with other values at its top level. */
export const planWith = (values: object): string => file("other.json", { ...JSON.parse(text), ...values });

export const report = (name = "report.json"): Report => JSON.parse(readFileSync(at(name), "utf8"));

export function policy(content: object, rules: Readonly<Record<string, string>> = {}): string {
  mkdirSync(at("policy/rules"), { recursive: true });
  file("policy/kcloud-review.json", content);
  for (const [name, rule] of Object.entries(rules)) file(`policy/rules/${name}`, rule);
  return at("policy");
}

type Review = (...args: string[]) => Promise<Ran & { readonly report: Report | undefined }>;

/** Tests the command from the sources and as built. `review` writes a JSON report to a file, and returns it too. */
export const describeReview = describe.each(
  (
    [
      ["from the sources", runSources],
      ["as built", runBuilt],
    ] as const
  ).map(
    ([how, run]) =>
      [
        `the command ${how}`,
        run,
        (async (...args) => {
          const ran = await run([...args, "--out", `json:${at("report.json")}`]);
          return { ...ran, report: existsSync(at("report.json")) ? report() : undefined };
        }) satisfies Review,
      ] as const,
  ),
);
