import { Decoder, Encoder, ExtData, ExtensionCodec } from "@msgpack/msgpack";

/**
 * MessagePack as the engines write it: 64-bit integers, extensions for values not known yet, and map keys that
 * are the user's own. The library takes all of it but the key `__proto__`, which is escaped on its way.
 */

/** What stands for an unknown value between the library and `values.ts`. */
export const unknownMark: unique symbol = Symbol("unknown");

/** Extension 12 refines an unknown value; what it promises is not used here. */
const extensions = [0, 12];

const codec = new ExtensionCodec();
for (const type of extensions) codec.register({ type, encode: () => null, decode: () => unknownMark });

const escape = "\0";
const escapeKey = (key: string): string =>
  key === "__proto__" || key.startsWith(escape) ? escape + key : key;
const unescapeKey = (key: string): string => (key.startsWith(escape) ? key.slice(1) : key);

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const decoder = new Decoder({
  extensionCodec: codec,
  useBigInt64: true,
  keyDecoder: {
    canBeCached: () => true,
    decode: (bytes, from, length) => escapeKey(utf8.decode(bytes.subarray(from, from + length))),
  },
});
const encoder = new Encoder();

/** Decoded MessagePack: maps are records, whose entries `entries` gives. Throws on bytes that are none. */
export const decodeMsgpack = (bytes: Uint8Array): unknown => decoder.decode(bytes);

/** The entries of a decoded map under their true keys. */
export const entries = (map: object): [string, unknown][] =>
  Object.entries(map).map(([key, value]) => [unescapeKey(key), value]);

export const encodeMsgpack = (value: unknown): Uint8Array => encoder.encode(value);

/** An unknown value as it travels. */
export const unknownData = new ExtData(0, new Uint8Array(1));
