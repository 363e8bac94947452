/** Objects of the recorded provider, which stores none of them: their ids count the creates of a part. */

export type Values = { readonly [name: string]: unknown };

/** Attributes of every resource type, except the computed `id`, with the effect of a change of each. */
export const attributes = {
  name: "replace",
  size: "update",
  form: "replace",
  within: "replace",
  uses: "update",
} as const;

export type AttributeName = keyof typeof attributes;

export const attributeNames = Object.keys(attributes) as AttributeName[];

/** Returns the names of the attributes that differ. An unknown value, undefined here, differs from every other. */
export const changesOf = (prior: Values, next: Values): AttributeName[] =>
  attributeNames.filter(
    (name) => next[name] === undefined || JSON.stringify(prior[name]) !== JSON.stringify(next[name]),
  );

export const isReplacing = (changes: readonly AttributeName[]): boolean =>
  changes.some((name) => attributes[name] === "replace");

/** Counts the creates of each part from these counts on; `next` returns the next id of a part, such as `p1.2`. */
export function createIds(from: ReadonlyMap<string, number> = new Map()) {
  const counts = new Map(from);
  return {
    counts,
    next(part: string): string {
      const count = (counts.get(part) ?? 0) + 1;
      counts.set(part, count);
      return `${part}.${count}`;
    },
  };
}

/** Returns the key of an object in a record: its part, with its id if it was replaced by an earlier command. */
export const keyOf = (part: string, id: string | undefined, old: ReadonlySet<string>): string =>
  id !== undefined && old.has(id) ? `${part}~${id}` : part;
