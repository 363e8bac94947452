import { isIPv4, isIPv6 } from "node:net";

/** Returns true for a loopback address and for `localhost`. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * Returns true for the host of a URL that addresses this machine: a loopback address in any form, an unspecified address,
 * or a name under `localhost`.
 */
export const isThisMachine = (host: string): boolean =>
  isLoopback(host) ||
  /(^|\.)localhost\.?$/.test(host) ||
  /^(0\.0\.0\.0|\[::(ffff:(0|7f[0-9a-f]{2}):[0-9a-f]{1,4})?\])$/.test(host);

/** Addresses and CIDR ranges. Comparisons ignore the spelling: the API compares addresses by value. */

/** Returns the bytes of an address; undefined if the text is not an address. */
function bytes(address: string): number[] | undefined {
  if (isIPv4(address)) return address.split(".").map(Number);
  // A zone (`fe80::1%eth0`) is valid only on one machine.
  if (!isIPv6(address) || address.includes("%")) return undefined;
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const words = (part: string) => part.split(":").filter((word) => word !== "");
  const [left, right] = [words(head), words(tail ?? "")];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].flatMap((word) => {
    const value = Number.parseInt(word, 16);
    return [value >> 8, value & 255];
  });
}

interface Block {
  readonly network: readonly number[];
  readonly prefix: number;
}

function block(cidr: string): Block | undefined {
  const [address = "", prefix = "", ...rest] = cidr.split("/");
  const all = bytes(address);
  const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (all === undefined || rest.length > 0 || !(length <= all.length * 8)) return undefined;
  const network = all.map(
    (byte, index) => byte & (256 - 2 ** Math.max(0, Math.min(8, 8 * (index + 1) - length))),
  );
  return { network, prefix: length };
}

/** Returns true for an IPv4 or IPv6 range in CIDR notation, such as `10.0.0.0/16`. */
export const isCidr = (text: string): boolean => block(text) !== undefined;

export type IpVersion = 4 | 6;

/** Returns the IP version of a range or an address; undefined for any other text. */
export function ipVersionOf(text: string): IpVersion | undefined {
  const found = block(text)?.network ?? bytes(text);
  return found && (found.length === 4 ? 4 : 6);
}

/** Returns true for an IPv4 or IPv6 address. */
export const isAddress = (text: string): boolean => bytes(text) !== undefined;

/** Compares two ranges by value: `10.0.1.7/16` equals `10.0.0.0/16`, and `2001:DB8::/32` equals `2001:db8:0::/32`. */
export function sameCidr(a: string, b: string): boolean {
  const [left, right] = [block(a), block(b)];
  return (
    left !== undefined &&
    right !== undefined &&
    left.prefix === right.prefix &&
    `${left.network}` === `${right.network}`
  );
}

/** Compares two addresses by value: `2001:DB8::1` equals `2001:db8:0::1`. */
export const sameAddress = (a: string, b: string): boolean => {
  const left = bytes(a);
  return left !== undefined && `${left}` === `${bytes(b)}`;
};

/** CIDR range as numbers. */
export interface Range {
  readonly first: bigint;
  readonly prefix: number;
  /** Bits of an address: 32 or 128. */
  readonly bits: number;
}

/** Parses a CIDR range; returns undefined for any other text. */
export function parseRange(cidr: string): Range | undefined {
  const found = block(cidr);
  if (found === undefined) return undefined;
  const first = found.network.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  return { first, prefix: found.prefix, bits: found.network.length * 8 };
}

/** Formats a range in CIDR notation, IPv6 in its short form. */
export function rangeText({ first, prefix, bits }: Range): string {
  const step = bits === 32 ? 8 : 16;
  const words = Array.from({ length: bits / step }, (_, index) =>
    Number((first >> BigInt(bits - step * (index + 1))) & ((1n << BigInt(step)) - 1n)),
  );
  if (bits === 32) return `${words.join(".")}/${prefix}`;
  const long = words.map((word) => word.toString(16)).join(":");
  return `${new URL(`http://[${long}]`).hostname.slice(1, -1)}/${prefix}`;
}

/** Returns true if two ranges share an address. */
export function overlap(a: string, b: string): boolean {
  const [one, other] = [parseRange(a), parseRange(b)];
  if (one === undefined || other === undefined || one.bits !== other.bits) return false;
  const rest = BigInt(one.bits - Math.min(one.prefix, other.prefix));
  return one.first >> rest === other.first >> rest;
}

/** Returns true if the first range contains every address of the second one. */
export function covers(outer: string, inner: string): boolean {
  const [one, other] = [parseRange(outer), parseRange(inner)];
  return one !== undefined && other !== undefined && one.prefix <= other.prefix && overlap(outer, inner);
}
