import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Entry, epoch } from "./entry.ts";

/** Tar archives in the format `ustar` of POSIX. The bytes depend only on the entries. */

const block = 512;
const compress = promisify(gzip);

/** Returns a number as the octal text that fills a field of this width, which ends with a zero byte. */
const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`;

function header({ name, data, mode }: Entry): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`${name} is longer than 100 bytes`);
  const bytes = Buffer.alloc(block);
  const fields: readonly (readonly [offset: number, text: string])[] = [
    [0, name],
    [100, octal(mode, 8)],
    [108, octal(0, 8)], // user
    [116, octal(0, 8)], // group
    [124, octal(data.length, 12)],
    [136, octal(epoch.getTime() / 1000, 12)],
    [148, " ".repeat(8)], // checksum, counted as spaces
    [156, "0"], // regular file
    [257, "ustar\0" + "00"],
  ];
  for (const [offset, text] of fields) bytes.write(text, offset);
  bytes.write(
    `${octal(
      bytes.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return bytes;
}

/** Returns a tar archive with these files, sorted by their names. */
export function tar(entries: readonly Entry[]): Buffer {
  const parts = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => [header(entry), entry.data, Buffer.alloc(-entry.data.length & (block - 1))]);
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

/** Returns a compressed tar archive with these files. */
export const tarGz = (entries: readonly Entry[]): Promise<Buffer> => compress(tar(entries));
