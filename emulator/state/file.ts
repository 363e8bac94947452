import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";

/** Version of the file format; `readState` rejects any other. Increase it with every change of the format. */
export const stateVersion = 1;

const snapshotSchema = z.object({
  version: z.literal(stateVersion),
  /** Time of the emulator's clock at the write; a manual clock resumes from it. */
  savedAt: z.number(),
  seed: z.string(),
  counters: z.record(z.string(), z.int()),
  tables: z.record(z.string(), z.array(z.looseObject({ krn: z.string() }))),
});

export type Snapshot = z.output<typeof snapshotSchema>;

/** Error for a state file that cannot be used; the message names the file and the reason. */
export class StateFileError extends Error {
  constructor(file: string, reason: string, advice = "move it away or name another one") {
    super(`the state file ${file} ${reason}; ${advice}`);
    this.name = "StateFileError";
  }
}

/** Reads a state file; undefined when the file does not exist. Throws `StateFileError`. */
export function readState(file: string): Snapshot | undefined {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (status.isDirectory()) throw new StateFileError(file, "is a folder", "name a file in it");
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

/** Replaces the file atomically: after a crash it contains either the old or the new text. Throws `StateFileError`. */
export function writeState(file: string, snapshot: Snapshot): void {
  const draft = `${file}.tmp`;
  try {
    withFile(draft, "w", (descriptor) => {
      writeFileSync(descriptor, `${JSON.stringify(snapshot, undefined, 2)}\n`);
      fsyncSync(descriptor);
    });
    renameSync(draft, file);
    // The rename is durable once its folder is synced; Windows cannot open folders and needs no such step.
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
