import type { Problem } from "../../core/error.ts";
import type { Held } from "../../core/state.ts";
import { emptyRecord, isRecord, type Path, UNKNOWN, type Value, type Values } from "../../core/value.ts";
import type { Field, Fields } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";
import { parseDuration } from "./duration.ts";
import type { timeoutNames } from "./schema.ts";

/** An object as the core holds it, and as an engine keeps it: its fields, id and timeouts, and private bytes. */

/** The fields of a resource out of an engine's object, which has `id` and `timeouts` beside them. */
export function fieldsOf(values: Values): Values {
  const { id: _, timeouts: __, ...fields } = values;
  return fields;
}

/** What the engine stores without reading it. Written only where there is something to write. */
interface Private {
  readonly task?: string;
  readonly unread?: readonly string[];
}

export function encodePrivate({ task, unread }: Held): Uint8Array {
  if (task === undefined && unread.length === 0) return new Uint8Array();
  const kept: Private = { ...(task === undefined ? {} : { task }), ...(unread.length > 0 ? { unread } : {}) };
  return Buffer.from(JSON.stringify(kept));
}

function decodePrivate(bytes: Uint8Array | undefined): Private {
  if (bytes === undefined || bytes.length === 0) return {};
  const read = JSON.parse(Buffer.from(bytes).toString("utf8")) as Values;
  return {
    ...(typeof read.task === "string" ? { task: read.task } : {}),
    unread: Array.isArray(read.unread) ? read.unread.filter((path) => typeof path === "string") : [],
  };
}

export function toHeld(values: Values, privateBytes: Uint8Array | undefined): Held {
  const { task, unread = [] } = decodePrivate(privateBytes);
  const id = typeof values.id === "string" && values.id !== "" ? values.id : undefined;
  return { id, task: id === undefined ? task : undefined, values: fieldsOf(values), unread };
}

/** The engine's object of what the core holds. */
export const fromHeld = (held: Held, timeouts: Value | undefined): Values => ({
  ...held.values,
  id: held.id ?? null,
  timeouts: timeouts ?? null,
});

/**
 * What to ask of the cloud: the plan's values, so that their spelling stands; what is only sent, from the
 * configuration; and nothing that the cloud decided and nobody asked for.
 */
export function plannedInputs(fields: Fields, planned: Values, config: Values): Values {
  const inputs = emptyRecord();
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === "computed") continue;
    const own = config[name] ?? null;
    const decided = field.kind === "field" && field.options.computed && !field.options.calculated;
    if (decided && own === null) continue;
    const sentOnly = field.kind === "field" && field.options.writeOnly === true;
    const value = sentOnly ? own : (planned[name] ?? null);
    if (value === null || value === UNKNOWN) continue;
    inputs[name] =
      field.kind === "group" && isRecord(value)
        ? plannedInputs(field.fields, value, isRecord(own) ? own : {})
        : value;
  }
  return inputs;
}

/** The values of a plan as the engine may see them: what is only sent is in no plan. */
export const withoutSentOnly = (fields: Fields, values: Values): Values =>
  without(fields, values, (field) => field.kind === "field" && field.options.writeOnly === true);

/** The values of a list: they are printed, so that no secret is among them. */
export const withoutHidden = (fields: Fields, values: Values): Values =>
  without(
    fields,
    values,
    (field) =>
      field.kind !== "group" &&
      (field.options.secret === true || (field.kind === "field" && field.options.writeOnly === true)),
  );

function without(fields: Fields, values: Values, left: (field: Field) => boolean): Values {
  const kept: Values = { ...values };
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name] ?? null;
    if (left(field)) kept[name] = null;
    else if (field.kind === "group" && isRecord(value)) kept[name] = without(field.fields, value, left);
  }
  return kept;
}

/** The user's limit for a verb, in seconds; undefined where the definition's own holds. */
export function timeoutFor(
  verb: (typeof timeoutNames)[number],
  values: Values | undefined,
): number | undefined {
  const timeouts = values?.timeouts ?? null;
  const text = isRecord(timeouts) ? timeouts[verb] : undefined;
  return typeof text === "string" ? parseDuration(text) : undefined;
}

export function timeoutProblems(timeouts: Value | undefined): Problem[] {
  if (timeouts === undefined || !isRecord(timeouts)) return [];
  return Object.entries(timeouts).flatMap(([verb, text]): Problem[] => {
    const path: Path = ["timeouts", verb];
    return typeof text === "string" && parseDuration(text) === undefined
      ? [{ path, problem: "must be a duration such as 30s, 10m or 1h30m" }]
      : [];
  });
}

/** What a configuration says that makes exactly this object: all but what only the cloud sets. */
export function configOf(resource: Resource, values: Values): Values {
  const strip = (fields: Fields, given: Values): Values => {
    const config = emptyRecord();
    for (const [name, field] of Object.entries(fields)) {
      const value = given[name] ?? null;
      if (field.kind === "computed") config[name] = null;
      else config[name] = field.kind === "group" && isRecord(value) ? strip(field.fields, value) : value;
    }
    return config;
  };
  return { ...strip(resource.fields, values), id: null, timeouts: null };
}
