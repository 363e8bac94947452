import { entriesOf } from "../../core/memoize.ts";
import type { ResourceState } from "../../core/state.ts";
import { emptyRecord, isRecord, type Values } from "../../core/value.ts";
import { deferredFields, type Field, type Fields, isLocal } from "../../definition/field.ts";
import { visibilityOf } from "../existence/visibility.ts";
import type { CreateContext } from "./search.ts";

/**
 * Returns the partial state of an object whose create did not finish: its inputs, and its id or task. Deferred fields
 * are null, so that the next run sends them, or have the values of a new object if no route reads them. Local fields
 * are null: deletion protection stays off, since the object has no data yet.
 */
export function partialState(
  { operation: { resource }, inputs, region }: CreateContext,
  { id, task }: Pick<Partial<ResourceState>, "id" | "task">,
): ResourceState {
  const { fields } = resource;
  const values = filled(fields, inputs);
  const localFields = Object.keys(fields).filter((name) => isLocal(fields[name] as Field));
  for (const name of localFields) values[name] = null;
  const { initialValues } = visibilityOf(resource);
  for (const name of deferredFields(fields)) values[name] = initialValues[name] ?? null;
  if (resource.regional !== false) values.region = region;
  return { id, task: id === undefined ? task : undefined, values, unread: [] };
}

/** Returns the values of all fields, with null for each without one. */
function filled(fields: Fields, inputs: Values): ReturnType<typeof emptyRecord> {
  const values = emptyRecord();
  for (const { name, value: field } of entriesOf(fields)) {
    const input = inputs[name] ?? null;
    values[name] = field.kind === "group" && isRecord(input) ? filled(field.fields, input) : input;
  }
  return values;
}
