import { isRecord, isSecret, reveal, type Value, type Values } from "../core/value.ts";
import type { Fields } from "./field.ts";

/** Returns every text that the definition or the user marks as secret, at any depth. */
export const secretsIn = (fields: Fields, values: Values): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const field = fields[name];
    if (field?.kind === "group" && isRecord(value)) return secretsIn(field.fields, value);
    return field?.kind !== "group" && field?.options.secret ? textsIn(reveal(value)) : marked(value);
  });

/** Returns every text of a value, or of a part of it, that the user marks as secret. */
function marked(value: Value): string[] {
  if (isSecret(value)) return textsIn(reveal(value));
  if (Array.isArray(value)) return value.flatMap(marked);
  return isRecord(value) ? Object.values(value).flatMap(marked) : [];
}

function textsIn(value: Value): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
