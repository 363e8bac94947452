import type { InventoryItem } from "../../../emulator/admin/inventory.ts";
import type { Stack, Written } from "../adapter.ts";

/** What one resource of the lifecycle table goes through; each is a file of its name in `lifecycle/`. */
export interface LifecycleCase {
  /** What the emulator calls it. Default: as its definition does. */
  readonly kind?: string;
  /** The id that an engine knows an object of the emulator by; none for what others make. Default: its KRN. */
  readonly idOf?: (item: InventoryItem) => string | null;
  /** What it needs around it, beside the network; it stays as it is through all stages. */
  readonly around?: Stack;
  readonly inputs: Written;
  /** Inputs that change in place; null where the cloud has no route for that. */
  readonly update: Written | null;
  /** Inputs that make another object, under another name. */
  readonly replace: Written;
  /** Inputs that make another object under the same name. */
  readonly replaceSameName: Written;
  /** What it is in the end, `replace` if nothing is said; of what stays, one of those before would be in the way. */
  readonly last?: Written;
  /** What somebody changes in the console, in the emulator's words, and what a plan then says; null where nobody can. */
  readonly drift: {
    readonly change: Readonly<Record<string, unknown>>;
    readonly planned: "update" | "replace";
  } | null;
  /** What a plan says once somebody deleted it. Default: it is created. `never` where nobody can delete it alone. */
  readonly deleted?: "replace" | "never";
  /** What goes where somebody deletes it outside: its KRN, and what else stands there for it. Default: its KRN. */
  readonly goes?: (item: InventoryItem) => readonly string[];
  /** No route deletes it, and others make some too: of its kind there are more than the engine knows. */
  readonly stays?: true;
  /**
   * The import id of an object of these inputs, from its id and that of the network; references are ids here. Null
   * where nothing shows it, and so nobody can import it.
   */
  readonly importId: ((id: string, vpc: string, inputs: Written) => string) | null;
  /** The cloud cannot tell all of it: the first apply after an import writes that down, and sends nothing. */
  readonly writtenDown?: true;
  /** The names of those around it of which that is true too. */
  readonly writtenAround?: readonly string[];
}

/** The VPC that stands around all lives. */
export const inNetwork = { ref: "network", property: "id" };
