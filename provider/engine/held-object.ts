/**
 * Objects of the state that one process has compared with the configuration, with the entries of the state that have them.
 * Two entries can have one object: it was imported under a second name, or a create adopted it. As long as one of them
 * keeps the object, the delete of another one must not delete it.
 */

/** Comparison of the entry of one owner with its configuration. */
interface Comparison {
  /** Number of entries that keep the object. Terraform names none, so that several have the same owner. */
  kept: number;
  /** False while the engine may still replace the object. */
  isSettled: boolean;
}

/** Entries that have one object. */
interface Held {
  readonly holders: Map<string | undefined, Comparison>;
  /** Number of entries in the state, as far as the engine has passed them. */
  entries: number;
  deleted: Extent | undefined;
  /** Keys of the objects that a delete of the object deletes too. */
  parts: readonly string[];
}

/** Objects by keys: an object that listings show under several ids has several keys. */
export interface HeldObjects {
  /** Counts an entry of the state. */
  addEntry(keys: readonly string[]): void;
  /** Records the keys of the objects that a delete of the object deletes too. */
  setParts(keys: readonly string[], parts: readonly string[]): void;
  /** Returns the recorded parts of the object. */
  partsOf(keys: readonly string[]): readonly string[];
  /** Returns true if more than one entry of the state has the object. */
  hasSeveral(keys: readonly string[]): boolean;
  /** Records that the entry of an owner was compared, with the number of entries that it adds to those that keep the object. */
  compare(keys: readonly string[], owner: string | undefined, kept: 0 | 1, isSettled?: boolean): void;
  /** Records that one entry of an owner no longer keeps the object. */
  release(keys: readonly string[], owner: string | undefined): void;
  /** Records a create of an owner: its entries keep no object, and a later delete may be that of its new object. */
  noteCreate(owner: string): void;
  /** Removes the entry of an owner whose object was deleted. */
  removeDeleted(keys: readonly string[], owner: string | undefined): void;
  /** Records that a plan deletes the object in one entry: itself, or as a part of another object. */
  addDelete(keys: readonly string[], extent: Extent): void;
  /** Returns how a plan deletes the object. */
  deletedAs(keys: readonly string[]): Extent | undefined;
  /** Returns true if an entry keeps the object, other than that of the owner unless it is settled. */
  isKept(keys: readonly string[], owner: string | undefined): boolean;
  /** Returns the owner whose entry has the object, this one first. */
  holderOf(keys: readonly string[], owner: string | undefined): Holder | undefined;
}

/**
 * Resource of the configuration that has an object in its state: "self" for that of an operation, "other" for another one that
 * keeps it, "leaving" for one whose object this run deletes, replaces or renames.
 */
export type Holder = "self" | "other" | "leaving";

export type HolderOf = (id: string) => Holder | undefined;

/** Holders other than that of an operation, by the ids of their objects. */
export type OtherHolders = Readonly<Record<string, Exclude<Holder, "self">>>;

/** Whether an entry keeps or deletes the object itself, or an object that is a part of it or that it is a part of. */
export type Extent = "itself" | "part";

/** Creates the objects of a process, empty at first. */
export function createHeldObjects(): HeldObjects {
  const registry = createRegistry();
  const { objects, held, some } = registry;
  return {
    addEntry(keys) {
      for (const key of keys) held(key).entries += 1;
    },
    setParts(keys, parts) {
      for (const key of keys) held(key).parts = parts;
    },
    partsOf: (keys) => keys.flatMap((key) => objects.get(key)?.parts ?? []),
    hasSeveral: (keys) => some(keys, ({ entries }) => entries > 1),
    addDelete(keys, extent) {
      for (const key of keys) held(key).deleted ??= extent;
    },
    deletedAs: (keys) => keys.map((key) => objects.get(key)?.deleted).find((extent) => extent !== undefined),
    holderOf(keys, owner) {
      if (owner !== undefined && some(keys, ({ holders }) => holders.has(owner))) return "self";
      if (some(keys, ({ holders }) => [...holders.values()].some(({ kept }) => kept > 0))) return "other";
      return some(keys, ({ holders }) => holders.size > 0) ? "leaving" : undefined;
    },
    ...comparisonsOf(registry),
  };
}

/** Creates the entries by keys. */
function createRegistry() {
  const objects = new Map<string, Held>();
  return {
    objects,
    held(key: string): Held {
      const known = objects.get(key);
      if (known !== undefined) return known;
      const added: Held = { holders: new Map(), entries: 0, deleted: undefined, parts: [] };
      objects.set(key, added);
      return added;
    },
    some: (keys: readonly string[], is: (held: Held) => boolean): boolean =>
      keys.some((key) => {
        const known = objects.get(key);
        return known !== undefined && is(known);
      }),
  };
}

/** Returns the functions that compare the entries of an owner with its configuration. */
function comparisonsOf({ objects, held, some }: ReturnType<typeof createRegistry>) {
  const keysOf = new Map<string, string[]>();
  const creators = new Set<string | undefined>();
  return {
    compare(keys, owner, kept, isSettled = true) {
      for (const key of keys) {
        const { holders } = held(key);
        const holder = holders.get(owner);
        const isKept = kept === 1 && isSettled;
        if (holder === undefined) {
          holders.set(owner, { kept, isSettled: isKept });
          if (owner !== undefined) keysOf.set(owner, [...(keysOf.get(owner) ?? []), key]);
        } else {
          holder.kept += kept;
          holder.isSettled ||= isKept;
        }
      }
    },
    release(keys, owner) {
      for (const key of keys) {
        const holder = objects.get(key)?.holders.get(owner);
        if (holder !== undefined) holder.kept -= 1;
      }
    },
    noteCreate(owner) {
      creators.add(owner);
      for (const key of keysOf.get(owner) ?? [])
        if (objects.get(key)?.holders.has(owner))
          objects.get(key)?.holders.set(owner, { kept: 0, isSettled: false });
    },
    removeDeleted(keys, owner) {
      for (const key of keys) objects.get(key)?.holders.delete(owner);
    },
    isKept: (keys, owner) =>
      some(keys, ({ holders }) =>
        [...holders].some(
          ([name, { kept, isSettled }]) =>
            kept > 0 && (name !== owner || (isSettled && !creators.has(owner))),
        ),
      ),
  } satisfies Partial<HeldObjects>;
}
