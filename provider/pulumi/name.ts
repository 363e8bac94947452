import type { Value, Values } from "../core/value.ts";
import type { Resource } from "../definition/resource.ts";

/** Input of the engine for automatic names. */
export interface Naming {
  /** Name of the resource in the program. */
  readonly logical: string;
  /** Random bytes, the same for one resource in preview and update; empty if the engine passes none. */
  readonly seed: Uint8Array;
  /** Name from the stack's configuration of automatic names. */
  readonly proposed?: string | undefined;
  /** True if the stack's configuration turns automatic names off. */
  readonly disabled?: boolean;
}

/**
 * Returns the inputs with a name: that of the program, otherwise that of the old inputs, otherwise an automatic one. The
 * suffix of an automatic name allows a replacement to create the new object before it deletes the old one.
 */
export function withName(resource: Resource, inputs: Values, old: Values, naming: Naming): Values {
  if (!Object.hasOwn(resource.fields, "name") || (inputs.name ?? null) !== null) return inputs;
  const name: Value = old.name ?? automaticName(naming);
  return name === null ? inputs : { ...inputs, name };
}

function automaticName({ logical, seed, proposed, disabled }: Naming): string | null {
  if (disabled || logical === "") return null;
  if (proposed) return proposed;
  return seed.length === 0
    ? logical
    : `${logical}-${Buffer.from(seed).toString("hex").slice(0, suffixLength)}`;
}

/** Number of hexadecimal digits of the seed in an automatic name. */
const suffixLength = 7;

/** Returns true if a name has the format of an automatic name. */
export const isAutomaticName = (name: string, logical: string): boolean =>
  name.length === logical.length + 1 + suffixLength &&
  name.startsWith(`${logical}-`) &&
  /^[0-9a-f]+$/.test(name.slice(-suffixLength));
