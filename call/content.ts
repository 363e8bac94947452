import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "./world.ts";

/** Content of `--content`. */
export interface SentContent {
  /** File with the content. */
  readonly path: string;
  /** Removes a copy of standard input. */
  remove(): void;
}

/** Returns the content: a file, or a copy of standard input in a file of the user, since its size and digests are sent before it. */
export async function sentContent(path: string, input: World["input"]): Promise<SentContent> {
  if (path !== "-") return { path, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "kcloud-call-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  // A second interrupt ends the process.
  process.once("exit", removeFolder);
  const remove = () => {
    process.off("exit", removeFolder);
    removeFolder();
  };
  try {
    const copy = join(folder, "content");
    const file = await open(copy, "wx", 0o600);
    try {
      for await (const part of input()) await file.writeFile(part);
    } finally {
      await file.close();
    }
    return { path: copy, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
