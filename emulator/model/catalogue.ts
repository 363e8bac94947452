import { krnOf, type Owner } from "../state/id.ts";
import type { Resource } from "../state/store.ts";

/**
 * Public images, the same in every region; their KRNs have `default:default` in place of an account
 * (docs/contract.md#1.4):
 * `krn:vm:<region>:default:default:image:<uuid>`.
 */
export const images: readonly { readonly name: string; readonly uuid: string }[] = [
  { name: "Ubuntu-24.04", uuid: "00000000-0000-4000-8000-000000000101" },
  { name: "Rocky-9", uuid: "00000000-0000-4000-8000-000000000102" },
];

export function imageKrn(region: string, uuid: string): string {
  return `krn:vm:${region}:default:default:image:${uuid}`;
}

/** Instance type; memory in GB, cost per hour. */
export type Flavor = {
  readonly name: string;
  readonly uuid: string;
  readonly cpus: number;
  readonly memory: number;
  readonly cost: number;
  readonly type: "CPU" | "GPU";
};

/** Instance types, the same in every region. */
export const flavors: readonly Flavor[] = [
  {
    name: "c1.small",
    uuid: "00000000-0000-4000-8000-000000000201",
    cpus: 1,
    memory: 2,
    cost: 1,
    type: "CPU",
  },
  {
    name: "c1.medium",
    uuid: "00000000-0000-4000-8000-000000000202",
    cpus: 2,
    memory: 8,
    cost: 3,
    type: "CPU",
  },
  {
    name: "c1.large",
    uuid: "00000000-0000-4000-8000-000000000203",
    cpus: 8,
    memory: 32,
    cost: 11,
    type: "CPU",
  },
  {
    name: "g1.large",
    uuid: "00000000-0000-4000-8000-000000000204",
    cpus: 16,
    memory: 64,
    cost: 90,
    type: "GPU",
  },
];

/** Name of the SSH key that every region has. */
export const catalogueKeyName = "demo-key";

/** SSH key that every region has; it cannot be deleted and is not part of the inventory. */
export function catalogueKey(owner: Owner, region: string): Resource & { readonly publicKey: string } {
  return {
    krn: krnOf(owner, "ssh", region, "sshkey", "00000000-0000-4000-8000-000000000301"),
    region,
    name: catalogueKeyName,
    parents: [],
    createdAt: 0,
    updatedAt: 0,
    work: { startsAt: 0, endsAt: 0 },
    publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f demo",
  };
}
