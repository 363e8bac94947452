import { snakeCase } from "../provider/core/name.ts";
import { allOperations, type NamedOperation } from "./operations.ts";
import { hasSecret, parameterSchema } from "./schema.ts";

/** Fields that contain secrets, by their names in requests and in responses: a read may show what a create was given. */

/** Returns the names of the parameters of an operation that are secrets. */
export const secretParameters = ({ operation }: NamedOperation): readonly string[] =>
  Object.entries(parameterSchema(operation).properties ?? {}).flatMap(([name, schema]) =>
    hasSecret(schema) ? [name] : [],
  );

/**
 * Returns a value in which fields are replaced, at any depth. `replacementOf` returns the text in place of the value of a field, given its
 * name and its record; undefined if the field stays. Empty values stay.
 */
export function withFieldsReplaced<T>(
  value: T,
  replacementOf: (name: string, record: { readonly [field: string]: unknown }) => string | undefined,
): T {
  if (typeof value !== "object" || value === null) return value;
  const inside = <I>(inner: I): I => withFieldsReplaced(inner, replacementOf);
  if (Array.isArray(value)) return value.map(inside) as T;
  const record = value as { readonly [field: string]: unknown };
  return Object.fromEntries(
    Object.entries(record).map(([name, inner]) => {
      const isEmpty = inner === null || inner === "";
      return [name, isEmpty ? inner : (replacementOf(name, record) ?? inside(inner))];
    }),
  ) as T;
}

/** Names of the secret parameters of all operations, in both spellings. */
let names: ReadonlySet<string> | undefined;

/** Returns true for the name of a field with the value of a secret parameter: `userData` or `user_data`. */
export function isSecretParameter(field: string): boolean {
  names ??= new Set(
    allOperations()
      // The address of a transfer is the URL of a response, whose field is among the secrets of that.
      .filter(({ operation }) => operation.transfer === undefined)
      .flatMap(secretParameters)
      .flatMap((name) => [name, snakeCase(name)]),
  );
  return names.has(field);
}
