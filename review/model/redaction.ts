import { redactor } from "../../provider/client/client.ts";
import { isRecord, isSecret, reveal } from "../../provider/core/value.ts";
import type { Plan } from "./plan.ts";

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
  const secrets = new Set<string>();
  collect(plans, false, secrets);
  if (secrets.size === 0) return plans;
  const redact = remembering(redactor([...secrets]));
  return plans.map((plan) => ({ ...(redactedPart(plan, redact) as Plan), name: plan.name }));
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

/** Properties of a plan and its parts that hold no text of the input, or one that is compared with other inputs. */
const constants: ReadonlySet<string> = new Set(
  "plan engine resource action order cause source root purpose level digest lineage".split(" "),
);

/** Properties whose names are data. */
const values: ReadonlySet<string> = new Set(["before", "after", "values"]);

/** Adds the sensitive texts and numbers in a part of a plan to `secrets`. */
function collect(part: unknown, isMarked: boolean, secrets: Set<string>, isData = false): void {
  if (isSecret(part)) collect(reveal(part), true, secrets, true);
  else if (Array.isArray(part)) for (const item of part) collect(item, isMarked, secrets, isData);
  else if (isRecord(part))
    for (const name in part) {
      if (isData || !constants.has(name)) collect(part[name], isMarked, secrets, isData || values.has(name));
    }
  else if (isMarked && part !== masked && (typeof part === "string" || typeof part === "number"))
    secrets.add(String(part));
}

/** Returns a part of a plan with redacted texts. Types of this provider are constants. */
function redactedPart(part: unknown, redact: (text: string) => string, isData = false): unknown {
  if (typeof part === "string") return redact(part);
  if (Array.isArray(part)) return part.map((item) => redactedPart(item, redact, isData));
  if (!isRecord(part)) return part;
  const { resource } = part;
  const isConstant = (name: string) => constants.has(name) || (name === "type" && resource !== undefined);
  const made = Object.create(Object.getPrototypeOf(part));
  for (const [name, inner] of Object.entries(part))
    if (isData) made[redact(name)] = redactedPart(inner, redact, true);
    else made[name] = isConstant(name) ? inner : redactedPart(inner, redact, values.has(name));
  return made;
}
