import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { InventoryItem } from "../../emulator/admin/inventory.ts";
import type { Values } from "../../provider/core/value.ts";
import type { Draw } from "./draw.ts";

/** Stands in inputs for the id of the object at another address of the stack. */
export interface Ref {
  readonly ref: string;
}

/** What a user writes, with references. */
export interface Written {
  readonly [field: string]:
    | Written
    | Ref
    | string
    | number
    | boolean
    | readonly (Written | Ref | string | number)[];
}

/** What rows have in common that are one object of a stack. */
export interface Many {
  /** So many of them stand there at once, those apart that failed. */
  readonly most: number;
  /** What they go by together: first what the cloud calls it, last what an address does. Nothing for other rows. */
  readonly ofRow: (row: Row) => readonly string[];
  /** What an address calls it, by what is written or remembered. */
  readonly ofValues: (values: Values) => string;
}

/** What the generator has to know of a resource. */
export interface SimulatedKind {
  /** Place in the drawing order. It never changes, so that what a seed draws stays; a new resource takes the next one. */
  readonly place: number;
  /** The nouns that it refers to; the first is what it lives in. */
  readonly needs: readonly string[];
  /** Inputs of a new object, the `nth` of the schedule, with the objects that it refers to. */
  readonly make: (draw: Draw, nth: number, refs: Readonly<Record<string, Ref>>) => Written;
  /**
   * Whether a new one may refer to this object, to which so many `others` of its kind refer, which another one has just
   * `left`, or which is the `newest` of all. Default: yes.
   */
  readonly takes?: (
    need: { readonly resource: string; readonly inputs: Written },
    place: { readonly others: number; readonly left: boolean; readonly newest: boolean },
  ) => boolean;
  /** Other inputs for the same address: what is changed in place and what replaces. */
  readonly vary: (draw: Draw, inputs: Written, nth: number) => Written;
  /** Inputs for another object that takes its place, while it may still be there. Default: another name; null: none can. */
  readonly successor?: ((inputs: Written, nth: number) => Written) | null;
  /** Whether a row of its kind is what the inputs make, beyond its place. Default: the same name. */
  readonly is?: (row: Row, inputs: Values) => boolean;
  /** The emulator's word for it, where that is another one. */
  readonly emulatorKind?: string;
  /** What the provider calls it, where that is not its KRN. */
  readonly idOf?: (row: Row) => string;
  /** Many rows are one object of a stack. */
  readonly many?: Many;
  /** Its first parent is no VPC. */
  readonly homeless?: true;
  /** No listing tells what is whose: two may come of an unclear answer, and what died with a process may stay. */
  readonly blind?: true;
  /** What somebody else changes, in the emulator's words. */
  readonly drift?: (draw: Draw, row: Row) => Readonly<Record<string, unknown>>;
}

const folder = join(import.meta.dirname, "kind");

const loaded = (await readdir(folder)).map(async (file) => {
  const { kind } = (await import(join(folder, file))) as { readonly kind: SimulatedKind };
  return [basename(file, ".ts"), kind] as const;
});

/** Each resource that takes part, by its name, in drawing order. */
export const kinds: Readonly<Record<string, SimulatedKind>> = Object.fromEntries(
  (await Promise.all(loaded)).toSorted(([, a], [, b]) => a.place - b.place),
);

/** An object as the emulator holds it, and what tells which address of a stack it is. */
export type Row = InventoryItem;
