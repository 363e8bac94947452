import type { Given } from "../../provider/config/config.ts";
import type { Session } from "../../provider/engine/engine.ts";
import type { Ports } from "../../provider/platform/ports.ts";
import { resources } from "../../resources/index.ts";
import type { Filter } from "../filter.ts";
import { type Progress, readInventory, requireSelection } from "../inventory.ts";
import type { Journal } from "../journal.ts";
import type { Gap } from "../object.ts";
import { readOrphans } from "../orphans.ts";
import { inReadSession } from "../session.ts";
import type { StateFile } from "../state/recorded.ts";
import { incompleteBlocks, type Project, projectOf } from "./project.ts";

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
  /** Opens the journal of the account of the session; undefined for an export that does not continue another one. */
  readonly openJournal?: ((session: Session) => Journal | undefined) | undefined;
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
  { states, openJournal, ...options }: ExportOptions,
): Promise<ExportedAccount> =>
  inReadSession({ given, ports, command: "export" }, async (session) => {
    const reading = { ...options, resources, journal: openJournal?.(session) };
    const orphans = states && (await readOrphans(session, reading, states));
    const inventory = orphans?.selection ?? (await readInventory(session, reading));
    requireSelection(inventory, options.filter);
    const { objects, gaps } = inventory;
    const project = projectOf(
      session,
      orphans?.orphans.map(({ object }) => object) ?? objects,
      orphans?.objects,
    );
    const young = orphans?.young.length ?? 0;
    const managed = orphans === undefined ? 0 : objects.length - orphans.orphans.length - young;
    return {
      project,
      gaps: [...gaps, ...incompleteBlocks(project)],
      leftOut: { managed, young },
      redact: session.redact,
    };
  });
