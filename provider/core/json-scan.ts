/** Finds the ends of JSON values in bytes that arrive in parts, by quotes and brackets, without parsing them. */

export const [quote, backslash, comma, colon, newline] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a];
export const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Meaning of each byte inside of a text: 0 for plain characters. */
const inText = new Uint8Array(256);
const [ends, escapes, foreign] = [1, 2, 3];
inText[quote] = ends;
inText[backslash] = escapes;
inText.fill(foreign, 0x80);

export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;

/** Returns true for bytes between values. */
const isBetween = (byte: number): boolean => byte === comma || byte === colon || isSpace(byte);

/** Progress of the scan of one value. */
export interface ValueScan {
  /** Number of open brackets. */
  depth: number;
  isText: boolean;
  /** True if all characters are ASCII and none is escaped. */
  isPlain: boolean;
  /** True after the end of the value. A number or a word may also end with the input. */
  isEnd: boolean;
}

export const beginScan = (): ValueScan => ({ depth: 0, isText: false, isPlain: true, isEnd: false });

/**
 * Scans a value from a position on, to its end or to the end of the bytes. Returns the position of the first byte that is not
 * scanned. After a backslash at the end, that is the second byte that follows.
 */
export function scanValue(scan: ValueScan, bytes: Uint8Array, from: number, end: number): number {
  // Local variables are several times faster than properties.
  let { depth, isText, isPlain } = scan;
  let isEnd = false;
  let position = from;
  while (position < end && !isEnd) {
    if (isText) {
      let sign = 0;
      while (position < end && sign === 0) sign = inText[bytes[position++] as number] as number;
      if (sign === ends) {
        isText = false;
        isEnd = depth === 0;
      } else if (sign !== 0) isPlain = false;
      // The character after a backslash never ends the text.
      if (sign === escapes) position += 1;
      continue;
    }
    const byte = bytes[position++] as number;
    if (byte === quote) isText = true;
    else if (byte === openObject || byte === openList) depth += 1;
    else if (byte === closeObject || byte === closeList) {
      depth -= 1;
      isEnd = depth <= 0;
      // A number or a word ends before the bracket around it.
      if (depth < 0) position -= 1;
    } else if (depth === 0 && isBetween(byte)) {
      position -= 1;
      isEnd = true;
    }
  }
  scan.depth = depth;
  scan.isText = isText;
  scan.isPlain = isPlain;
  scan.isEnd = isEnd;
  return position;
}
