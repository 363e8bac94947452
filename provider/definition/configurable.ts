import { entriesOf } from "../core/memoize.ts";
import { emptyRecord, isRecord, type Values } from "../core/value.ts";
import type { Fields } from "./field.ts";

/** Returns the values of an object that a configuration can contain: null for a field that only the API sets. */
export function configurable(fields: Fields, values: Values): Values {
  const config = emptyRecord();
  for (const { name, value: field } of entriesOf(fields)) {
    const value = values[name] ?? null;
    if (field.kind === "computed") config[name] = null;
    else config[name] = field.kind === "group" && isRecord(value) ? configurable(field.fields, value) : value;
  }
  return config;
}
