import { conceal, isRecord, isSecret, mapValues, secret, type Value, type Values } from "../core/value.ts";
import type { Fields } from "../definition/field.ts";

/** Returns the values with secret marks on the fields that the definition declares and the values secret in `likes`. */
export function markSecrets(fields: Fields, values: Values, likes: readonly Values[]): Values {
  return likes.reduce((marked, like) => conceal(marked, like) as Values, markDeclared(fields, values));
}

function markDeclared(fields: Fields, values: Values): Values {
  return mapValues(values, (value, name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field?.kind === "group") return isRecord(value) ? markDeclared(field.fields, value) : value;
    return field?.options.secret && value !== null && !isSecret(value) ? secret(value) : value;
  });
}

/** Returns true if any part of the value is secret. */
export function holdsSecret(value: Value): boolean {
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isSecret(value) || (isRecord(value) && Object.values(value).some(holdsSecret));
}
