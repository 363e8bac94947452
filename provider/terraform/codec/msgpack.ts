import { emptyRecord, UNKNOWN } from "../../core/value.ts";

/**
 * MessagePack as far as engines use it: null, booleans, numbers, text, arrays, maps, and extensions for unknown values. A
 * message is decoded or encoded in one step, so that its bytes and the position in them are variables of this module: a
 * library takes several times as long, much of it for what no engine sends.
 */

let input: Buffer = Buffer.alloc(0);
/** Position of the next byte to read. */
let next = 0;

/**
 * Decodes a message. Maps become records of `emptyRecord`, unknown values `UNKNOWN`, and integers that are not safe
 * bigints. Throws `RangeError` on invalid bytes.
 */
export function decodeMsgpack(bytes: Uint8Array): unknown {
  input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  next = 0;
  const value = read();
  if (next !== input.length) throw new RangeError("a message of MessagePack holds more than one value");
  return value;
}

function read(): unknown {
  const form = readUint(1);
  if (form < 0x80) return form;
  if (form < 0x90) return readMap(form & 0x0f);
  if (form < 0xa0) return readArray(form & 0x0f);
  if (form < 0xc0) return readText(form & 0x1f);
  if (form >= 0xe0) return form - 0x100;
  switch (form) {
    case 0xc0:
      return null;
    case 0xc2:
      return false;
    case 0xc3:
      return true;
    case 0xc7:
      return readExtension(readUint(1));
    case 0xc8:
      return readExtension(readUint(2));
    case 0xc9:
      return readExtension(readUint(4));
    case 0xca:
      return input.readFloatBE(take(4));
    case 0xcb:
      return input.readDoubleBE(take(8));
    case 0xcc:
      return readUint(1);
    case 0xcd:
      return readUint(2);
    case 0xce:
      return readUint(4);
    case 0xcf:
      return safeInteger(input.readBigUInt64BE(take(8)));
    case 0xd0:
      return input.readInt8(take(1));
    case 0xd1:
      return input.readInt16BE(take(2));
    case 0xd2:
      return input.readInt32BE(take(4));
    case 0xd3:
      return safeInteger(input.readBigInt64BE(take(8)));
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return readExtension(1 << (form - 0xd4));
    case 0xd9:
      return readText(readUint(1));
    case 0xda:
      return readText(readUint(2));
    case 0xdb:
      return readText(readUint(4));
    case 0xdc:
      return readArray(readUint(2));
    case 0xdd:
      return readArray(readUint(4));
    case 0xde:
      return readMap(readUint(2));
    case 0xdf:
      return readMap(readUint(4));
    default:
      throw new RangeError(`MessagePack of an unsupported form: 0x${form.toString(16)}`);
  }
}

/** Moves behind the next `length` bytes. Returns the position of the first one. */
function take(length: number): number {
  const from = next;
  next += length;
  if (next > input.length) throw new RangeError("MessagePack ends within a value");
  return from;
}

function readUint(length: 1 | 2 | 4): number {
  const from = take(length);
  if (length === 1) return input[from] ?? 0;
  return length === 2 ? input.readUInt16BE(from) : input.readUInt32BE(from);
}

const safeInteger = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value;

function readText(length: number): string {
  const from = take(length);
  return input.toString("utf8", from, next);
}

function readArray(length: number): unknown[] {
  const items: unknown[] = [];
  for (let left = length; left > 0; left--) items.push(read());
  return items;
}

function readMap(size: number): object {
  const map = emptyRecord() as { [key: string]: unknown };
  for (let left = size; left > 0; left--) {
    const key = readKey();
    map[key] = read();
  }
  return map;
}

/** Every extension is an unknown value. Its refinements are ignored. */
function readExtension(length: number): typeof UNKNOWN {
  take(1 + length);
  return UNKNOWN;
}

/** Keys by their length in bytes: most are attribute names, which every value repeats. */
const keys: { readonly bytes: Buffer; readonly key: string }[][] = [];
/** Maximum number of keys per length: the number of keys that users choose is unbounded. */
const maxKeysPerLength = 32;

