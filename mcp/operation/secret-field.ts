import { allOperations } from "../../operation/operations.ts";
import { isSecretParameter } from "../../operation/secret-field.ts";
import { snakeCase } from "../../provider/core/name.ts";
import { sensitive } from "../object/data.ts";

/** Names of the fields of responses that contain a secret, in both spellings. */
let names: ReadonlySet<string> | undefined;

/** Returns true for the name of a field that contains a secret in some request or response. */
function isSecretField(name: string): boolean {
  names ??= new Set(
    allOperations().flatMap(({ operation }) =>
      operation.secrets.flatMap((secret) => [secret, snakeCase(secret)]),
    ),
  );
  return names.has(name) || isSecretParameter(name);
}

/** Returns a value with the fields masked that contain a secret in some request or response: a read may show what a create was given. */
export function withoutSecretFields<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSecretFields(item)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretField(name) && inner !== null && inner !== "" ? sensitive : withoutSecretFields(inner),
    ]),
  ) as T;
}
