import type { InventoryItem } from "../../../emulator/admin/inventory.ts";
import type { Stack, Written } from "../adapter.ts";

/** Lifecycle of one resource, in the file of its name in `test/kind/`. */
export interface LifecycleCase {
  /** Kind in the emulator. Default: the name of the resource with underscores. */
  readonly kind?: string;
  /**
   * Returns the id of an emulator object in the engine; null for objects that other resources create. Default: the KRN.
   */
  readonly idOf?: (item: InventoryItem) => string | null;
  /** Other objects that the resource needs, in addition to the network; they stay the same in all stages. */
  readonly dependencies?: Stack;
  readonly inputs: Written;
  /** Inputs that change the object in place; null if the API has no route for that. */
  readonly update: Written | null;
  /** Inputs that replace the object by one with another name. */
  readonly replace: Written;
  /** Inputs that replace the object by one with the same name. */
  readonly replaceSameName: Written;
  /**
   * Inputs of the last stage. Default: `replace`. Needed if an object that cannot be deleted would conflict with
   * `replace`.
   */
  readonly last?: Written;
  /**
   * Change through the console, in fields of the emulator, and the planned action after it; null if no change is
   * possible.
   */
  readonly drift: {
    readonly change: Readonly<Record<string, unknown>>;
    readonly planned: "update" | "replace";
  } | null;
  /**
   * Planned action after another user deleted the object. Default: `create`. `never` if it cannot be deleted alone, or no read
   * shows that it was deleted.
   */
  readonly deleted?: "replace" | "never";
  /**
   * Returns the KRNs that disappear when another user deletes the object: its own and those of objects that
   * are deleted with it. Default: its KRN.
   */
  readonly removedWith?: (item: InventoryItem) => readonly string[];
  /** True if no route deletes the object. Other resources create objects of this kind, so some are not in the state. */
  readonly undeletable?: true;
  /** True if the object exists only in the state, and the emulator stores none. */
  readonly stateOnly?: true;
  /**
   * Returns the import id of an object with these inputs, from its id and that of the network; references are resolved
   * to ids. Null if the API does not show the object, so that it cannot be imported.
   */
  readonly importId: ((id: string, vpc: string, inputs: Written) => string) | null;
  /**
   * True if the API does not return all fields: the first apply after an import records them in the state, without a request.
   */
  readonly recordedByApply?: true;
  /** Names of the dependencies to which `recordedByApply` applies too. */
  readonly recordedAround?: readonly string[];
}

/** Reference to the VPC that all lifecycle cases share. */
export const inNetwork = { ref: "network", property: "id" };

/** Parts of the cases of text requests, which only the state holds. */
export const ofRequest = {
  stateOnly: true,
  update: null,
  drift: null,
  deleted: "never",
  importId: null,
} as const;

/** Parts of the cases of document jobs. */
export const ofJob = {
  kind: "document_job",
  update: null,
  drift: null,
  // A finished job is not read again.
  deleted: "never",
  undeletable: true,
  importId: (id: string) => id,
  recordedByApply: true,
} as const;
