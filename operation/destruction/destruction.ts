import type { Value, Values } from "../../provider/core/value.ts";
import { type Effect, effectOf, type Operation } from "../operation.ts";
import type { Destruction } from "./declaration.ts";
import { destructions } from "./table.ts";

/**
 * Operations that destroy: when they do, which object is lost, how it is read before, and which objects are lost with it. `kcloud call` and
 * the tool server use this table. The client does not, so that its bundle contains none of it.
 */

/** Operation with its name in the contract. */
export interface Named {
  readonly name: string;
  readonly operation: Operation;
}

/** Returns the declaration of an operation that destroys; undefined for any other one. */
export const destructionOf = (name: string): Destruction | undefined =>
  Object.hasOwn(destructions, name) ? destructions[name] : undefined;

/** Returns true if a call of an operation destroys something, with any arguments or with some. */
export const mayDestroy = ({ name, operation }: Named): boolean =>
  effectOf(operation) === "destroys" || destructionOf(name) !== undefined;

/** Returns the effect of a call with these checked arguments. */
export function effectOfCall({ name, operation }: Named, inputs: Values): Effect {
  const destruction = destructionOf(name);
  return destruction === undefined || destruction.when?.isMet(inputs) === false
    ? effectOf(operation)
    : "destroys";
}

/** Effect of an operation with all its arguments. */
export type PossibleEffect = Effect | "changes or destroys";

/** Returns the effect of an operation with all its arguments. */
export function possibleEffect({ name, operation }: Named): PossibleEffect {
  const destruction = destructionOf(name);
  if (destruction === undefined) return effectOf(operation);
  return destruction.when === undefined ? "destroys" : "changes or destroys";
}

/** Returns the name of an object in a response: the value of the first field that the API names it by. */
export function nameIn(object: unknown): string | undefined {
  if (typeof object !== "object" || object === null) return undefined;
  const record = object as { readonly [field: string]: Value };
  return names.map((field) => record[field]).find((value) => typeof value === "string" && value !== "") as
    | string
    | undefined;
}

const names = ["name", "vm_name", "instanceName", "vpcName", "keyName", "Name", "bucketName"];
