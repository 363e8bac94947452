import { verbInputs } from "./check.ts";
import type { Field, Fields, Resource, Verdict } from "./define.ts";
import type { Held, Problem } from "./errors.ts";
import { at, equal, isRecord, type Path, reveal, UNKNOWN, type Value, type Values } from "./value.ts";

/** One field that a plan changes. */
export interface FieldChange {
  readonly path: Path;
  readonly before: Value;
  readonly after: Value;
  readonly verdict: "update" | "replace";
  /** What the replacement loses and how to avoid it. */
  readonly reason?: string;
  /** Only written down: the cloud never said what stands there, so there is nothing to send. */
  readonly recordOnly?: true;
}

export interface Plan {
  readonly action: "none" | "create" | "update" | "replace";
  /** Every field of the object as it will be; UNKNOWN where the cloud will tell. */
  readonly values: Values;
  readonly changes: readonly FieldChange[];
  /** Changes that no one can make, each with its path. */
  readonly problems: readonly Problem[];
}

/** What a field takes where nobody set it: the provider's region, so far. */
export type Standins = { readonly [name: string]: Value | undefined };

/** Compares what is with what is wanted. Sends nothing; the same arguments give the same plan. */
export function plan(resource: Resource, prior: Held | undefined, inputs: Values, standins: Standins): Plan {
  if (prior === undefined) {
    const values = planned(resource.fields, undefined, inputs, standins);
    return { action: "create", values, changes: [], problems: [] };
  }
  const changes: FieldChange[] = [];
  const problems: Problem[] = [];
  compare(resource, resource.fields, prior, inputs, [], changes, problems);
  const replaced = changes.some(({ verdict }) => verdict === "replace");
  const values = planned(resource.fields, prior.values, inputs, standins);
  if (changes.length > 0 && !replaced) move(resource.fields, values);
  return { action: replaced ? "replace" : changes.length > 0 ? "update" : "none", values, changes, problems };
}

/** Marks unknown what may move with any change. */
function move(fields: Fields, values: Values) {
  for (const [name, field] of Object.entries(fields))
    if (field.kind === "computed" && field.options.moves) values[name] = UNKNOWN;
}

/** The values an object will have. What means the same keeps the spelling it has. */
function planned(fields: Fields, prior: Values | undefined, inputs: Values, standins: Standins): Values {
  const values: Values = Object.create(null);
  for (const [name, field] of Object.entries(fields))
    values[name] = plannedValue(
      field,
      prior?.[name] ?? null,
      prior === undefined,
      inputs[name] ?? null,
      standins[name],
    );
  return values;
}

function plannedValue(
  field: Field,
  prior: Value,
  fresh: boolean,
  input: Value,
  standin: Value | undefined,
): Value {
  if (field.kind === "computed") return fresh ? UNKNOWN : prior;
  if (field.kind === "group") {
    if (!isRecord(input)) return input;
    return planned(field.fields, isRecord(prior) ? prior : undefined, input, {});
  }
  if (input === null) return field.options.computed ? (fresh ? (standin ?? UNKNOWN) : prior) : null;
  return !fresh && sameValue(field, prior, input) ? prior : input;
}

/** What APIs write for "none", each as it likes. */
const isNone = (value: Value): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/** Equal, or equal in meaning: what an engine compares by path and what a user would call no change. */
export function sameValue(field: Field, a: Value, b: Value): boolean {
  const left = reveal(a);
  const right = reveal(b);
  if (equal(left, right)) return true;
  if (isNone(left) && isNone(right)) return true;
  if (field.kind !== "field" || left === null || right === null || left === UNKNOWN || right === UNKNOWN)
    return false;
  if (field.options.unordered && Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item) => right.some((other) => equal(item, other)));
  return field.options.same?.(left as never, right as never) ?? false;
}

function compare(
  resource: Resource,
  fields: Fields,
  prior: Held,
  inputs: Values,
  path: Path,
  changes: FieldChange[],
  problems: Problem[],
) {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === "computed") continue;
    const here = [...path, name];
    const before = at(prior.values, here) ?? null;
    const after = inputs[name] ?? null;
    if (field.kind === "group") {
      if (isRecord(before) && isRecord(after))
        compare(resource, field.fields, prior, after, here, changes, problems);
      else if (before !== null || after !== null)
        change(
          resource,
          field,
          field.options.change ?? "replace",
          prior,
          here,
          before,
          after,
          changes,
          problems,
        );
      continue;
    }
    if (after === null && field.options.computed) continue;
    if (sameValue(field, before, after)) continue;
    change(resource, field, verdictOf(field, before, after), prior, here, before, after, changes, problems);
  }
}

function change(
  resource: Resource,
  field: Exclude<Field, { kind: "computed" }>,
  verdict: Verdict,
  prior: Held,
  path: Path,
  before: Value,
  after: Value,
  changes: FieldChange[],
  problems: Problem[],
) {
  if (typeof verdict === "object") {
    problems.push({ path, problem: verdict.refuse });
    return;
  }
  if (before === null && prior.unread.includes(path.join("."))) {
    changes.push({ path, before, after, verdict: "update", recordOnly: true });
    return;
  }
  const cost = resource.verbs.update === undefined ? "replace" : verdict;
  const { replaceReason } = field.options;
  changes.push({
    path,
    before,
    after,
    verdict: cost,
    ...(cost === "replace" && replaceReason !== undefined ? { reason: replaceReason } : {}),
  });
}

/** A field that decides by its values is asked once both are known; until then the cheaper verdict stands. */
function verdictOf(field: Extract<Field, { kind: "field" }>, before: Value, after: Value): Verdict {
  const { change = "replace" } = field.options;
  if (typeof change !== "function") return change;
  if (before === null || after === null || after === UNKNOWN) return "update";
  const { b, a } = verbInputs({ b: before, a: after }) as { b: never; a: never };
  return change(b, a);
}
