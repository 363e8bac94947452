import { isMasked } from "../../core/krn.ts";
import { emptyRecord, isRecord, type Path, type Value, type Values } from "../../core/value.ts";
import { sameValue } from "../../definition/equality.ts";
import { type Field, type Fields, isLocal, isSetByApi } from "../../definition/field.ts";
import { memberOf } from "../../definition/shape.ts";
import { word } from "./status.ts";

/**
 * What is remembered after a look: the cloud's values, the user's spelling where both mean the same, and for what
 * the cloud never returns what was configured or remembered.
 */
export function mergeState(
  fields: Fields,
  seen: Values,
  mine: Values,
  assumed: "defaults" | "nothing" = "nothing",
): Values {
  const values = emptyRecord();
  for (const [name, field] of Object.entries(fields)) {
    const shown = seen[name] ?? null;
    const own = mine[name] ?? null;
    if (field.kind === "group")
      values[name] =
        isRecord(shown) && (isRecord(own) || !isBare(shown))
          ? mergeState(field.fields, shown, isRecord(own) ? own : {}, assumed)
          : null;
    else if (field.kind === "computed" && (field.options.once || (own !== null && isMasked(word(shown)))))
      values[name] = own;
    else if (field.kind === "field" && field.options.unreadable)
      values[name] = own ?? (assumed === "defaults" ? assumption(field, seen) : null);
    else if (field.kind === "field" && sameValue(field, own, shown))
      values[name] = own ?? (assumed === "defaults" ? defaultOf(field) : null);
    else values[name] = shown;
  }
  return values;
}

/** A group of which nothing is set is what some answers write for no group. */
const isBare = (value: Value | undefined): boolean =>
  value === null || value === undefined || (isRecord(value) && Object.values(value).every(isBare));

/** What a field may be that nobody configured and the cloud does not show. */
const assumption = (field: Extract<Field, { kind: "field" }>, seen: Values): Value =>
  seen[field.options.importFallback ?? ""] ?? defaultOf(field);

const defaultOf = (field: Field): Value => (memberOf(field).default as Value | undefined) ?? null;

/** Dotted paths of unreadable fields whose real value nobody knows: all but those of which `prior` has one. */
export function unreadPaths(fields: Fields, values: Values, prior: Values, path: Path = []): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === "computed") return [];
    const value = values[name] ?? null;
    const own = prior[name] ?? null;
    const here = [...path, name];
    if (field.kind === "group" && isRecord(value))
      return unreadPaths(field.fields, value, isRecord(own) ? own : {}, here);
    const unread = field.options.unreadable === true && !isLocal(field);
    return unread && own === null ? [here.join(".")] : [];
  });
}

/**
 * What is remembered of an object that was just made or changed. Its plan had nothing where nothing was asked for, and
 * an engine takes no object that has something there: what the cloud shows all the same is the next look's to tell.
 */
export const conformToPlan = (fields: Fields, seen: Values, inputs: Values): Values =>
  withInputNulls(fields, mergeState(fields, seen, inputs), inputs);

function withInputNulls(fields: Fields, values: Values, inputs: Values): Values {
  const planned = emptyRecord();
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name] ?? null;
    const asked = inputs[name] ?? null;
    if (field.kind === "group")
      planned[name] = isRecord(value) && isRecord(asked) ? withInputNulls(field.fields, value, asked) : null;
    else planned[name] = asked === null && !isSetByApi(field) ? null : value;
  }
  return planned;
}

/** What was asked for, with what the cloud has set beside it before. */
export function withComputed(fields: Fields, inputs: Values, prior: Values): Values {
  const values = { ...inputs };
  for (const [name, field] of Object.entries(fields)) {
    const asked = inputs[name] ?? null;
    const own = prior[name] ?? null;
    if (field.kind === "computed") values[name] = own;
    else if (field.kind === "group" && isRecord(asked) && isRecord(own))
      values[name] = withComputed(field.fields, asked, own);
  }
  return values;
}
