import { Refusal } from "../http/wire.ts";
import { formatAddress, parseAddress, parseCidr } from "./cidr.ts";
import type { Subnet } from "./subnet-model.ts";

type Pool = { readonly version: 4 | 6; readonly first: bigint; readonly size: bigint };

/** Returns up to `count` free addresses of a pool. The search starts after the first `taken.size` addresses. */
function freeAddresses({ version, first, size }: Pool, used: ReadonlySet<string>, count: number): string[] {
  const free: string[] = [];
  const limit = BigInt(used.size + count);
  for (let tried = 0n; tried < size && tried <= limit && free.length < count; tried++) {
    const address = formatAddress(version, first + ((BigInt(used.size) + tried) % size));
    if (!used.has(address)) free.push(address);
  }
  return free;
}

function normalAddress(text: string): string {
  const address = parseAddress(text);
  return address ? formatAddress(address.version, address.number) : text;
}

/** Returns `count` free addresses of a subnet, never the network's, the gateway's or the last one; 409 when full. */
export function freeFixedIps(
  subnet: Pick<Subnet, "name" | "cidr" | "gatewayIp">,
  used: readonly string[],
  count: number,
): string[] {
  const cidr = parseCidr(subnet.cidr);
  if (!cidr) throw new Refusal(409, `subnet ${subnet.name} has no addresses`);
  const { version, base, prefix } = cidr;
  const size = (1n << BigInt((version === 4 ? 32 : 128) - prefix)) - 2n;
  const all = new Set([normalAddress(subnet.gatewayIp), ...used]);
  const free = freeAddresses({ version, first: base + 1n, size }, all, count);
  if (free.length < count) throw new Refusal(409, `subnet ${subnet.name} has no free address`);
  return free;
}

/** 198.18.0.0/15, reserved for benchmarks. */
const publicPool: Pool = { version: 4, first: 0xc612_0001n, size: 131_070n };

/** Returns `count` free public addresses; 409 when there are no more. */
export function freePublicIps(used: readonly string[], count: number): string[] {
  const free = freeAddresses(publicPool, new Set(used), count);
  if (free.length < count) throw new Refusal(409, "no floating IP is free");
  return free;
}
