import * as z from "zod";
import { type RuleSettings, severities } from "../rule/rule.ts";

/** Policy of a repository: the file `kcloud-review.json` of the policy folder, which may also contain custom rules. */

export const policyFile = "kcloud-review.json";

const day = z.iso.date("must be a date such as 2027-01-31");

const failOn = z.enum([...severities, "none"]);

const profile = z.strictObject({
  /** Lowest severity that blocks; "none" never blocks. */
  failOn: failOn.optional(),
  /** If true, findings about changes outside the engine block plans that do not touch the object, too. */
  failOnDrift: z.boolean().optional(),
  requiredTags: z.array(z.string()).optional(),
  manyDeletes: z.int().min(0).optional(),
  manyDeletesShare: z.number().min(0).max(1).optional(),
  /** If true, a plan with changes blocks without a rehearsal that reaches the end. */
  requireRehearsal: z.boolean().optional(),
  /** Sources of providers that may serve the types of this package, in addition to its own. */
  providers: z.array(z.string()).optional(),
  /** Severities that replace those of the rules, by id; "off" disables a rule. */
  severity: z.record(z.string(), z.enum([...severities, "off"])).optional(),
});

const waiver = z.strictObject({
  rule: z.string(),
  /** Address of the findings; `*` matches any characters. */
  address: z
    .string()
    .refine((text) => /[\p{L}\p{N}]/u.test(text), "must name objects: * alone would switch the rule off"),
  /** Digest of the waived finding, from a report: the waiver then applies to this content of this object only. */
  content: z.string().optional(),
  /** Identifier of the object of the waived finding, from a report. */
  id: z.string().optional(),
  /** Name of the input. Default: every input. */
  plan: z.string().optional(),
  owner: z.string().min(1),
  reason: z.string().min(1),
  /** Last day on which the waiver applies, in UTC. */
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

/** Name of the profile that applies without `--profile`. */
export const defaultProfile = "default";

/** Settings of rules without a policy. */
const defaults: RuleSettings = {
  requiredTags: [],
  manyDeletes: 10,
  manyDeletesShare: 0.3,
  providers: [],
  requireRehearsal: false,
};

/** Returns the settings of rules in a profile. */
export const settingsOf = (profile: Profile): RuleSettings => ({
  requiredTags: profile.requiredTags ?? defaults.requiredTags,
  manyDeletes: profile.manyDeletes ?? defaults.manyDeletes,
  manyDeletesShare: profile.manyDeletesShare ?? defaults.manyDeletesShare,
  providers: profile.providers ?? defaults.providers,
  requireRehearsal: profile.requireRehearsal ?? defaults.requireRehearsal,
});

/** Error for an invalid policy: not JSON, an invalid field, an unknown profile. Exit code 1. */
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
    // Omits the message of the parser: it quotes the text, which may come from any file.
    throw new PolicyError(`${file} is not JSON`);
  }
}

/** Returns an own entry of a record; ignores inherited names such as `constructor`. */
export const ownEntry = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Returns the profile of this name. Throws `PolicyError` for an unknown one. */
export function profileOf({ profiles = {} }: Policy, name: string | undefined): Profile {
  const found = ownEntry(profiles, name ?? defaultProfile);
  if (found !== undefined || name === undefined) return found ?? {};
  const known = Object.keys(profiles).toSorted().join(", ");
  throw new PolicyError(
    `unknown profile ${JSON.stringify(name)}${known === "" ? "" : `; the profiles are ${known}`}`,
  );
}

/** Finding as far as waivers compare it. */
interface Waived {
  readonly rule: string;
  readonly plan: string;
  readonly address?: string | undefined;
  readonly id?: string | undefined;
  readonly content?: string | undefined;
  readonly isMoved?: true | undefined;
}

/**
 * Returns true if a waiver applies to a finding, whose object has this address in the plan. A waiver with the content of a
 * finding applies to that content only. One without it does not apply to an object that the plan moves: its author chose the
 * new address.
 */
export function waives(waiver: Waiver, finding: Waived, address: string): boolean {
  if (waiver.rule !== finding.rule || (waiver.plan ?? finding.plan) !== finding.plan) return false;
  return waiver.content === undefined
    ? !finding.isMoved && matches(waiver.address, address)
    : waiver.content === finding.content && waiver.address === finding.address && waiver.id === finding.id;
}

/** Throws `PolicyError` for a waiver that ends more than a year from today. */
export function checkWaivers({ waivers = [] }: Policy, today: string): void {
  const last = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  const late = waivers.find(({ until }) => until > last);
  if (late !== undefined)
    throw new PolicyError(
      `the waiver of ${late.rule} for ${JSON.stringify(late.address)} ends on ${late.until}, more than a year from today: choose a day up to ${last}`,
    );
}

/** Returns true if a text matches a pattern in which `*` means any characters. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join("[^]*")}$`).test(text);
}
