import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  // The module `node:fs/promises` is loaded when this member is first used, which few processes do.
  promises as files,
  fstatSync,
  openSync,
  readSync,
  statSync,
} from "node:fs";
import { InputError } from "../core/error.ts";
import { entriesOf, memoize } from "../core/memoize.ts";
import { reveal, type Values } from "../core/value.ts";
import type { ByteStream } from "../platform/ports.ts";
import type { Fields } from "./field.ts";

/** Content whose size and digests are known before it is sent: a text, bytes, or a local file. */
export interface Content extends ByteStream {
  /** SHA-256 digest in hex. */
  readonly sha256: string;
  /** MD5 digest in hex. Object storage usually returns it as the etag. */
  readonly md5: string;
}

/** Returns bytes as content. */
export const bytesContent = (bytes: Uint8Array): Content => ({
  size: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
  md5: createHash("md5").update(bytes).digest("hex"),
  async *read() {
    yield bytes;
  },
});

const partSize = 256 * 1024;

/** Size and digests of a file, and the file status that they belong to. */
interface Sums extends Pick<Content, "size" | "sha256" | "md5"> {
  readonly state: string;
}

/** Digests by file status, so that a plan and its apply read a large file only once each. */
const known = new Map<string, Sums>();

const stateOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(" ");

/**
 * Returns a file as content. Reads the file for its digests, unless `readFiles` has read it; a later read throws if the
 * file has changed. Throws `InputError` at `field` if the file cannot be read.
 */
export function fileContent(path: string, field: string): Content {
  const refuse = (problem: string) => new InputError([{ path: [field], problem: `${path} ${problem}` }]);
  const sums = reading(refuse, () => sumsOf(path, refuse));
  return { ...sums, read: () => readAgain(path, sums, refuse) };
}

type Refuse = (problem: string) => InputError;

const causes: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
  EISDIR: "is a folder",
};

/** Returns an error of the operating system as an `InputError`, and any other error unchanged. */
function explained(error: unknown, refuse: Refuse): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : refuse(causes[code] ?? `cannot be read (${code})`);
}

function reading<T>(refuse: Refuse, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw explained(error, refuse);
  }
}

/** Flags of a non-blocking open: a named pipe would block the process until somebody writes to it. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Returns the status of a regular file; throws for any other file. */
function regular(status: BigIntStats, refuse: Refuse): BigIntStats {
  if (!status.isFile()) throw refuse("is not a file");
  return status;
}

/** Computes size and digests of a file from its parts. `state` is the file status before the first part. */
function summing(state: string, refuse: Refuse) {
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  let size = 0;
  return {
    add(part: Uint8Array) {
      sha256.update(part);
      md5.update(part);
      size += part.length;
    },
    /** Returns the result and stores it in `known`. Throws if the file has changed. */
    end(status: BigIntStats): Sums {
      if (stateOf(status) !== state) throw refuse("changed while it was read");
      const sums = { state, size, sha256: sha256.digest("hex"), md5: md5.digest("hex") };
      known.set(state, sums);
      return sums;
    },
  };
}

function sumsOf(path: string, refuse: Refuse): Sums {
  const state = stateOf(regular(statSync(path, { bigint: true }), refuse));
  const found = known.get(state);
  if (found !== undefined) return found;
  const descriptor = openSync(path, flags);
  try {
    const sum = summing(state, refuse);
    const part = Buffer.alloc(partSize);
    for (let length = readSync(descriptor, part); length > 0; length = readSync(descriptor, part))
      sum.add(part.subarray(0, length));
    return sum.end(regular(fstatSync(descriptor, { bigint: true }), refuse));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns true if no file has this path. */
export function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return causes[(error as NodeJS.ErrnoException).code ?? ""] === causes.ENOENT;
  }
}

/** Call whose signal aborts the reads of files. */
export interface Stoppable {
  readonly signal: AbortSignal;
}

/** Returns the names of the fields whose values are paths of files. */
const fileFields = memoize((fields: Fields): readonly string[] =>
  entriesOf(fields).flatMap(({ name, value: field }) =>
    field.kind === "field" && field.options.file === true ? [name] : [],
  ),
);

/** Reads the files whose paths these values contain, as `readFile` does. Reads the signal of the call only if there are any. */
export async function readFiles(fields: Fields, values: Values, call: Stoppable): Promise<void> {
  for (const name of fileFields(fields)) {
    const path = reveal(values[name] ?? null);
    if (typeof path === "string") await readFile(path, call.signal);
  }
}

/**
 * Computes the digests of a file asynchronously, so that the process can answer other requests; `fileContent` then returns
 * at once. Does not throw for a file that cannot be read: `fileContent` reports the reason. Throws the signal's reason.
 */
export async function readFile(path: string, signal?: AbortSignal): Promise<void> {
  const refuse = (problem: string) => new InputError([{ path: [], problem }]);
  try {
    const state = stateOf(regular(await files.stat(path, { bigint: true }), refuse));
    if (known.has(state)) return;
    const file = await files.open(path, flags);
    try {
      const sum = summing(state, refuse);
      const part = Buffer.alloc(partSize);
      for (;;) {
        signal?.throwIfAborted();
        const { bytesRead } = await file.read(part);
        if (bytesRead === 0) break;
        sum.add(part.subarray(0, bytesRead));
      }
      sum.end(await file.stat({ bigint: true }));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!(explained(error, refuse) instanceof InputError)) throw error;
  }
}

/**
 * Reads the file again without computing digests, which would take longer than the upload. Returns the last part only if
 * the file status is unchanged, so that a changed file is never sent completely.
 */
async function* readAgain(path: string, { size, state }: Sums, refuse: Refuse): AsyncGenerator<Uint8Array> {
  const file = await files.open(path, flags).catch((error) => {
    throw explained(error, refuse);
  });
  try {
    let left = size;
    for (let last = false; !last; ) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(partSize), 0, partSize);
      left -= bytesRead;
      last = bytesRead === 0 || left <= 0;
      if (last && (left !== 0 || stateOf(await file.stat({ bigint: true })) !== state))
        throw refuse("changed since it was planned to be sent");
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
