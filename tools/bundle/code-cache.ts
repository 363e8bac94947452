import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { tableLine } from "../bundle.ts";
import { bytesOf, digestOf, type Part, runtime, sourceOf, tableOf } from "./part.ts";

/** Code caches of a program's parts. They save V8 parsing and compiling the functions that run at the start. */

const recorder = fileURLToPath(new URL("recorder.ts", import.meta.url));

/** Starts a program with these arguments of Node and environment, calls it as in a typical run, and ends it. */
export type Drive = (nodeArgs: readonly string[], environment: Record<string, string>) => Promise<void>;

/**
 * Creates code caches for some parts of a program that `bundle` wrote, by running the program. Writes them to a file in the
 * folder of the program, and their digests into the program.
 */
export async function addCodeCaches(
  program: string,
  names: readonly string[],
  file: string,
  drive: Drive,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kcloud-code-cache-"));
  try {
    await drive(["--no-warnings", "--import", recorder], { KCLOUD_CODE_CACHE: folder });
    const bytes = readFileSync(program);
    const table = readTable(program);
    const parts: Record<string, Part> = { ...table.parts };
    const caches: Buffer[] = [];
    let position = 0;
    for (const name of names) {
      const range = parts[name];
      if (range === undefined) throw new Error(`${program} has no part ${name}`);
      const part = partOf(program, range);
      const cache = readFileSync(join(folder, encodeURIComponent(name)));
      if (new Script(sourceOf(part), { filename: name, cachedData: cache }).cachedDataRejected)
        throw new Error(`V8 rejects the code cache of ${name}`);
      parts[name] = {
        ...range,
        cache: { at: position, length: cache.length, digest: digestOf(part, cache) },
      };
      caches.push(cache);
      position += cache.length;
    }
    writeFileSync(join(dirname(program), file), Buffer.concat(caches));
    const line = tableLine({ parts, caches: { file, runtime: runtime() } });
    writeFileSync(program, Buffer.concat([bytes.subarray(0, table.at), Buffer.from(line)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function partOf(program: string, part: Part): Buffer {
  const file = openSync(program, "r");
  try {
    return bytesOf(part, { program: file, folder: dirname(program) });
  } finally {
    closeSync(file);
  }
}

function readTable(program: string): ReturnType<typeof tableOf> {
  const file = openSync(program, "r");
  try {
    return tableOf(file);
  } finally {
    closeSync(file);
  }
}
