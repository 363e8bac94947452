import type { InventoryItem } from "../../emulator/admin/inventory.ts";
import type { Values } from "../../provider/core/value.ts";
import { resources } from "../../resources/index.ts";
import type { Draw } from "./draw.ts";

/** Placeholder in inputs for the id of the object at another address of the stack. */
export interface Ref {
  readonly ref: string;
}

/** Inputs as a user writes them, with references. */
export interface Written {
  readonly [field: string]:
    | Written
    | Ref
    | string
    | number
    | boolean
    | readonly (Written | Ref | string | number)[];
}

/** Describes a resource whose single object consists of many rows. */
export interface Many {
  /** Maximum number of rows of one object at one time, without failed ones. */
  readonly most: number;
  /**
   * Returns the names that the rows of one object share: first the id in the API, last the name that an address gives
   * it. Empty for other rows.
   */
  readonly ofRow: (row: Row) => readonly string[];
  /** Returns the name that an address gives the object, from inputs or from the values of a state. */
  readonly ofValues: (values: Values) => string;
}

/** Parameters of a resource for the generator of schedules. */
export interface SimulatedKind {
  /** Kinds that an object refers to; the object of the first kind is its parent. */
  readonly needs: readonly string[];
  /** Returns inputs of a new object, the `nth` of the schedule, with references to the objects that it needs. */
  readonly make: (draw: Draw, nth: number, refs: Readonly<Record<string, Ref>>) => Written;
  /**
   * Returns true if a new object may refer to this one. `others` is the number of its kind that already refer to it,
   * `left` is true if one of them was removed in this step, and `newest` is true if this is the last object of the
   * stack. Default: always true.
   */
  readonly accepts?: (
    need: { readonly resource: string; readonly inputs: Written },
    place: { readonly others: number; readonly left: boolean; readonly newest: boolean },
  ) => boolean;
  /** Returns other inputs for the same address, which change the object in place or replace it. */
  readonly vary: (draw: Draw, inputs: Written, nth: number) => Written;
  /**
   * Returns inputs for an object that replaces another one while the old one may still exist. Default: another name.
   * Null if there are no such inputs.
   */
  readonly successor?: ((inputs: Written, nth: number) => Written) | null;
  /**
   * Returns true if these inputs created a row of the kind. `isMadeBy` compares the VPC. Default: the name is equal.
   */
  readonly is?: (row: Row, inputs: Values) => boolean;
  /** Kind in the emulator, if its name differs. */
  readonly emulatorKind?: string;
  /** Returns the id in the provider, if it is not the KRN. */
  readonly idOf?: (row: Row) => string;
  /** Set if many rows are one object of a stack. */
  readonly many?: Many;
  /** True if no route deletes its objects: they stay after the destroy. */
  readonly permanent?: true;
  /** True if the first parent of its objects is not the VPC of the inputs. */
  readonly outsideVpc?: true;
  /**
   * True if its objects remain after their VPC, to which they only refer: once a VPC is replaced, no create finds an object in it
   * whose id only a killed process had.
   */
  readonly outlivesVpc?: true;
  /**
   * True if no listing shows which address an object belongs to: an ambiguous response may lead to two objects, and an
   * object whose id only a killed process had may remain.
   */
  readonly unlisted?: true;
  /** Returns a change by another user, in the fields of the emulator. */
  readonly drift?: (draw: Draw, row: Row) => Readonly<Record<string, unknown>>;
  /** Fields of the emulator that an update may change, by path, each with its field in the definition (I18). */
  readonly writes?: Readonly<Record<string, string>>;
}

const loaded = resources.map(async ({ name }) => {
  const { simulatedKind } = (await import(`../kind/${name}.ts`)) as { readonly simulatedKind: SimulatedKind };
  return [name, simulatedKind] as const;
});

/** Every resource that the simulation uses, by name. A seed draws from them in the order of `resources/index.ts`. */
export const kinds: Readonly<Record<string, SimulatedKind>> = Object.fromEntries(await Promise.all(loaded));

/** Object of the emulator with its kind. */
export type Row = InventoryItem;
