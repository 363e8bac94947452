import { emptyRecord, isRecord, reveal, type Value, type Values } from "../core/value.ts";

/** Returns the inputs for verbs and rules: without secret marks and without null members of records. */
export function verbInputs(inputs: Values): never {
  const strip = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(strip);
    if (!isRecord(value)) return value;
    const stripped = emptyRecord();
    for (const [name, item] of Object.entries(value)) if (item !== null) stripped[name] = strip(item);
    return stripped;
  };
  return strip(reveal(inputs)) as never;
}
