import { redactor } from "../../provider/client/client.ts";
import {
  emptyRecord,
  isRecord,
  isSecret,
  type Path,
  reveal,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import type { Change } from "./change.ts";
import type { Plan } from "./plan.ts";

/** Minimum length of a redacted secret in characters; a shorter text also occurs by chance. */
const shortestSecret = 6;

/** Placeholder of values that Pulumi masks; the plan does not contain the value. */
export const masked = "[secret]";

/**
 * Returns the plans with copies of sensitive texts redacted in every unmarked text, in any quoted form; marked values stay
 * unchanged. Runs before rules and reports add their own words: redacting those would reveal a secret that equals one of them.
 * Computed once.
 */
export function redacted(plans: readonly Plan[]): readonly Plan[] {
  const found = known.get(plans) ?? withoutCopies(plans);
  known.set(plans, found);
  return found;
}

const known = new WeakMap<readonly Plan[], readonly Plan[]>();

function withoutCopies(plans: readonly Plan[]): readonly Plan[] {
  const secrets = secretsIn(plans);
  if (secrets.length === 0) return plans;
  const redact = redactor(secrets.filter((secret) => secret.length >= shortestSecret));
  const words = wordsOf(secrets.filter((secret) => secret.length < shortestSecret));
  return plans.map((plan) => {
    const made = redactedPlan(plan, remembering(redact));
    if (words === undefined) return made;
    const messages = made.messages.map(({ level, text }) => ({ level, text: text.replace(words, "***") }));
    return { ...made, messages };
  });
}

/** Returns an expression that matches short secrets as whole words, which messages of the engine may quote. */
function wordsOf(secrets: readonly string[]): RegExp | undefined {
  const words = secrets.filter((secret) => /[\p{L}\p{N}]/u.test(secret)).map(escaped);
  return words.length === 0
    ? undefined
    : new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
}

/** Returns a function that caches the result of each text, because plans repeat ids and addresses. */
function remembering(redact: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text) ?? redact(text);
    known.set(text, found);
    return found;
  };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

function secretsIn(plans: readonly Plan[]): string[] {
  const secrets = new Set<string>();
  const collect = (value: Value, isMarked: boolean) => {
    if (isSecret(value)) collect(reveal(value), true);
    else if (typeof value === "string" || typeof value === "number") {
      if (isMarked && value !== masked) secrets.add(String(value));
    } else if (Array.isArray(value)) for (const item of value) collect(item, isMarked);
    else if (isRecord(value))
      for (const name in value) {
        const part = value[name] ?? null;
        // Most values are neither marked nor an object.
        if (isMarked || typeof part === "object") collect(part, isMarked);
      }
  };
  for (const { changes, drift, outputs, invocations } of plans) {
    for (const { values } of invocations) collect(values ?? null, false);
    for (const { before, after } of [...changes, ...drift]) {
      collect(before ?? null, false);
      collect(after ?? null, false);
    }
    for (const { before, after } of outputs) {
      collect(before, false);
      collect(after, false);
    }
  }
  return [...secrets];
}

type Redact = (text: string) => string;

const redactedPlan = (plan: Plan, redact: Redact): Plan => ({
  ...plan,
  ...(plan.engineVersion === undefined ? {} : { engineVersion: redact(plan.engineVersion) }),
  changes: plan.changes.map((change) => redactedChange(change, redact)),
  drift: plan.drift.map((change) => redactedChange(change, redact)),
  outputs: plan.outputs.map((output) => ({
    ...output,
    name: redact(output.name),
    before: redactedValue(output.before, redact),
    after: redactedValue(output.after, redact),
  })),
  invocations: plan.invocations.map(({ triggeredBy, ...invocation }) => ({
    ...invocation,
    address: redact(invocation.address),
    type: redact(invocation.type),
    ...(triggeredBy === undefined ? {} : { triggeredBy: redact(triggeredBy) }),
  })),
  messages: plan.messages.map(({ level, text }) => ({ level, text: redact(text) })),
  gaps: plan.gaps.map(redact),
  unknownParts: plan.unknownParts.map(redact),
  prior: {
    ...plan.prior,
    ...(plan.prior.plannedAt === undefined ? {} : { plannedAt: redact(plan.prior.plannedAt) }),
  },
});

function redactedChange(change: Change, redact: Redact): Change {
  const { previousAddress, importedId, before, after, changedPaths, unmarkedSecrets } = change;
  const paths = (all: readonly Path[]): Path[] =>
    all.map((path) => path.map((step) => (typeof step === "string" ? redact(step) : step)));
  return {
    ...change,
    address: redact(change.address),
    // Types of this provider are constants, not data.
    type: change.resource === undefined ? redact(change.type) : change.type,
    name: change.name === undefined ? undefined : redact(change.name),
    id: change.id === undefined ? undefined : redact(change.id),
    before: before && (redactedValue(before, redact) as Values),
    after: after && (redactedValue(after, redact) as Values),
    forcedBy: paths(change.forcedBy),
    ...(changedPaths === undefined ? {} : { changedPaths: paths(changedPaths) }),
    ...(unmarkedSecrets === undefined ? {} : { unmarkedSecrets: paths(unmarkedSecrets) }),
    ...(previousAddress === undefined ? {} : { previousAddress: redact(previousAddress) }),
    ...(importedId === undefined ? {} : { importedId: redact(importedId) }),
    dependsOn: change.dependsOn.map(redact),
    parents: change.parents.map(redact),
  };
}

function redactedValue(value: Value, redact: Redact): Value {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactedValue(item, redact));
  if (!isRecord(value)) return value;
  const values = emptyRecord();
  for (const [name, part] of Object.entries(value)) values[redact(name)] = redactedValue(part, redact);
  return values;
}
