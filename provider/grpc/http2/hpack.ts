/**
 * Compression of HTTP/2 header fields (RFC 7541): decodes everything that a client may send, and encodes without a dynamic
 * table, since the fields of responses are few and constant.
 */

/** Fields by name. Of a name that occurs several times, the last value. */
export type Fields = ReadonlyMap<string, string>;

/** Header block that violates the format or exceeds the limit. The connection cannot continue: its table is out of step. */
export class HeaderError extends Error {
  override readonly name = "HeaderError";
}

/** Size in bytes of the dynamic table, the default of the protocol: the server announces no other. */
const tableSize = 4096;
/** Bytes that each entry of the table counts in addition to its texts (RFC 7541, 4.1). */
const entryOverhead = 32;

/** Static table (RFC 7541, appendix A): names, each followed by its values after `=`. The first entry has index 1. */
const staticTable: readonly (readonly [name: string, value: string])[] =
  `:authority|:method=GET|:method=POST|:path=/|:path=/index.html|:scheme=http|:scheme=https|:status=200|:status=204
:status=206|:status=304|:status=400|:status=404|:status=500|accept-charset|accept-encoding=gzip, deflate|accept-language
accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition
content-encoding|content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect
expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location
max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie
strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate`
    .split(/[|\n]/)
    .map((entry) => {
      const [name = "", value = ""] = entry.split("=");
      return [name, value] as const;
    });

/** Length in bits of the Huffman code of each byte, as a digit in base 36 (RFC 7541, appendix B). */
const codeLengths = [
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca",
  "d67777777777777777777777878djde6f56565666577666567655677777fbeds",
  "kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn",
  "qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq",
].join("");

/** Codes of one length: the first code, and the bytes of it and of the codes that follow. */
interface Codes {
  readonly first: number;
  readonly bytes: readonly number[];
}

const longestCode = 30;

/** Returns the codes by length. The code is canonical: codes of one length follow each other in the order of the bytes. */
function makeCodes(): readonly Codes[] {
  const codes: Codes[] = [];
  for (let length = 0, first = 0; length <= longestCode; length++) {
    const bytes = [...codeLengths].flatMap((digit, byte) =>
      Number.parseInt(digit, 36) === length ? byte : [],
    );
    codes.push({ first, bytes });
    first = (first + bytes.length) * 2;
  }
  return codes;
}

let codes: readonly Codes[] | undefined;

/** Decodes a text in Huffman code, whose last byte is padded with the first bits of the code for the end. */
function unHuffman(coded: Uint8Array): string {
  codes ??= makeCodes();
  const bytes: number[] = [];
  let code = 0;
  let length = 0;
  for (const byte of coded)
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      length += 1;
      const { first, bytes: known } = codes[length] ?? { first: 0, bytes: [] };
      const decoded = known[code - first];
      if (decoded !== undefined) {
        bytes.push(decoded);
        code = 0;
        length = 0;
      } else if (length >= longestCode) throw new HeaderError("invalid Huffman code");
    }
  if (length > 7 || code !== 2 ** length - 1) throw new HeaderError("invalid padding of a Huffman code");
  return Buffer.from(bytes).toString("latin1");
}

/** Position in a header block. */
interface Cursor {
  readonly block: Uint8Array;
  at: number;
}

function readByte(cursor: Cursor): number {
  const byte = cursor.block[cursor.at];
  if (byte === undefined) throw new HeaderError("the header block ends early");
  cursor.at += 1;
  return byte;
}

/** Reads an integer whose first byte has `prefix` bits (RFC 7541, 5.1). */
function readInteger(cursor: Cursor, prefix: number): number {
  const most = 2 ** prefix - 1;
  let value = readByte(cursor) & most;
  if (value < most) return value;
  for (let factor = 1; ; factor *= 128) {
    if (factor > 2 ** 28) throw new HeaderError("an integer is too large");
    const byte = readByte(cursor);
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
}

function readText(cursor: Cursor): string {
  const isHuffman = ((cursor.block[cursor.at] ?? 0) & 128) !== 0;
  const length = readInteger(cursor, 7);
  const bytes = cursor.block.subarray(cursor.at, cursor.at + length);
  if (bytes.length < length) throw new HeaderError("the header block ends early");
  cursor.at += length;
  return isHuffman ? unHuffman(bytes) : Buffer.from(bytes).toString("latin1");
}

/**
 * Returns a decoder for the header blocks of one connection, which need to be decoded in the order of their arrival.
 *
 * @param largest maximum size of the fields of a block in bytes, with the overhead of the protocol for each field
 */
export function createFieldDecoder(largest: number): (block: Uint8Array) => Fields {
  /** Entries of the dynamic table, newest first. */
  const table: (readonly [name: string, value: string])[] = [];
  let size = 0;
  let limit = tableSize;

  const sizeOf = ([name, value]: readonly [string, string]) => name.length + value.length + entryOverhead;
  const evict = (room: number) => {
    while (size > room) size -= sizeOf(table.pop() ?? ["", ""]);
  };
  const entryAt = (index: number): readonly [string, string] => {
    const entry =
      index <= staticTable.length ? staticTable[index - 1] : table[index - 1 - staticTable.length];
    if (entry === undefined) throw new HeaderError("an index is outside of the table");
    return entry;
  };
  const readLiteral = (cursor: Cursor, prefix: number): readonly [string, string] => {
    const index = readInteger(cursor, prefix);
    const name = index === 0 ? readText(cursor) : entryAt(index)[0];
    return [name, readText(cursor)];
  };
  const remember = (entry: readonly [string, string]) => {
    const added = sizeOf(entry);
    evict(Math.max(0, limit - added));
    // An entry that is larger than the table empties the table.
    if (added > limit) return;
    table.unshift(entry);
    size += added;
  };

  return (block) => {
    const cursor: Cursor = { block, at: 0 };
    const fields = new Map<string, string>();
    let total = 0;
    while (cursor.at < block.length) {
      const kind = block[cursor.at] ?? 0;
      // A change of the table size, which is not a field (RFC 7541, 6.3).
      if ((kind & 0xe0) === 0x20) {
        limit = readInteger(cursor, 5);
        if (limit > tableSize || total > 0) throw new HeaderError("invalid change of the table size");
        evict(limit);
        continue;
      }
      const entry =
        (kind & 0x80) !== 0
          ? entryAt(readInteger(cursor, 7))
          : readLiteral(cursor, (kind & 0x40) !== 0 ? 6 : 4);
      if ((kind & 0xc0) === 0x40) remember(entry);
      total += sizeOf(entry);
      if (total > largest) throw new HeaderError("the header fields are too large");
      fields.set(entry[0], entry[1]);
    }
    return fields;
  };
}

/** Encodes an integer with a prefix of 7 bits. */
function encodedInteger(value: number): number[] {
  const most = 127;
  if (value < most) return [value];
  const bytes = [most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

function encodedText(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([Buffer.from(encodedInteger(bytes.length)), bytes]);
}

/** Encodes fields as a header block: names in lower case, values in Latin-1, without indexing (RFC 7541, 6.2.2). */
export const encodeFields = (fields: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [Buffer.of(0), encodedText(name), encodedText(value)]),
  );
