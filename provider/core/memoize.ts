/** Returns the function with its result stored for each argument, such as a part of a definition, as long as that exists. */
export function memoize<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, V>();
  return (key) => {
    const value = cache.get(key) ?? make(key);
    cache.set(key, value);
    return value;
  };
}
