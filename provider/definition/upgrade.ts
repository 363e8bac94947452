import type { Plain } from "../core/value.ts";
import type { Resource } from "./resource.ts";

/** Conversion of states of older versions, and of other providers, to the current definition. */

/** Stored values of an object, by the field names in that state. */
export type Stored = { readonly [name: string]: Plain };

/** Returns the schema version of a definition: the number of its upgrades. */
export const versionOf = ({ upgrades = [] }: Pick<Resource, "upgrades">): number => upgrades.length;

/**
 * Converts the state of an older version to the current version. `spell` converts field names of the definition to the
 * spelling of that state.
 */
export function upgraded(
  { upgrades = [] }: Pick<Resource, "upgrades">,
  version: number,
  stored: Stored,
  spell: (name: string) => string = (name) => name,
): Stored {
  return upgrades.slice(version).reduce((state, { renamed = {}, changed = {} }) => {
    const moved = relocated(state, renamed, spell);
    for (const [name, change] of Object.entries(changed)) {
      const value = valueAt(moved, attributePath(name, spell));
      if (value !== null) put(moved, attributePath(name, spell), change(value));
    }
    return moved;
  }, stored);
}

/** Returns the same values under other names. */
export function relocated(
  stored: Stored,
  renamed: { readonly [from: string]: string },
  spell: (name: string) => string,
): Record {
  const moved = structuredClone(stored) as Record;
  const moves = Object.entries(renamed).map(
    ([from, to]) => [attributePath(from, spell), attributePath(to, spell)] as const,
  );
  // Removes all values before it sets any, as the new name of one field can be the old name of another.
  const values = moves.map(([from]) => valueAt(moved, from));
  for (const [from] of moves) put(moved, from, null);
  for (const [index, [, to]] of moves.entries())
    if (values[index] !== null) put(moved, to, values[index] ?? null);
  return moved;
}

type Record = { [name: string]: Plain };

const isRecord = (value: Plain | undefined): value is Record =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const attributePath = (name: string, spell: (name: string) => string): string[] => name.split(".").map(spell);

function valueAt(stored: Stored, [name = "", ...rest]: readonly string[]): Plain {
  const value = Object.hasOwn(stored, name) ? (stored[name] ?? null) : null;
  if (rest.length === 0) return value;
  return isRecord(value) ? valueAt(value, rest) : null;
}

/** Sets the value at a path. Creates missing groups on the path, except for null. */
function put(stored: Record, [name = "", ...rest]: readonly string[], value: Plain): void {
  if (rest.length === 0) {
    stored[name] = value;
    return;
  }
  const inner = stored[name];
  if (isRecord(inner)) put(inner, rest, value);
  else if (value !== null) {
    const record: Record = {};
    stored[name] = record;
    put(record, rest, value);
  }
}
