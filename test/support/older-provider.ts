import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Plain } from "../../provider/core/value.ts";
import { type Cloud, live } from "./cloud.ts";
import { openNetwork } from "./instance-world.ts";

/**
 * States of the older provider of this cloud: their attributes are in docs/contract.md#19, their types have another prefix.
 */

/** Returns the source address of the older provider in a state, with the default registry of the engine. */
export const olderSource = (engine: "terraform" | "opentofu"): string =>
  engine === "terraform" ? "registry.terraform.io/old/oldcloud" : "registry.opentofu.org/old/oldcloud";
export const olderType = (suffix: string): string => `oldcloud${suffix}`;

type Attributes = { readonly [name: string]: Plain };

/** State of an object in the older provider, and the inputs for the same object in this one. */
export interface Older {
  /** Type without the prefix of the provider. */
  readonly suffix: string;
  readonly kind: string;
  readonly attributes: Attributes;
  readonly config: Attributes;
  /** Required input that neither the older state nor the API contains. */
  readonly missingInput?: string;
}

interface World {
  readonly cloud: Cloud;
  readonly vpcId: string;
  /** Inputs of an instance. */
  readonly machine: Attributes;
  /** Creates an object; returns its values and id. */
  make(kind: string, config: Attributes): Promise<Attributes & { readonly id: string }>;
}

export const region = "In-Bangalore-1";
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0v8v7l3H5Gm0r5nq0m7xq4b1cQm0mJm0Yk1v0m2k3p";

/** Opens a cloud with an object of every type of the older provider. */
export async function openOlder(options: EmulatorOptions = {}): Promise<{ cloud: Cloud; older: Older[] }> {
  const { cloud, vpcId, written } = await openNetwork({ ...options, taskMs: 0 });
  const make: World["make"] = async (kind, config) => {
    const { id, values } = await cloud.run(cloud.create(kind, config));
    return { ...(values as Attributes), id: String(id) };
  };
  const older: Older[] = [];
  for (const kind of kinds) older.push(await kind({ cloud, vpcId, machine: written as Attributes, make }));
  return { cloud, older };
}

/**
 * Functions that create one object of each type. The older provider stores an empty text, or a zero, for an unset
 * attribute.
 */
const kinds: readonly ((world: World) => Promise<Older>)[] = [
  async ({ cloud, vpcId }) => ({
    suffix: "_vpc",
    kind: "vpc",
    attributes: {
      id: vpcId,
      region,
      name: "net",
      network_name: "net-network",
      subnet_name: "a",
      cidr: "10.0.0.0/20",
      gateway_ip: "",
      description: "",
      subnet_description: null,
      enabled: true,
      admin_state_up: true,
      ip_version: "4",
      ingress: true,
      egress: true,
      subnet_id: live(cloud, "subnet")[0]?.krn ?? null,
      network_id: null,
    },
    config: { name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/20" } },
  }),

  async ({ vpcId, make }) => {
    const config = { vpcId, name: "b", cidr: "10.0.16.0/20", gatewayIp: "10.0.16.1" };
    const { id, networkId = null } = await make("subnet", config);
    const attributes = {
      id,
      region,
      vpc_id: vpcId,
      network_id: networkId,
      name: "b",
      cidr: "10.0.16.0/20",
      gateway_ip: "10.0.16.1",
      ip_version: "4",
      ingress: true,
      egress: true,
      description: "",
    };
    return { suffix: "_subnet", kind: "subnet", attributes, config };
  },

  async ({ vpcId, machine, make }) => {
    const config = { vpcId, name: "front", subnetId: machine.subnetId ?? null };
    const { id, address = null } = await make("floating-ip", config);
    const attributes = { id, region, vpc_id: vpcId, name: "front", floating_ip: address };
    return { suffix: "_floating_ip", kind: "floating-ip", attributes, config, missingInput: "subnetId" };
  },

  async ({ vpcId, make }) => {
    const config = { vpcId, name: "extra", description: "of old" };
    const { id } = await make("security-group", config);
    const attributes = { id, region, vpc_id: vpcId, name: "extra", description: "of old" };
    return { suffix: "_security_group", kind: "security-group", attributes, config };
  },

  async ({ cloud, vpcId, make }) => {
    const securityGroupId = live(cloud, "security_group")[0]?.krn ?? "";
    const range = { portRangeMin: 80, portRangeMax: 90, remoteIpPrefix: "0.0.0.0/0" };
    const config = { vpcId, securityGroupId, direction: "ingress", protocol: "tcp", ...range };
    const { id } = await make("security-group-rule", config);
    const attributes = {
      id,
      region,
      vpc_id: vpcId,
      security_group_id: securityGroupId,
      direction: "ingress",
      ethertype: "IPv4",
      protocol: "TCP",
      port_min_range: 80,
      port_max_range: "90",
      remote_ip_prefix: "0.0.0.0/0",
      description: null,
    };
    return { suffix: "_security_group_rule", kind: "security-group-rule", attributes, config };
  },

  async ({ vpcId, make }) => {
    const config = { vpcId, name: "data", sizeGb: 10, volumeType: "ssd", metadata: { team: "orders" } };
    const { id } = await make("volume", config);
    const attributes = {
      id,
      name: "data",
      size: 10,
      volume_type: "ssd",
      k_tenant_id: vpcId,
      multiattach: false,
      source_id: "",
      source_type: "",
      metadata_environment: "",
      metadata_team: "orders",
      description: "",
    };
    return { suffix: "_volume", kind: "volume", attributes, config };
  },

  async ({ make }) => {
    const config = { name: "old", publicKey: key };
    const { krn = null } = await make("ssh-key", config);
    const attributes = { id: krn, region, key_name: "old", public_key: `${key} me@example` };
    return { suffix: "_sshkey", kind: "ssh-key", attributes, config };
  },

  async ({ vpcId, machine, make }) => {
    const bootVolume = { ...(machine.bootVolume as Attributes), name: "web-volume" };
    const userDataBase64 = Buffer.from("#!/bin/sh").toString("base64");
    const config = { ...machine, userDataBase64, bootVolume, deleteOnTermination: true };
    const { id, bootVolumeId = null } = await make("instance", config);
    const attributes = {
      id,
      region,
      vpc_id: vpcId,
      subnet_id: machine.subnetId ?? null,
      network_id: "",
      name: "web",
      instance_type: "c1.small",
      sshkey_name: "demo-key",
      security_groups: machine.securityGroups ?? null,
      image_krn: (machine.bootVolume as Attributes).imageKrn ?? null,
      volume_name: "web-volume",
      volume_size: 10,
      volume_type: "ssd",
      user_data: userDataBase64,
      is_gpu: false,
      floating_ip: false,
      delete_on_termination: true,
      floating_ip_address: "",
      floating_ip_krn: "",
      port_krn: "krn:old",
      volume_krn: bootVolumeId,
    };
    return { suffix: "_instance", kind: "instance", attributes, config };
  },
];
