import { CommandError } from "../../command/run.ts";
import type { Engine, EngineOptions } from "../engine/engine.ts";
import type { Refusal } from "../folder/entry.ts";
import type { Access } from "../folder/stack.ts";

/** Folder that is checked, and opened when the emulator has an address. */

export interface OpenOptions extends Pick<EngineOptions, "program" | "limit" | "stop"> {
  readonly access: Access;
  /** Settings with which the provider uses the emulator, by their environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** True if the engine sees only the files and processes that it needs. */
  readonly isIsolated: boolean;
}

/** Engine in a copy. */
export interface Opened {
  readonly engine: Engine;
  remove(): void;
}

/** Folder that was checked. */
export interface Prepared {
  /** Assumed facts, each as a clause. */
  readonly assumed: readonly string[];
  open(more: OpenOptions): Promise<Opened>;
}

/** Throws `CommandError` if there are refused parts. */
export function refuse(refusals: readonly Refusal[]): void {
  if (refusals.length > 0)
    throw new CommandError(
      `the configuration has parts that a rehearsal does not run:\n${refusals.map(({ place, reason }) => `  ${place}: ${reason}`).join("\n")}`,
    );
}
