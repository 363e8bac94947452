import { Decoder, Encoder, ExtData } from "@msgpack/msgpack";

/**
 * MessagePack in the form of engines: 64-bit integers, extensions for unknown values, and map keys chosen by users. The
 * library rejects only the key `__proto__`, which is replaced before and restored after its use.
 */

/** Replacement for the key `__proto__`. A lone surrogate has no UTF-8 encoding, so no key on the wire equals it. */
const protoKey = "\ud800";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Cache of decoded keys by byte length: most are attribute names, which occur in every value. */
const keyCache: { readonly bytes: Uint8Array; readonly key: string }[][] = [];
/** Maximum number of cached keys per length: the number of keys chosen by users is unbounded. */
const maxKeysPerLength = 32;

function decodeKey(bytes: Uint8Array, from: number, length: number): string {
  keyCache[length] ??= [];
  const cached = keyCache[length];
  for (const { bytes: known, key } of cached) {
    let at = 0;
    while (at < length && known[at] === bytes[from + at]) at++;
    if (at === length) return key;
  }
  const copy = Uint8Array.from(bytes.subarray(from, from + length));
  const text = utf8.decode(copy);
  const key = text === "__proto__" ? protoKey : text;
  if (cached.length < maxKeysPerLength) cached.push({ bytes: copy, key });
  return key;
}

const decoder = new Decoder({
  useBigInt64: true,
  keyDecoder: { canBeCached: () => true, decode: decodeKey },
});
const encoder = new Encoder();

/** Decodes MessagePack; read the entries of maps with `entries`. Throws for invalid bytes. */
export const decodeMsgpack = (bytes: Uint8Array): unknown => decoder.decode(bytes);

/** Returns the entries of a decoded map with their original keys. */
export const entries = (map: object): [string, unknown][] =>
  Object.entries(map).map(([key, value]) => [key === protoKey ? "__proto__" : key, value]);

export const encodeMsgpack = (value: unknown): Uint8Array => encoder.encode(value);

/** Returns true for an unknown value, which is any extension. Refinements are ignored. */
export const isUnknownData = (value: unknown): boolean => value instanceof ExtData;

/** Encoded form of an unknown value. */
export const unknownData = new ExtData(0, new Uint8Array(1));
