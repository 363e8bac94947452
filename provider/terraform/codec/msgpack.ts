import { Decoder, Encoder, ExtData } from "@msgpack/msgpack";

/**
 * MessagePack as the engines write it: 64-bit integers, extensions for values not known yet, and map keys that
 * are the user's own. The library takes all of it but the key `__proto__`, which has another name on its way.
 */

/** No text on the wire can be this: half a character has no UTF-8. */
const protoKey = "\ud800";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Keys seen before, by their length: most are names of attributes, which come with every value. */
const seen: { readonly bytes: Uint8Array; readonly key: string }[][] = [];
/** So many of a length; a user's own keys have no end. */
const remembered = 32;

function decodeKey(bytes: Uint8Array, from: number, length: number): string {
  seen[length] ??= [];
  const alike = seen[length];
  for (const { bytes: known, key } of alike) {
    let at = 0;
    while (at < length && known[at] === bytes[from + at]) at++;
    if (at === length) return key;
  }
  const own = Uint8Array.from(bytes.subarray(from, from + length));
  const text = utf8.decode(own);
  const key = text === "__proto__" ? protoKey : text;
  if (alike.length < remembered) alike.push({ bytes: own, key });
  return key;
}

const decoder = new Decoder({
  useBigInt64: true,
  keyDecoder: { canBeCached: () => true, decode: decodeKey },
});
const encoder = new Encoder();

/** Decoded MessagePack: maps are records, whose entries `entries` gives. Throws on bytes that are none. */
export const decodeMsgpack = (bytes: Uint8Array): unknown => decoder.decode(bytes);

/** The entries of a decoded map under their true keys. */
export const entries = (map: object): [string, unknown][] =>
  Object.entries(map).map(([key, value]) => [key === protoKey ? "__proto__" : key, value]);

export const encodeMsgpack = (value: unknown): Uint8Array => encoder.encode(value);

/** Whatever extension it is, it says "not known yet"; a refinement promises more, which is not used here. */
export const isUnknownData = (value: unknown): boolean => value instanceof ExtData;

/** An unknown value as it travels. */
export const unknownData = new ExtData(0, new Uint8Array(1));
