import * as z from "zod";
import { type RuleSettings, severities } from "../rule/rule.ts";

/** Policy of a repository: the file `kcloud-review.json` in the policy folder, which may hold custom rules too. */

export const policyFile = "kcloud-review.json";

const day = z.iso.date("must be a date such as 2027-01-31");

const failOn = z.enum([...severities, "none"]);

const profile = z.strictObject({
  /** Severity from which a finding closes the gate; "none" for never. */
  failOn: failOn.optional(),
  requiredTags: z.array(z.string()).optional(),
  manyDeletes: z.int().min(0).optional(),
  manyDeletesShare: z.number().min(0).max(1).optional(),
  /** Other severities of rules by id; "off" switches a rule off. */
  severity: z.record(z.string(), z.enum([...severities, "off"])).optional(),
});

const waiver = z.strictObject({
  rule: z.string(),
  /** Address that it is for; `*` matches any characters. */
  address: z.string(),
  /** Name of the input that it is for; without one, of every input. */
  plan: z.string().optional(),
  owner: z.string().min(1),
  reason: z.string().min(1),
  /** Last day on which it counts. */
  until: day,
});

export const policySchema = z.strictObject({
  $schema: z.string().optional(),
  profiles: z.record(z.string(), profile).optional(),
  waivers: z.array(waiver).optional(),
});

export type Policy = z.infer<typeof policySchema>;
export type Profile = z.infer<typeof profile>;
export type Waiver = z.infer<typeof waiver>;
export type FailOn = z.infer<typeof failOn>;

/** Name of the profile that counts without `--profile`. */
export const defaultProfile = "default";

/** Settings of rules without a policy. */
const defaults: RuleSettings = { requiredTags: [], manyDeletes: 10, manyDeletesShare: 0.3 };

/** Returns the settings of rules in a profile. */
export const settingsOf = ({ requiredTags, manyDeletes, manyDeletesShare }: Profile): RuleSettings => ({
  requiredTags: requiredTags ?? defaults.requiredTags,
  manyDeletes: manyDeletes ?? defaults.manyDeletes,
  manyDeletesShare: manyDeletesShare ?? defaults.manyDeletesShare,
});

/** An unreadable policy: no JSON, a wrong field, an unknown profile. The command ends with 1. */
export class PolicyError extends Error {}

/** Parses a policy. Throws `PolicyError` with the path of each problem. */
export function parsePolicy(text: string, file: string): Policy {
  const parsed = policySchema.safeParse(jsonIn(text, file));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join(".") || "the file"}: ${message}`,
  );
  throw new PolicyError(`${file}: ${problems.join("; ")}`);
}

function jsonIn(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The message of the parser quotes the text, which need not be that of a policy.
    throw new PolicyError(`${file} is no JSON`);
  }
}

/** Returns the profile of this name. Throws `PolicyError` for an unknown one. */
export function profileOf({ profiles = {} }: Policy, name: string | undefined): Profile {
  const wanted = name ?? defaultProfile;
  if (Object.hasOwn(profiles, wanted)) return profiles[wanted] as Profile;
  if (name === undefined) return {};
  const known = Object.keys(profiles).toSorted().join(", ");
  throw new PolicyError(
    `there is no profile ${JSON.stringify(name)}${known === "" ? "" : `; there are ${known}`}`,
  );
}

/** Returns true if a waiver is for a finding at this address of this plan. */
export const waives = (waiver: Waiver, rule: string, plan: string, address: string): boolean =>
  waiver.rule === rule &&
  (waiver.plan === undefined || waiver.plan === plan) &&
  matches(waiver.address, address);

/** Returns true if a text matches a pattern in which `*` means any characters. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join("[^]*")}$`).test(text);
}
