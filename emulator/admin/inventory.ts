import { Refusal } from "../http/wire.ts";
import type { Clock } from "../state/clock.ts";
import { isLive, type Row, type Store } from "../state/store.ts";

/** An object with its kind, as the tables hold it. */
export type Item = Row & { readonly kind: string };

/** The objects behind the API, to look at and to meddle with. */
export type Inventory = {
  /** Every object that exists now. */
  list(): Item[];
  /** The same at less cost, to look at and not to keep: what they hold is not copied. */
  peek(): Item[];
  /** Shows every one of them as it stands in the tables: nothing is copied at all. */
  each(see: (row: Readonly<Row>, kind: string) => void): void;
  /** The object of a KRN or a bare UUID, here and below. */
  get(krn: string): Item | undefined;
  /** Deletes the object and everything that hangs on it at once, as if done in the console; 404 as a `Refusal`. */
  remove(krn: string): void;
  /** Sets fields that the object has; `Refusal` 404, and 400 for a field it has not or a value of another type. */
  change(krn: string, fields: Readonly<Record<string, unknown>>): void;
};

const fixed = ["krn", "kind", "region", "parents", "owned", "createdAt"];

export function createInventory(store: Store, clock: Clock): Inventory {
  const copy = (kind: string, row: Row): Item => ({ kind, ...structuredClone(row) });

  function find(krn: string): { kind: string; row: Row } | undefined {
    const found = store.find(krn);
    return found && isLive(found.row, clock.now()) ? found : undefined;
  }

  function require(krn: string): Row {
    const found = find(krn);
    if (!found) throw new Refusal(404, `no object ${krn}`);
    return found.row;
  }

  function remove(row: Row): void {
    const now = clock.now();
    Object.assign(row, { deletingAt: now, goneAt: now });
    const others = Object.values(store.tables()).flat();
    for (const child of others) if (child.parents.includes(row.krn) && isLive(child, now)) remove(child);
  }

  function each(see: (row: Row, kind: string) => void): void {
    const now = clock.now();
    for (const [kind, rows] of Object.entries(store.tables()))
      for (const row of rows) if (isLive(row, now)) see(row, kind);
  }

  function peek(): Item[] {
    const items: Item[] = [];
    each((row, kind) => items.push({ kind, ...row }));
    return items;
  }

  return {
    list: () => structuredClone(peek()),
    peek,
    each,
    get(krn) {
      const found = find(krn);
      return found && copy(found.kind, found.row);
    },
    remove(krn) {
      remove(require(krn));
      store.save();
    },
    change(krn, fields) {
      const row: Record<string, unknown> = require(krn);
      for (const [name, value] of Object.entries(fields)) {
        if (fixed.includes(name) || !(name in row))
          throw new Refusal(400, `${name}: no field that can be changed`);
        if (typeof row[name] !== typeof value)
          throw new Refusal(400, `${name}: must be of type ${typeof row[name]}`);
      }
      Object.assign(row, fields, { updatedAt: clock.now() });
      store.save();
    },
  };
}
