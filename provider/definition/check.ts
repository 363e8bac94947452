import { dotted, type Problem } from "../core/error.ts";
import { idProblem } from "../core/krn.ts";
import { entriesOf } from "../core/memoize.ts";
import { nearest } from "../core/string.ts";
import {
  at,
  emptyRecord,
  hasUnknown,
  isRecord,
  isSecret,
  type Path,
  reveal,
  secret,
  UNKNOWN,
  type Value,
  type Values,
} from "../core/value.ts";
import { wording } from "../core/wording.ts";
import { calculate, calculations } from "./calculated.ts";
import { sameValue } from "./equality.ts";
import type { Field, Fields } from "./field.ts";
import type { Rule } from "./resource.ts";
import { memberOf, valueSchema } from "./shape.ts";
import { verbInputs } from "./verb-inputs.ts";

/** Inputs after the check, with all problems found. */
export interface Checked {
  /** Inputs with defaults and without null. Unknown and secret values are kept. */
  readonly inputs: Values;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Definition that inputs are checked against: of a resource, a lookup or the provider's settings. */
export interface Checkable {
  readonly fields: Fields;
  readonly rules?: readonly Rule<Fields>[];
}

/**
 * Checks the inputs of a user; sends no request. Unknown values are accepted. No message contains an input that may be
 * secret.
 */
export function check(definition: Checkable, written: Values): Checked {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const inputs = checkFields(definition.fields, written, [], { problems, warnings });
  for (const calculation of calculations(definition.fields))
    calculate(definition.fields, calculation, inputs, problems);
  for (const rule of definition.rules ?? []) {
    if (rule.needs.some((name) => hasUnknown(inputs[name]) || problems.some(({ path }) => path[0] === name)))
      continue;
    const found = rule.check(verbInputs(inputs), (name) => (written[name] ?? null) !== null);
    if (found !== undefined) problems.push(found);
  }
  return { inputs, problems, warnings };
}

/** Problems and warnings so far. */
interface Found {
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

function checkFields(fields: Fields, written: Values, path: Path, found: Found): Values {
  const inputs = emptyRecord();
  for (const name of Object.keys(written)) {
    if (Object.hasOwn(fields, name) || written[name] === null) continue;
    const known = nearest(name, Object.keys(fields));
    found.problems.push({
      title: wording`Unknown attribute ${dotted([...path, name])}`,
      path: [...path, name],
      problem: `is not a known attribute${known ? `; did you mean ${known}?` : ""}`,
    });
  }
  for (const { name, value: field } of entriesOf(fields)) {
    const configured = written[name] ?? null;
    if (configured === null && field.kind === "computed") continue;
    const value = checkField(field, configured, [...path, name], found);
    if (value !== null) inputs[name] = value;
  }
  return inputs;
}

/** Returns the first two entries of an unordered list that are equal; undefined if there are none. */
function repeatedEntry(field: Field, list: readonly Value[]): readonly [Value, Value] | undefined {
  for (const [index, item] of list.entries()) {
    const first = list.slice(0, index).find((other) => sameValue(field, [item], [other]));
    if (first !== undefined) return [first, item];
  }
  return undefined;
}

function checkField(field: Field, written: Value, path: Path, found: Found): Value {
  if (field.kind === "computed") {
    if (written !== null)
      found.problems.push({
        title: wording`Read-only attribute ${dotted(path)}`,
        path,
        problem: "is set by the API and cannot be configured",
      });
    return null;
  }
  const member = memberOf(field);
  const value = written ?? (member.default as Value | undefined) ?? null;
  if (value === null) {
    if (member.required)
      found.problems.push({
        title: wording`Missing value for ${dotted(path)}`,
        path,
        problem: "is required",
      });
    return null;
  }
  if (field.kind === "group") {
    const shown = isSecret(value) ? reveal(value) : value;
    if (shown === UNKNOWN) return value;
    if (isRecord(shown)) {
      // Warnings contain values, so those of a secret group are dropped.
      const checked = checkFields(
        field.fields,
        shown,
        path,
        isSecret(value) ? { ...found, warnings: [] } : found,
      );
      return isSecret(value) ? secret(checked) : checked;
    }
    found.problems.push({ path, problem: "must be an object" });
    return value;
  }
  const shown = reveal(value);
  if (!hasUnknown(value)) checkValue(field, { value: shown, hidden: shown !== value }, path, found);
  return value;
}

function checkValue(
  field: Extract<Field, { kind: "field" }>,
  { value, hidden }: { readonly value: Value; readonly hidden: boolean },
  path: Path,
  { problems, warnings }: Found,
) {
  const parsed = valueSchema(field).safeParse(value);
  if (!parsed.success) {
    // One problem per path: after a wrong type, further issues at the same path mean nothing.
    const reported = new Set<string>();
    for (const issue of parsed.error.issues) {
      const place = issue.path.join("\n");
      if (!reported.has(place))
        problems.push({
          path: [...path, ...(issue.path as Path)],
          problem: `${issueText(issue as Issue)}${hidden || field.options.secret ? "" : guess(issue as Issue, value)}`,
        });
      reported.add(place);
    }
    return;
  }
  const { references, known, doubt, unordered, secret: declared } = field.options;
  if (unordered && Array.isArray(value)) {
    const repeated = repeatedEntry(field, value);
    // By their values: the entries of a set have no order.
    const [first, again] = hidden || declared ? [] : (repeated ?? []).map((entry) => JSON.stringify(entry));
    const entry = first ?? "an entry";
    if (repeated !== undefined)
      problems.push({
        path,
        problem:
          first === again
            ? `has ${entry} more than once: remove one of them`
            : `has ${entry} and ${again}, which mean the same: remove one of them`,
      });
  }
  if (known !== undefined && !declared && !hidden) warnings.push(...unknownValues(field, value, known, path));
  if (typeof value !== "string") return;
  const doubtful = declared || hidden ? undefined : doubt?.(value);
  if (doubtful !== undefined) warnings.push({ path, problem: doubtful });
  const wrong = references === undefined ? undefined : idProblem(value, references);
  if (wrong !== undefined) problems.push({ path, problem: wrong });
}

/** Returns a warning for each text, or entry of a list, that is not one of the known values. */
function unknownValues(
  field: Extract<Field, { kind: "field" }>,
  value: Value,
  known: readonly string[],
  path: Path,
): Problem[] {
  if (Array.isArray(value))
    return value.flatMap((each, index) => unknownValues(field, each, known, [...path, index]));
  if (typeof value !== "string" || known.includes(value)) return [];
  if (known.some((each) => sameValue(field, each, value))) return [];
  const close = nearest(value, known);
  const hint = close === undefined ? `known values: ${known.join(", ")}` : `did you mean ${close}?`;
  return [{ path, problem: `"${value}" is not a known value; ${hint}` }];
}

type Issue = {
  code: string;
  path: PropertyKey[];
  message?: string;
  expected?: string;
  origin?: string;
  minimum?: number;
  maximum?: number;
  values?: unknown[];
};

const nouns: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  record: "a map",
  object: "an object",
};

/** Message for each kind of issue: messages of a library are never shown. */
const issueTexts: Record<string, (issue: Issue) => string> = {
  invalid_type: ({ expected = "" }) => `must be ${nouns[expected] ?? expected}`,
  too_small: ({ origin = "", minimum }) =>
    origin === "string"
      ? minimum === 1
        ? "must not be empty"
        : `must have at least ${minimum} characters`
      : origin === "array"
        ? `must have at least ${minimum} entries`
        : `must be at least ${minimum}`,
  too_big: ({ origin = "", maximum }) =>
    origin === "string"
      ? `must have at most ${maximum} characters`
      : origin === "array"
        ? `must have at most ${maximum} entries`
        : `must be at most ${maximum}`,
  invalid_value: ({ values = [] }) => `must be ${values.map((value) => JSON.stringify(value)).join(" or ")}`,
  custom: ({ message = "" }) => message,
};

const issueText = (issue: Issue): string => issueTexts[issue.code]?.(issue) ?? "has an unsupported format";

/** Returns the allowed value closest to a mistyped one, as the end of a message; empty if none is close. */
function guess({ code, path, values = [] }: Issue, value: Value): string {
  const input = at(value, path as Path);
  const known = values.filter((each) => typeof each === "string");
  const close = code === "invalid_value" && typeof input === "string" ? nearest(input, known) : undefined;
  return close === undefined ? "" : `; did you mean ${JSON.stringify(close)}?`;
}
