import { isIP } from "node:net";

export type Cidr = { readonly version: 4 | 6; readonly base: bigint; readonly prefix: number };

function ipv4Number(text: string): bigint {
  return text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function ipv6Number(text: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted ? ipv4Number(dotted[2] ?? "") : undefined;
  const plain =
    tail === undefined
      ? text
      : `${dotted?.[1]}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [head = "", rest] = plain.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const leading = groups(head);
  const trailing = groups(rest ?? "");
  const zeros = Array.from({ length: 8 - leading.length - trailing.length }, () => "0");
  return [...leading, ...zeros, ...trailing].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

/** Parses an IP address into version and number; undefined for any other text. */
export function parseAddress(text: string): { version: 4 | 6; number: bigint } | undefined {
  const version = isIP(text);
  if (text.includes("%")) return undefined;
  if (version === 4) return { version, number: ipv4Number(text) };
  return version === 6 ? { version, number: ipv6Number(text) } : undefined;
}

const bits = (version: 4 | 6) => (version === 4 ? 32 : 128);

/** Parses a CIDR and clears its host bits; undefined for any other text. */
export function parseCidr(text: string): (Cidr & { hostBits: boolean }) | undefined {
  const [addressText = "", prefixText = "", ...more] = text.split("/");
  const address = parseAddress(addressText);
  if (!address || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(prefixText)) return undefined;
  const prefix = Number(prefixText);
  const host = BigInt(bits(address.version) - prefix);
  if (host < 0n) return undefined;
  const base = (address.number >> host) << host;
  return { version: address.version, base, prefix, hostBits: base !== address.number };
}

export function contains(cidr: Cidr, address: { version: 4 | 6; number: bigint }): boolean {
  const host = BigInt(bits(cidr.version) - cidr.prefix);
  return cidr.version === address.version && address.number >> host === cidr.base >> host;
}

export function overlap(a: Cidr, b: Cidr): boolean {
  const [wide, narrow] = a.prefix <= b.prefix ? [a, b] : [b, a];
  return contains(wide, { version: narrow.version, number: narrow.base });
}

/** Formats an address: dotted for IPv4, eight groups without the longest run of zeros for IPv6. */
export function formatAddress(version: 4 | 6, number: bigint): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join(".");
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((number >> BigInt(16 * (7 - i))) & 0xffffn).toString(16),
  );
  const longest = [...groups.join(":").matchAll(/\b0(?::0)+\b/g)].sort(
    (a, b) => b[0].length - a[0].length,
  )[0];
  if (!longest) return groups.join(":");
  const text = groups.join(":");
  const before = text.slice(0, longest.index).replace(/:$/, "");
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, "");
  return `${before}::${after}`;
}

export function formatCidr(cidr: Cidr): string {
  return `${formatAddress(cidr.version, cidr.base)}/${cidr.prefix}`;
}

/** Returns the default gateway: the address after the network address. */
export function firstHost(cidr: Cidr): string {
  const single = cidr.prefix === bits(cidr.version);
  return formatAddress(cidr.version, single ? cidr.base : cidr.base + 1n);
}
