/** Returns the function with its result stored for each argument, such as a part of a definition, as long as that exists. */
export function memoize<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, V>();
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = make(key);
    cache.set(key, value);
    return value;
  };
}

/** Named value of a record. */
interface Entry<V> {
  readonly name: string;
  readonly value: V;
}

const entries = memoize((record: object): readonly Entry<unknown>[] =>
  Object.entries(record).map(([name, value]) => ({ name, value })),
);

/**
 * Returns the entries of a record that does not change, such as the fields of a definition. They are computed once, and are no
 * pairs: without the optimizing compiler, each destructuring of a pair creates an iterator and its results.
 */
export const entriesOf = <V>(record: { readonly [name: string]: V }): readonly Entry<V>[] =>
  entries(record) as readonly Entry<V>[];
