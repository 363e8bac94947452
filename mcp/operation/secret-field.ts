import { allOperations } from "../../operation/operations.ts";
import { isSecretParameter, withFieldsReplaced } from "../../operation/secret-field.ts";
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
export const withoutSecretFields = <T>(value: T): T =>
  withFieldsReplaced(value, (name) => (isSecretField(name) ? sensitive : undefined));
