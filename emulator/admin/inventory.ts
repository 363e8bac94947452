import { Refusal } from "../http/wire.ts";
import type { Clock } from "../state/clock.ts";
import { existsAt, type Resource, type Store } from "../state/store.ts";

/** Stored object with its kind. */
export type InventoryItem = Resource & { readonly kind: string };

/** Access to stored objects that bypasses the API, like the console. */
export type Inventory = {
  /** Returns a copy of every object that exists now. */
  list(): InventoryItem[];
  /** Returns every object that exists now, with uncopied nested values: do not modify or keep them. */
  peek(): InventoryItem[];
  /** Passes every object that exists now to `see` without copying. */
  each(see: (resource: Readonly<Resource>, kind: string) => void): void;
  /** Returns a copy of the object with a KRN or a bare UUID; the other methods also accept both. */
  get(krn: string): InventoryItem | undefined;
  /** Deletes the object and its dependents at once, as in the console; throws a `Refusal` 404. */
  remove(krn: string): void;
  /** Sets existing fields; throws a `Refusal` 404, and 400 for an unknown field or a value of another type. */
  change(krn: string, fields: Readonly<Record<string, unknown>>): void;
};

const fixed = ["krn", "kind", "region", "parents", "owned", "createdAt"];

export function createInventory(store: Store, clock: Clock): Inventory {
  const copy = (kind: string, resource: Resource): InventoryItem => ({ kind, ...structuredClone(resource) });

  function find(krn: string): { kind: string; resource: Resource } | undefined {
    const item = store.find(krn);
    return item && existsAt(item.resource, clock.now()) ? item : undefined;
  }

  function require(krn: string): Resource {
    const item = find(krn);
    if (!item) throw new Refusal(404, `no object ${krn}`);
    return item.resource;
  }

  function remove(resource: Resource): void {
    const now = clock.now();
    Object.assign(resource, { deletingAt: now, goneAt: now });
    const others = Object.values(store.resourcesByKind()).flat();
    for (const child of others)
      if (child.parents.includes(resource.krn) && existsAt(child, now)) remove(child);
  }

  function each(see: (resource: Resource, kind: string) => void): void {
    const now = clock.now();
    for (const [kind, resources] of Object.entries(store.resourcesByKind()))
      for (const resource of resources) if (existsAt(resource, now)) see(resource, kind);
  }

  function peek(): InventoryItem[] {
    const items: InventoryItem[] = [];
    each((resource, kind) => items.push({ kind, ...resource }));
    return items;
  }

  return {
    list: () => structuredClone(peek()),
    peek,
    each,
    get(krn) {
      const item = find(krn);
      return item && copy(item.kind, item.resource);
    },
    remove(krn) {
      remove(require(krn));
      store.save();
    },
    change(krn, fields) {
      const resource: Record<string, unknown> = require(krn);
      for (const [name, value] of Object.entries(fields)) {
        if (fixed.includes(name) || !(name in resource))
          throw new Refusal(400, `${name}: no field that can be changed`);
        if (typeof resource[name] !== typeof value)
          throw new Refusal(400, `${name}: must be of type ${typeof resource[name]}`);
      }
      Object.assign(resource, fields, { updatedAt: clock.now() });
      store.save();
    },
  };
}
