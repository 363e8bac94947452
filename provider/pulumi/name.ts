import type { Value, Values } from "../core/value.ts";
import type { Resource } from "../definition/resource.ts";

/** What the engine says of automatic names. */
export interface Naming {
  /** The resource's name in the program. */
  readonly logical: string;
  /** Random bytes, the same ones for the same resource in preview and update. */
  readonly seed: Uint8Array;
  /** The name the stack's configuration proposes, the name it enforces, or `disabled`; `undefined` says nothing. */
  readonly proposed?: string | undefined;
  readonly disabled?: boolean;
}

/**
 * The inputs with a name: the user's, else the one it has, else one made from the seed, so that a replacement can
 * be made before the old object goes.
 */
export function named(resource: Resource, inputs: Values, old: Values, naming: Naming): Values {
  if (!Object.hasOwn(resource.fields, "name") || (inputs.name ?? null) !== null) return inputs;
  const name: Value = old.name ?? automatic(naming);
  return name === null ? inputs : { ...inputs, name };
}

function automatic({ logical, seed, proposed, disabled }: Naming): string | null {
  if (disabled || logical === "") return null;
  if (proposed) return proposed;
  return seed.length === 0 ? logical : `${logical}-${Buffer.from(seed).toString("hex").slice(0, letters)}`;
}

const letters = 7;

/** Whether a name has the form of one made from the seed. */
export const isAutomatic = (name: string, logical: string): boolean =>
  name.length === logical.length + 1 + letters &&
  name.startsWith(`${logical}-`) &&
  /^[0-9a-f]+$/.test(name.slice(-letters));
