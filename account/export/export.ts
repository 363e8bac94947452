import type { Given } from "../../provider/config/config.ts";
import type { Ports } from "../../provider/platform/ports.ts";
import { resources } from "../../resources/index.ts";
import type { Filter } from "../filter.ts";
import { type Gap, type Progress, readInventory, requireSelection } from "../inventory.ts";
import { readOrphans } from "../orphans.ts";
import { inReadSession } from "../session.ts";
import type { StateFile } from "../state/recorded.ts";
import { type Project, projectOf } from "./project.ts";

/** Account as a program, with the parts of the account that it lacks. */
export interface ExportedAccount {
  readonly project: Project;
  readonly gaps: readonly Gap[];
  /** Numbers of the selected objects that the program leaves out: those of the states, and those that are too young. */
  readonly leftOut: { readonly managed: number; readonly young: number };
  /** Removes secrets of the settings from a text. */
  redact(text: string): string;
}

export interface ExportOptions {
  readonly filter: Filter;
  /** States whose objects the program leaves out; undefined for a program with all objects. */
  readonly states?: readonly StateFile[] | undefined;
  readonly stop: AbortSignal;
  readonly report?: (progress: Progress) => void;
}

/**
 * Reads an account with these settings and makes its program. Sends only reads. Throws `ConfigError` for invalid settings,
 * `InventoryError` if nothing could be read, and `ForeignStateError` for a state of another account or region.
 */
export const exportAccount = (
  given: Given,
  ports: Ports,
  { states, ...options }: ExportOptions,
): Promise<ExportedAccount> =>
  inReadSession({ given, ports, command: "export" }, async (session) => {
    const { redact } = session;
    const reading = { ...options, resources };
    if (states === undefined) {
      const inventory = await readInventory(session, reading);
      requireSelection(inventory, options.filter);
      const { objects, gaps } = inventory;
      return { project: projectOf(session, objects), gaps, leftOut: { managed: 0, young: 0 }, redact };
    }
    const { orphans, young, selection } = await readOrphans(session, reading, states);
    requireSelection(selection, options.filter);
    const objects = orphans.map(({ object }) => object);
    return {
      project: projectOf(session, objects),
      gaps: selection.gaps,
      leftOut: { managed: selection.objects.length - objects.length - young.length, young: young.length },
      redact,
    };
  });
