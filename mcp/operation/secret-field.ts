import { allOperations } from "../../operation/operations.ts";
import { snakeCase } from "../../provider/core/name.ts";
import { sensitive } from "../object/data.ts";
import { secretParameters } from "./offer.ts";

/** Names of fields that contain a secret in some request or response, in the spellings of both. */
const secretNames: () => ReadonlySet<string> = (() => {
  let names: ReadonlySet<string> | undefined;
  return () => {
    names ??= new Set(
      allOperations().flatMap((row) => {
        // The address of a transfer is the URL of a response, whose field is among the secrets of that.
        const parameters = row.operation.transfer === undefined ? secretParameters(row) : [];
        return [...row.operation.secrets, ...parameters].flatMap((name) => [name, snakeCase(name)]);
      }),
    );
    return names;
  };
})();

/** Returns a value with the fields masked that contain a secret in some request or response: a read may show what a create was given. */
export function withoutSecretFields<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutSecretFields(item)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretNames().has(name) && inner !== null && inner !== "" ? sensitive : withoutSecretFields(inner),
    ]),
  ) as T;
}
