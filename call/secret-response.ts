import type { Operation } from "../operation/operation.ts";
import { answerSchema, type JsonSchema } from "../operation/schema.ts";
import { isSecretParameter, withFieldsReplaced } from "../operation/secret-field.ts";
import { memoize } from "../provider/core/memoize.ts";
import { snakeCase } from "../provider/core/name.ts";
import { isSecretName, isSecretPair } from "../review/model/secret-shape.ts";

/** Secrets of responses. */

/** Text in place of a secret. */
const mask = "***";

/** Returns the names of all fields of a schema. */
const namesIn = ({ properties = {}, items, anyOf = [], additionalProperties }: JsonSchema): string[] => [
  ...Object.keys(properties),
  ...[...Object.values(properties), items, ...anyOf, additionalProperties].flatMap((inner) =>
    typeof inner === "object" ? namesIn(inner) : [],
  ),
];

/** Returns the fields that the response to an operation is known to have. */
const knownFields = memoize(
  (operation: Operation): ReadonlySet<string> => new Set(namesIn(answerSchema(operation) ?? {})),
);

/**
 * Returns true for a field of a response that contains a secret: one that the operation declares, in any spelling, the value of a secret
 * parameter, or one that is only new and is named as a secret.
 */
function isSecretField(operation: Operation, name: string): boolean {
  const isDeclared = operation.secrets.some((secret) => snakeCase(secret) === snakeCase(name));
  if (isDeclared || isSecretParameter(name)) return true;
  return isSecretName(name) && !knownFields(operation).has(name);
}

/** Returns true if a call shows a secret of its response: the whole response of an operation that declares one, or a field with one. */
export const showsSecret = (operation: Operation, field: string | undefined): boolean =>
  field === undefined
    ? operation.secrets.length > 0
    : field.split(".").some((name) => isSecretField(operation, name));

/** Returns a value whose secrets are masked, at any depth, and adds the names of their fields to `masked`. */
export const withoutSecrets = (value: unknown, operation: Operation, masked = new Set<string>()): unknown =>
  withFieldsReplaced(value, (name, record) => {
    const isHidden = isSecretField(operation, name) || (name === "value" && isSecretPair(record));
    if (!isHidden) return undefined;
    masked.add(name);
    return mask;
  });
