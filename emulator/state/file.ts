import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

/** Raised by one with every change of the file's layout; `readState` refuses a version it does not know. */
export const stateVersion = 1;

const snapshotSchema = z.object({
  version: z.literal(stateVersion),
  /** The emulator's time when it was written: a manual clock goes on from here. */
  savedAt: z.number(),
  seed: z.string(),
  counters: z.record(z.string(), z.int()),
  tables: z.record(z.string(), z.array(z.looseObject({ krn: z.string() }))),
});

export type Snapshot = z.output<typeof snapshotSchema>;

/** A state file that cannot be used: the message names it and says why. */
export class StateFileError extends Error {
  constructor(file: string, reason: string, advice = "move it away or name another one") {
    super(`the state file ${file} ${reason}; ${advice}`);
    this.name = "StateFileError";
  }
}

/** What the file holds, undefined when there is none; throws `StateFileError`. */
export function readState(file: string): Snapshot | undefined {
  if (!existsSync(file)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new StateFileError(file, "is not readable JSON");
  }
  const snapshot = snapshotSchema.safeParse(value);
  if (!snapshot.success)
    throw new StateFileError(file, `is not an emulator state of version ${stateVersion}`);
  return snapshot.data;
}

/** Replaces the file in one step: after a crash it holds the old or the new text, never a part. Throws `StateFileError`. */
export function writeState(file: string, snapshot: Snapshot): void {
  const draft = `${file}.tmp`;
  try {
    withFile(draft, "w", (descriptor) => {
      writeFileSync(descriptor, `${JSON.stringify(snapshot, undefined, 2)}\n`);
      fsyncSync(descriptor);
    });
    renameSync(draft, file);
    // The rename reaches the disk with its folder; Windows cannot open folders and needs no such step.
    if (process.platform !== "win32") withFile(dirname(file), "r", fsyncSync);
  } catch (error) {
    throw new StateFileError(file, `cannot be written (${(error as Error).message})`);
  }
}

function withFile(path: string, flags: "r" | "w", use: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags, 0o600);
  try {
    use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
