import { isMasked } from "../../core/krn.ts";
import { entriesOf } from "../../core/memoize.ts";
import { emptyRecord, isRecord, type Path, type Value, type Values } from "../../core/value.ts";
import { sameValue } from "../../definition/equality.ts";
import { type Field, type Fields, isLocal, isSetByApi } from "../../definition/field.ts";
import { memberOf } from "../../definition/shape.ts";
import { isAlwaysShown } from "./compare.ts";

/**
 * Returns the state after a read: the values of the API, in the spelling of `recorded` if both mean the same. A field that
 * the API never returns keeps its value from `recorded`, or gets its default if `assumed` is "defaults". A field that every
 * complete response shows keeps its value if this response lacks it.
 */
export function mergeState(
  fields: Fields,
  observed: Values,
  recorded: Values,
  assumed: "defaults" | "nothing" = "nothing",
): Values {
  const values = emptyRecord();
  for (const { name, value: field } of entriesOf(fields)) {
    const shown = observed[name] ?? null;
    const stored = recorded[name] ?? null;
    if (field.kind === "group") values[name] = mergeGroup(field, shown, stored, assumed);
    else if (field.kind === "computed" && (field.options.once || masksStored(stored, shown)))
      values[name] = stored;
    else if (field.kind === "field" && field.options.unreadable)
      values[name] = stored ?? (assumed === "defaults" ? assumption(field, observed) : null);
    else if (field.kind === "field" && sameValue(field, stored, shown))
      values[name] = stored ?? (assumed === "defaults" ? defaultOf(field) : null);
    else values[name] = shown === null && isAlwaysShown(field) ? stored : shown;
  }
  return values;
}

/** Returns true if a response masks a recorded value. */
const masksStored = (recorded: Value, shown: Value): boolean =>
  recorded !== null && typeof shown === "string" && isMasked(shown);

/** Returns the state of a group. If no member is set, returns null or an empty group, as in `recorded`. */
function mergeGroup(
  field: Extract<Field, { kind: "group" }>,
  shown: Value,
  recorded: Value,
  assumed: "defaults" | "nothing",
): Value {
  const same = sameValue(field, recorded, shown);
  if (same && !isRecord(recorded)) return null;
  if (!same && !isRecord(shown)) return isAlwaysShown(field) || field.options.unreadable ? recorded : null;
  return mergeState(field.fields, isRecord(shown) ? shown : {}, isRecord(recorded) ? recorded : {}, assumed);
}

/** Returns the assumed value of a field that has no configured value and that the API does not show. */
const assumption = (field: Extract<Field, { kind: "field" }>, observed: Values): Value =>
  field.options.importFallback?.(observed) ?? defaultOf(field);

const defaultOf = (field: Field): Value => (memberOf(field).default as Value | undefined) ?? null;

/** Returns the dotted paths of unreadable fields whose real value is unknown: those without a value in `prior`. */
export function unreadPaths(fields: Fields, values: Values, prior: Values, path: Path = []): string[] {
  return entriesOf(fields).flatMap(({ name, value: field }) => {
    if (field.kind === "computed") return [];
    const value = values[name] ?? null;
    const recorded = prior[name] ?? null;
    const here = [...path, name];
    if (field.kind === "group" && isRecord(value))
      return unreadPaths(field.fields, value, isRecord(recorded) ? recorded : {}, here);
    const isExact = field.kind === "field" && field.options.importIsExact === true;
    const unread = field.options.unreadable === true && !isLocal(field) && !isExact;
    return unread && recorded === null ? [here.join(".")] : [];
  });
}

/**
 * Returns the state after a create or an update. A field that the plan left null stays null, since engines reject another
 * value; if the API shows one, the next read reports it.
 */
export const conformToPlan = (fields: Fields, observed: Values, inputs: Values): Values =>
  withInputNulls(fields, mergeState(fields, observed, inputs), inputs);

/** Returns the values of a response with the inputs in place of what the API shows of the same fields. */
export function asPlanned(fields: Fields, observed: Values, inputs: Values): Values {
  const values = { ...observed };
  for (const { name, value: field } of entriesOf(fields)) {
    const requested = inputs[name] ?? null;
    const shown = observed[name] ?? null;
    if (requested === null || field.kind === "computed") continue;
    values[name] =
      field.kind === "group" && isRecord(requested) && isRecord(shown)
        ? asPlanned(field.fields, shown, requested)
        : requested;
  }
  return values;
}

function withInputNulls(fields: Fields, values: Values, inputs: Values): Values {
  const planned = emptyRecord();
  for (const { name, value: field } of entriesOf(fields)) {
    const value = values[name] ?? null;
    const requested = inputs[name] ?? null;
    if (field.kind === "group")
      planned[name] =
        isRecord(value) && isRecord(requested) ? withInputNulls(field.fields, value, requested) : null;
    else planned[name] = requested === null && !isSetByApi(field) ? null : value;
  }
  return planned;
}

/** Returns the inputs with the computed values of the prior state. */
export function withComputed(fields: Fields, inputs: Values, prior: Values): Values {
  const values = { ...inputs };
  for (const { name, value: field } of entriesOf(fields)) {
    const requested = inputs[name] ?? null;
    const recorded = prior[name] ?? null;
    if (field.kind === "computed") values[name] = recorded;
    else if (field.kind === "group" && isRecord(requested) && isRecord(recorded))
      values[name] = withComputed(field.fields, requested, recorded);
  }
  return values;
}

/** Values before a change, the inputs, and the names of the fields that it changes. */
interface PlannedChange {
  readonly prior: Values;
  readonly inputs: Values;
  readonly changed: ReadonlySet<string>;
}

/**
 * Returns the values after an update. Fields that only the API sets and that the plan did not change keep their prior
 * values: engines reject another value, and resources that refer to it would change too. The next refresh returns the
 * values of the API.
 */
export function withPriorComputed(
  fields: Fields,
  values: Values,
  { prior, inputs, changed }: PlannedChange,
): Values {
  const kept = { ...values };
  for (const { name, value: field } of entriesOf(fields)) {
    if (changed.has(name)) continue;
    const value = values[name] ?? null;
    const before = prior[name] ?? null;
    const requested = inputs[name] ?? null;
    if (field.kind !== "group") kept[name] = requested === null && isSetByApi(field) ? before : value;
    else if (isRecord(value) && isRecord(before) && isRecord(requested))
      kept[name] = withPriorComputed(field.fields, value, {
        prior: before,
        inputs: requested,
        changed: new Set(),
      });
  }
  return kept;
}
