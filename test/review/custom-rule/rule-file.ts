import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runCustomRules } from "../../../review/custom-rule/custom-rule.ts";
import { settingsOf } from "../../../review/gate/policy.ts";
import { readPlan } from "../../../review/read/read.ts";

/** Files of custom rules, which run with the plans of the fixtures. */

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "../fixture", name), "utf8");

export const terraform = readPlan("tf", fixture("terraform-1.16.0.json"));

export const pulumi = readPlan("pulumi", fixture("pulumi.json"));

export const settings = settingsOf({});

export const run = (text: string, limit?: number, path = "rules/acme.js") =>
  runCustomRules([{ path, text }], [terraform, pulumi], settings, limit);

/** Returns the text of a rule file whose one rule has this body of `check`. */
export const rule = (body: string, other = ""): string => `import * as review from "@kcloud/iac/review";
export default { id: "ACME-01", title: "Title", severity: "high", confidence: "proven", about: "About.", remedy: "Remedy.", ${other}
  check(context) { ${body} } };`;
