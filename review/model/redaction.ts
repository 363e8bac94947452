import { redactor } from "../../provider/client/client.ts";
import { parseRange } from "../../provider/core/ip-address.ts";
import { memoize } from "../../provider/core/memoize.ts";
import { isRecord, isSecret, reveal, type Values } from "../../provider/core/value.ts";
import { membersOf, type Shape } from "../../provider/definition/shape.ts";
import { resources } from "../../resources/index.ts";
import { digitsOf } from "./exact-number.ts";
import type { Plan } from "./plan.ts";

/** Placeholder of values that Pulumi masks; the plan does not contain the value. */
export const masked = "[secret]";

/** Redaction of plans. */
export interface Redaction {
  /**
   * Plans with copies of sensitive texts redacted in every unmarked text, in any quoted form; marked values stay unchanged. Runs
   * before reports add their own words: redacting those would reveal a secret that equals one of them.
   */
  readonly plans: readonly Plan[];
  /** Redacts a text that quotes a plan. */
  readonly redact: (text: string) => string;
}

/** Returns the redaction of plans; computed once. */
export const redactionOf = memoize((plans: readonly Plan[]): Redaction => {
  const secrets = new Set<string>();
  collect(plans, false, secrets);
  const hidden = [...secrets].filter((text) => !isCommon(text));
  if (hidden.length === 0) return { plans, redact: (text) => text };
  const redact = remembering(redactor(hidden));
  return {
    plans: plans.map((plan) => ({ ...(redactedPart(plan, redact) as Plan), name: plan.name })),
    redact,
  };
});

export const redacted = (plans: readonly Plan[]): readonly Plan[] => redactionOf(plans).plans;

/** Returns true for a text that many objects have: a value of a closed set, or a range of addresses. Its copies are no secrets. */
const isCommon = (text: string): boolean =>
  closedValues(resources).has(text) || (text.includes("/") && parseRange(text) !== undefined);

/** Returns the values of all closed sets in these definitions; computed once. */
const closedValues = memoize(
  (all: typeof resources): ReadonlySet<string> =>
    new Set(all.flatMap(({ fields }) => [...valuesIn({ kind: "object", fields: membersOf(fields) })])),
);

function* valuesIn(shape: Shape): Generator<string> {
  if ("of" in shape) yield* valuesIn(shape.of);
  else if ("fields" in shape)
    for (const { shape: inner } of Object.values(shape.fields)) yield* valuesIn(inner);
  else for (const value of shape.values ?? []) yield String(value);
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
  "plan engine resource action order cause source root purpose level digest lineage kind".split(" "),
);

/** Properties whose names are data. */
const values: ReadonlySet<string> = new Set(["before", "after", "values"]);

/** Returns the sensitive texts and numbers in values, as texts. */
export function sensitiveIn(values: Values | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  collect(values, false, found, true);
  return found;
}

/** Adds the sensitive texts and numbers in a part of a plan to `secrets`. */
function collect(part: unknown, isMarked: boolean, secrets: Set<string>, isData = false): void {
  if (isSecret(part)) collect(reveal(part), true, secrets, true);
  else if (Array.isArray(part)) for (const item of part) collect(item, isMarked, secrets, isData);
  else if (isRecord(part))
    for (const name in part) {
      if (isData || !constants.has(name)) collect(part[name], isMarked, secrets, isData || values.has(name));
    }
  else if (isMarked && part !== masked && (typeof part === "string" || typeof part === "number"))
    secrets.add(digitsOf(part) ?? String(part));
}

/** Returns a number, or the redacted text of one that contains a sensitive value. */
function redactedNumber(value: number, redact: (text: string) => string): number | string {
  const text = String(value);
  const shown = redact(text);
  return shown === text ? value : shown;
}

/** Returns a part of a plan with redacted texts. Types of this provider are constants. */
function redactedPart(part: unknown, redact: (text: string) => string, isData = false): unknown {
  if (typeof part === "string") return redact(part);
  if (typeof part === "number" && isData) return redactedNumber(part, redact);
  if (Array.isArray(part)) return part.map((item) => redactedPart(item, redact, isData));
  if (!isRecord(part)) return part;
  const { resource } = part;
  const isConstant = (name: string) => constants.has(name) || (name === "type" && resource !== undefined);
  const copy = Object.create(Object.getPrototypeOf(part));
  for (const [name, inner] of Object.entries(part))
    if (isData) copy[redact(name)] = redactedPart(inner, redact, true);
    else copy[name] = isConstant(name) ? inner : redactedPart(inner, redact, values.has(name));
  return copy;
}
