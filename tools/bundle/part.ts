import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/** Runs the parts of a bundled program. Every bundle with parts, and every part with parts, contains this module. */

/** Bytes in a file. */
export interface Range {
  readonly at: number;
  readonly length: number;
}

/** Position of a part in its file, and of its code cache in the file of the code caches. */
export interface Part extends Range {
  /** Name of its file, in the folder of the program. Default: the program. */
  readonly file?: string;
  readonly cache?: Range & {
    /** SHA-256 of the bytes of the part and of the cache, in hexadecimal. */
    readonly digest: string;
  };
}

/** Table of the parts of a program. The last line of the program contains the table as a comment. */
export interface Table {
  readonly parts: Readonly<Record<string, Part>>;
  readonly caches?: {
    /** Name of the file of the code caches, in the folder of the program. */
    readonly file: string;
    /** Runtime that created the code caches. */
    readonly runtime: string;
  };
}

/** End of a comment, and its replacement inside a comment. */
export const [end, disguised] = ["*/", "*\0/"];

/** Maximum length of the line with the table in bytes. */
export const longestTable = 4096;

/** Returns the runtime of this process. V8 code caches are valid for one version and processor. */
export const runtime = (): string =>
  [process.version, process.versions.v8, process.platform, process.arch].join(" ");

function read(file: number, { at, length }: Range): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}

/** Returns the table of an open program, and its position in the file. */
export function tableOf(program: number): Table & { readonly at: number } {
  const { size } = fstatSync(program);
  const from = Math.max(0, size - longestTable);
  const tail = read(program, { at: from, length: size - from }).toString("latin1");
  const start = tail.lastIndexOf("/*{");
  return { ...JSON.parse(tail.slice(start + "/*".length, tail.lastIndexOf(end))), at: from + start };
}

/** Returns the bytes of a part of an open program. */
export function bytesOf(
  part: Part,
  { program, folder }: { readonly program: number; readonly folder: string },
): Buffer {
  if (part.file === undefined) return read(program, part);
  const other = openSync(join(folder, part.file), "r");
  try {
    return read(other, part);
  } finally {
    closeSync(other);
  }
}

/** Returns the source of a part from its bytes in the program. */
export const sourceOf = (bytes: Buffer): string => bytes.toString("latin1").replaceAll(disguised, end);

/**
 * Returns the code cache of a part; undefined if the file does not exist or the digest differs. V8 compares only the
 * length of the source and would run any other code of the cache.
 */
function readCache(path: string, part: Buffer, { digest, ...range }: Required<Part>["cache"]) {
  try {
    const file = openSync(path, "r");
    try {
      const cache = read(file, range);
      if (digestOf(part, cache) === digest) return cache;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
  }
  process.stderr.write(`${path} is not the file of this program and is not used: the start takes longer.\n`);
  return undefined;
}

/** Returns the digest that ties a code cache to its part. */
export const digestOf = (part: Buffer, cache: Buffer): string =>
  // A program whose parts have no code caches does not load the module.
  process.getBuiltinModule("node:crypto").createHash("sha256").update(part).update(cache).digest("hex");

/** Runs a part of the program `file` as a CommonJS module with the variables of the module that imports it. */
export function runPart(
  name: string,
  exports: object,
  require: NodeJS.Require,
  module: object,
  file: string,
): void {
  const program = openSync(file, "r");
  try {
    const { parts, caches } = tableOf(program);
    const part = parts[name];
    if (part === undefined) throw new Error(`${file} has no part ${name}`);
    const bytes = bytesOf(part, { program, folder: dirname(file) });
    const cachedData =
      part.cache && caches?.runtime === runtime()
        ? readCache(join(dirname(file), caches.file), bytes, part.cache)
        : undefined;
    const script = new Script(sourceOf(bytes), { filename: name, cachedData });
    script.runInThisContext()(exports, require, module, file);
  } finally {
    closeSync(program);
  }
}
