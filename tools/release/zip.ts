import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import { type Entry, epoch } from "./entry.ts";

/**
 * Zip archives by the format's APPNOTE. The bytes depend only on the entries, not on times, owners or the order of a file
 * system.
 */

/** Compresses bytes to the format that RFC 1951 describes. */
type Deflate = (data: Uint8Array) => Promise<Buffer>;

const zlib: Deflate = (data) => promisify(deflateRaw)(data, { level: 9 });

/** Operating system in "version made by": Unix, so that the permissions of a file are read. */
const unix = 3;
/** Version of the format that the archives need: 2.0, for compression. */
const needed = 20;
const deflated = 8;
/** Type bits of a regular file in a Unix mode. */
const regular = 0o100000;

/** Time of every file in the form of DOS: two seconds, minutes, hours; day, month, years since 1980. */
const time = (epoch.getUTCHours() << 11) | (epoch.getUTCMinutes() << 5) | (epoch.getUTCSeconds() >> 1);
const date = ((epoch.getUTCFullYear() - 1980) << 9) | ((epoch.getUTCMonth() + 1) << 5) | epoch.getUTCDate();

/** Number and its size in bytes. */
type Field = readonly [value: number, size: 2 | 4];

function record(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [, size]) => sum + size, 0));
  let offset = 0;
  for (const [value, size] of fields) offset = bytes.writeUIntLE(value, offset, size);
  return bytes;
}

/** Returns a zip archive with these files, sorted by their names. */
export async function zip(entries: readonly Entry[], deflate = zlib): Promise<Buffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, mode } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = Buffer.from(name);
    const body = await deflate(data);
    const shared: readonly Field[] = [
      [needed, 2],
      [0, 2], // flags
      [deflated, 2],
      [time, 2],
      [date, 2],
      [crc32(data), 4],
      [body.length, 4],
      [data.length, 4],
      [path.length, 2],
      [0, 2], // extra fields
    ];
    directory.push(
      record(
        [0x02014b50, 4],
        [(unix << 8) | needed, 2],
        ...shared,
        [0, 2], // comment
        [0, 2], // disk
        [0, 2], // internal attributes
        [((regular | mode) << 16) >>> 0, 4],
        [offset, 4],
      ),
      path,
    );
    const file = [record([0x04034b50, 4], ...shared), path, body];
    parts.push(...file);
    offset += file.reduce((sum, { length }) => sum + length, 0);
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = entries.length;
  const end = record([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...parts, ...directory, end]);
}
