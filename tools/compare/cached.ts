import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder } from "../engines/cache.ts";
import type { Part, Texts } from "./part.ts";
import type { Revision } from "./revision.ts";
import { loadStages } from "./stack.ts";

/**
 * Returns a hash of everything that a recording depends on except the revision: the version of Node, this tool, and the
 * stack.
 */
async function hashOfTool(): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  const entries = await readdir(import.meta.dirname, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(({ name }) => name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) hash.update(await readFile(file));
  return hash
    .update(JSON.stringify(await loadStages()))
    .digest("hex")
    .slice(0, 16);
}

/**
 * Returns a part that runs `part` once for each revision and caches its texts until this tool, the stack or the version of Node
 * changes.
 */
export async function cached(name: string, part: Part): Promise<Part> {
  const tool = await hashOfTool();
  return async (revision: Revision, renamed) => {
    const file = join(cacheFolder(), "compare", "text", `${revision.tree}-${tool}`, `${name}.json`);
    const known = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return undefined;
    });
    if (known !== undefined) return JSON.parse(known) as Texts;
    const texts = await part(revision, renamed);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(texts));
    return texts;
  };
}
