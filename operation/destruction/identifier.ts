import type { Value } from "../../provider/core/value.ts";
import type { Operation } from "../operation.ts";
import { hasSecret, parameterSchema } from "../schema.ts";
import { destructionOf, type Named } from "./destruction.ts";

/** Identification of the object that an operation destroys, which a person repeats before the request is sent. */

/** Minimum length in characters of a name that confirms. */
const shortestName = 4;

/** Returns true for a name that confirms in place of the ID: a person may type a short one, or "yes", as an answer to any question. */
export const confirmsByName = (name: string): boolean =>
  name.trim().length >= shortestName &&
  !/^(yes|no|ok(ay)?|true|false|confirm(ed)?|sure|delete)$/i.test(name.trim());

/** Returns the parameters that can identify the object: texts that are neither secret nor the region. */
function candidates(operation: Operation) {
  const { properties = {}, required = [] } = parameterSchema(operation);
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.type === "string" && !hasSecret(schema) && name !== "region"
      ? [{ name, isRequired: required.includes(name) }]
      : [],
  );
}

/**
 * Returns the name of the parameter with the ID of the object: the declared one, or the last required one, since those before it name what
 * contains the object. Without a required one, several can identify it, or none: undefined.
 */
export function identifierName({ name, operation }: Named): string | undefined {
  const { identifier } = destructionOf(name) ?? {};
  if (identifier !== undefined) return identifier ?? undefined;
  return candidates(operation)
    .filter(({ isRequired }) => isRequired)
    .at(-1)?.name;
}

/**
 * Returns the text that confirms a call: the ID of the object. An operation without one, such as that on all access keys, is confirmed by the
 * number of the account or, if that is not set or the object is a secret, by its own name.
 */
export function confirmationOf(
  { name, operation }: Named,
  inputs: { readonly [name: string]: Value },
  account?: string,
): string {
  const required = identifierName({ name, operation });
  const others = destructionOf(name)?.identifier === null ? [] : candidates(operation);
  const names = required === undefined ? others.map((one) => one.name) : [required];
  const values = names.map((each) => inputs[each]).filter((value) => typeof value === "string");
  const isAccountWide = operation.endpoint.semantics === "account-wide";
  return values.at(-1) ?? (isAccountWide ? account : undefined) ?? name;
}
