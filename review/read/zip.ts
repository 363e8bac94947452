import { inflateRawSync } from "node:zlib";

/** Reader of ZIP archives: stored and deflated entries, without ZIP64 and encryption. */

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endSize = 22;
/** Maximum length of the comment after the end record. */
const longestComment = 0xffff;

/** Error for an archive that is damaged or uses an unsupported form. */
export class ZipError extends Error {}

/**
 * Returns the contents of the entries whose names `isWanted` accepts, by name. Throws `ZipError` for a damaged archive, and for
 * an entry of more than `limit` bytes.
 */
export function zipEntries(
  archive: Buffer,
  isWanted: (name: string) => boolean,
  limit: number,
): ReadonlyMap<string, Buffer> {
  try {
    return new Map(entriesIn(archive, isWanted, limit));
  } catch (error) {
    // Errors for an offset outside the archive and for data that cannot be inflated.
    const { code = "" } = error as NodeJS.ErrnoException;
    if (/^(Z_|ERR_OUT_OF_RANGE|ERR_BUFFER_)/.test(code)) throw new ZipError("the archive is damaged");
    throw error;
  }
}

function* entriesIn(
  archive: Buffer,
  isWanted: (name: string) => boolean,
  limit: number,
): Generator<[string, Buffer]> {
  const end = endOf(archive);
  let position = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(position) !== entrySignature) throw new ZipError("the archive is damaged");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(position + offset),
    ) as [number, number, number];
    const name = archive.toString("utf8", position + 46, position + 46 + nameLength);
    if (isWanted(name)) yield [name, contentOf(archive, position, limit)];
    position += 46 + nameLength + extraLength + commentLength;
  }
}

function endOf(archive: Buffer): number {
  for (
    let position = archive.length - endSize;
    position >= Math.max(0, archive.length - endSize - longestComment);
    position -= 1
  )
    if (archive.readUInt32LE(position) === endSignature) return position;
  throw new ZipError("the archive is truncated: it has no directory");
}

/** Returns the content of the entry whose directory record is at this offset. */
function contentOf(archive: Buffer, position: number, limit: number): Buffer {
  const method = archive.readUInt16LE(position + 10);
  const size = archive.readUInt32LE(position + 20);
  const local = archive.readUInt32LE(position + 42);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  if (start + size > archive.length) throw new ZipError("the archive is truncated");
  const data = archive.subarray(start, start + size);
  if (method === 0) return data;
  if (method !== 8) throw new ZipError(`the archive uses the unsupported compression method ${method}`);
  return inflateRawSync(data, { maxOutputLength: limit });
}
