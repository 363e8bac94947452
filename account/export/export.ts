import type { Given } from "../../provider/config/config.ts";
import { openSession, readOnly } from "../../provider/engine/engine.ts";
import type { Ports } from "../../provider/platform/ports.ts";
import { resources } from "../../resources/index.ts";
import type { Filter } from "../filter.ts";
import { type Gap, type Progress, readInventory } from "../inventory.ts";
import { type Project, projectOf } from "./project.ts";

/** Account as a program, with the parts of the account that it lacks. */
export interface ExportedAccount {
  readonly project: Project;
  readonly gaps: readonly Gap[];
  /** Removes secrets of the settings from a text. */
  redact(text: string): string;
}

export interface ExportOptions {
  readonly filter: Filter;
  readonly stop: AbortSignal;
  readonly report?: (progress: Progress) => void;
}

/**
 * Reads an account with these settings and makes its program. Sends only reads. Throws `ConfigError` for invalid settings, and
 * `InventoryError` if nothing could be read.
 */
export async function exportAccount(
  given: Given,
  ports: Ports,
  options: ExportOptions,
): Promise<ExportedAccount> {
  const session = readOnly(openSession(given, ports, () => {}, "export"));
  const { objects, gaps } = await readInventory(session, { ...options, resources }).finally(() =>
    session.objectSession.end(),
  );
  return { project: projectOf(session, objects), gaps, redact: session.redact };
}
