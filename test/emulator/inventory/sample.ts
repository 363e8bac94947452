import { parseInventory } from "../../../emulator/inventory/inventory.ts";
import { type Cloud, cloud } from "../client.ts";

/** Rows of an inventory, written by hand with as few fields as possible. */

export const time = "2025-12-31T23:00:00Z";

/** Returns the KRN of an object with a number. */
export const krnOf = (service: string, type: string, number: number): string =>
  `krn:${service}:In-Bangalore-1:000000000000:00000000-0000-4000-8000-000000000000:${type}:00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

export const vpc = krnOf("vpc", "vpc", 1);
export const network = krnOf("vpc", "network", 2);
export const subnet = krnOf("vpc", "subnet", 3);
export const port = krnOf("vpc", "port", 4);
export const bootVolume = krnOf("kbs", "volume", 5);
export const instance = krnOf("vm", "instance", 6);
export const bucket = krnOf("kos", "bucket", 7);

export const rows = {
  vpc: { kind: "vpc", krn: vpc, name: "net" },
  network: { kind: "network", krn: network, name: "net", vpc },
  subnet: { kind: "subnet", krn: subnet, name: "a", vpc, cidr: "10.0.0.0/24" },
  port: { kind: "port", krn: port, name: "p", vpc, subnet, network, ip: "10.0.0.9" },
  bootVolume: { kind: "volume", krn: bootVolume, name: "boot", vpc, size: 20, volumeType: "ssd" },
  instance: {
    ...{ kind: "instance", krn: instance, name: "web", vpc, subnet, port, bootVolume },
    ...{ instanceType: "c1.small", sshKey: { name: "demo-key", uuid: "x" } },
  },
  bucket: { kind: "bucket", krn: bucket, name: "files" },
} as const;

/** Returns an emulator that began with these objects. */
export async function emulatorWith(objects: readonly object[]): Promise<Cloud> {
  const emulator = cloud();
  await emulator.clock.advance(1_000);
  emulator.load(parseInventory({ version: 1, time, objects }));
  return emulator;
}
