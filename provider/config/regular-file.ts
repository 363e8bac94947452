import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";

/** Flags of a non-blocking open: a named pipe would block the process until somebody writes to it. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Returns the text of bytes without a byte-order mark, in UTF-16 if the mark says so: editors of Windows write both. */
const textOf = (bytes: Uint8Array): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);

/** Returns text and status of a regular file; undefined if the file is missing, of another type or not readable. */
export function readRegularFile(file: string): { readonly text: string; readonly status: Stats } | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, flags);
    const status = fstatSync(handle);
    return status.isFile() ? { text: textOf(readFileSync(handle)), status } : undefined;
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
