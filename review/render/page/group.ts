/** Adds an item to the list of a key. */
export function addTo<K, T>(map: Map<K, T[]>, key: K, item: T): void {
  const known = map.get(key);
  if (known) known.push(item);
  else map.set(key, [item]);
}
