import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { InputError } from "../core/error.ts";
import type { ByteStream } from "../platform/ports.ts";

/** Content whose size and digests are known before it is sent: a text, bytes, or a file of this machine. */
export interface Content extends ByteStream {
  /** SHA-256 digest in hex. */
  readonly sha256: string;
  /** MD5 digest in hex. Storage mostly returns it as the etag. */
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

/** Results by file status, so that a plan and its apply read a large file only once each. */
const known = new Map<string, Sums>();

const stateOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(" ");

/**
 * Returns a file as content. Reads the file now for its digests; a later read throws if the file has changed. Throws
 * `InputError` at `field` if the file cannot be read.
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
  EACCES: "may not be read",
  EPERM: "may not be read",
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

function sumsOf(path: string, refuse: Refuse): Sums {
  const state = stateOf(statSync(path, { bigint: true }));
  const found = known.get(state);
  if (found !== undefined) return found;
  const descriptor = openSync(path, "r");
  try {
    if (!fstatSync(descriptor).isFile()) throw refuse("is no file");
    const [sha256, md5] = [createHash("sha256"), createHash("md5")];
    const part = Buffer.alloc(partSize);
    let size = 0;
    for (let length = readSync(descriptor, part); length > 0; length = readSync(descriptor, part)) {
      sha256.update(part.subarray(0, length));
      md5.update(part.subarray(0, length));
      size += length;
    }
    if (stateOf(fstatSync(descriptor, { bigint: true })) !== state) throw refuse("changed while it was read");
    const sums = { state, size, sha256: sha256.digest("hex"), md5: md5.digest("hex") };
    known.set(state, sums);
    return sums;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads the file again without computing digests, which would take longer than the network. The last part is returned
 * only if the file status is unchanged, so that a changed file is never sent completely.
 */
async function* readAgain(path: string, { size, state }: Sums, refuse: Refuse): AsyncGenerator<Uint8Array> {
  const file = await open(path).catch((error) => {
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