function readKey(): string {
  const form = input[next] ?? 0;
  if (form >= 0xa0 && form < 0xc0) {
    next += 1;
    return readShortKey(form & 0x1f);
  }
  const key = read();
  if (typeof key !== "string") throw new RangeError("a key in MessagePack is not text");
  return key;
}

function readShortKey(length: number): string {
  const from = take(length);
  keys[length] ??= [];
  const known = keys[length];
  for (const { bytes, key } of known) {
    let index = 0;
    while (index < length && bytes[index] === input[from + index]) index++;
    if (index === length) return key;
  }
  const key = input.toString("utf8", from, next);
  if (known.length < maxKeysPerLength) known.push({ bytes: Buffer.from(input.subarray(from, next)), key });
  return key;
}

/** Size of the output in bytes. A larger one is released after its message. */
const outputSize = 64 * 1024;
let output = Buffer.allocUnsafeSlow(outputSize);
/** Position of the next byte to write. */
let end = 0;

/** Returns what `write` writes with the functions below. It may encode another message on the way. */
export function encodeMsgpack(write: () => void): Uint8Array {
  const from = end;
  try {
    write();
    return Uint8Array.prototype.slice.call(output, from, end);
  } finally {
    end = from;
    if (from === 0 && output.length > outputSize) output = Buffer.allocUnsafeSlow(outputSize);
  }
}

/** Makes room for `length` more bytes. */
function reserve(length: number): void {
  if (end + length <= output.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * output.length, end + length));
  output.copy(larger, 0, 0, end);
  output = larger;
}

function writeByte(byte: number): void {
  reserve(1);
  output[end++] = byte;
}

export const writeNull = (): void => writeByte(0xc0);

export const writeBoolean = (value: boolean): void => writeByte(value ? 0xc3 : 0xc2);

const unknown = Uint8Array.of(0xd4, 0, 0);
/** Writes an unknown value without refinements. */
export const writeUnknown = (): void => writeEncoded(unknown);

/** Writes the start of an array; its items follow. */
export const writeArrayStart = (length: number): void => writeStart(length, 0x90, 0xdc);

/** Writes the start of a map; its keys and values follow in turn. */
export const writeMapStart = (size: number): void => writeStart(size, 0x80, 0xde);

/** Writes the number of the parts of a value: with the form `short` up to 15, else in 2 or 4 bytes. */
function writeStart(count: number, short: number, long: number): void {
  if (count < 0x10) writeByte(short + count);
  else writeLength(count, long);
}

/** Writes a length in 2 bytes with the form `form`, or in 4 bytes with the form after it. */
function writeLength(length: number, form: number): void {
  reserve(5);
  output[end++] = length < 0x10000 ? form : form + 1;
  end = length < 0x10000 ? output.writeUInt16BE(length, end) : output.writeUInt32BE(length, end);
}

/** Writes bytes that are a value or a key already. */
export function writeEncoded(bytes: Uint8Array): void {
  reserve(bytes.length);
  output.set(bytes, end);
  end += bytes.length;
}

/** Writes text as a value or a key. The text must be well-formed. */
export function writeText(text: string): void {
  if (tryAscii(text)) return;
  const length = Buffer.byteLength(text);
  writeTextStart(length);
  reserve(length);
  end += output.write(text, end);
}

/** Writes text of ASCII characters and returns true. For any other text it writes nothing and returns false. */
export function tryAscii(text: string): boolean {
  const before = end;
  writeTextStart(text.length);
  reserve(3 * text.length);
  // In UTF-8, any other character has more bytes than it has units.
  const written = output.write(text, end);
  end = written === text.length ? end + written : before;
  return written === text.length;
}

function writeTextStart(length: number): void {
  if (length < 0x20) writeByte(0xa0 + length);
  else if (length < 0x100) {
    writeByte(0xd9);
    writeByte(length);
  } else writeLength(length, 0xda);
}
