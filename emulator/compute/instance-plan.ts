import * as z from "zod";
import { attachmentsWith } from "../block-storage/volume-attachment-model.ts";
import { requireVolume, type Volume, volumeState } from "../block-storage/volume-model.ts";
import { Refusal } from "../http/wire.ts";
import type { Cloud } from "../model/cloud.ts";
import { requireImage } from "../model/image.ts";
import { requireFlavor } from "../model/instance-type.ts";
import { text } from "../model/schema.ts";
import { floatingIpsByPort, publicAddressesFor } from "../network/floating-ip-model.ts";
import { addressesFor, deviceOf, type Port, requirePort } from "../network/port-model.ts";
import { requireGroups } from "../network/security-group-model.ts";
import { requireSubnet, type Subnet } from "../network/subnet-model.ts";
import { requireReadyVpc, type Vpc } from "../network/vpc-model.ts";
import { isDeleting } from "../state/store.ts";
import { requireSshKey, type SshKey } from "./ssh-key.ts";

const base64Text = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Create body of docs/contract.md#6; `network_id` is rejected with a separate message. */
export const instanceBody = z.strictObject({
  instanceName: text,
  instanceType: text,
  region: text,
  vpc_id: text,
  subnet_id: text,
  sshkey_name: text,
  security_groups: z.array(text).min(1, "must not be empty"),
  image_krn: text.optional(),
  volume_name: text.optional(),
  volume_size: z.int().min(1, "must be 1 or more (GB)").optional(),
  volumetype: text.optional(),
  volumes: z.array(text).default([]),
  floating_ip: z.boolean().default(false),
  user_data: z.string().default(""),
  delete_on_termination: z.boolean().default(true),
  tags: z.array(z.strictObject({ key: text, value: z.string() })).default([]),
  count: z.int().min(1, "must be 1 or more").default(1),
  port_krn: z.string().default(""),
  isGpu: z.boolean().default(false),
  network_id: z.string().optional(),
  easydeploy_type: z.string().optional(),
  gateway_password: z.string().optional(),
  model_name: z.string().optional(),
  model_api_key: z.string().optional(),
  // Argument of the client library (docs/contract.md#16.1); accepted and ignored.
  timeout: z.int().optional(),
});
export type InstanceBody = z.output<typeof instanceBody>;

/** Boot source of instances: an existing volume, or new volumes from an image. */
export type BootSource =
  | { readonly volume: Volume }
  | { readonly image: string; readonly name: string; readonly size: number; readonly volumeType: string };

const newBoot = ["image_krn", "volume_name", "volume_size", "volumetype"] as const;

/**
 * Returns the boot source: a new volume with all its fields, or one existing volume with none of them
 * (docs/contract.md#6).
 */
function bootOf(cloud: Cloud, vpc: Vpc, body: InstanceBody): BootSource {
  const [existing, ...more] = body.volumes;
  if (existing === undefined) {
    const missing = newBoot.filter((field) => body[field] === undefined);
    const { image_krn: image, volume_name: name, volume_size: size, volumetype: volumeType } = body;
    if (image === undefined || name === undefined || size === undefined || volumeType === undefined)
      throw new Refusal(400, missing.map((field) => `${field}: required`).join("; "));
    requireImage(cloud, image, vpc.region);
    return { image, name, size, volumeType };
  }
  const extra = newBoot.filter((field) => body[field] !== undefined);
  if (extra.length > 0) throw new Refusal(400, `${extra.join(", ")}: not together with volumes`);
  if (more.length > 0 || body.count > 1) throw new Refusal(400, "volumes: one volume boots one instance");
  if (body.delete_on_termination)
    throw new Refusal(400, "delete_on_termination: must be false for an existing volume");
  const volume = requireVolume(cloud, existing, { "k-tenant-id": vpc.krn, "x-region": vpc.region });
  const state = volumeState(cloud, volume);
  if (state !== "available") throw new Refusal(409, `volume ${volume.name} is ${state}`);
  if (attachmentsWith(cloud, volume.krn).length > 0)
    throw new Refusal(409, `volume ${volume.name} is being attached`);
  return { volume };
}

function checkInstanceBody(body: InstanceBody, cloud: Cloud, region: string): void {
  if (body.region !== region) throw new Refusal(400, `region: is not that of the header, ${region}`);
  checkUserData(cloud, body.user_data);
}

/** Rejects user data in a form that the switch forbids. */
export function checkUserData(cloud: Cloud, userData: string): void {
  if (!base64Text.test(userData) && cloud.decide("userDataForm") === "base64")
    throw new Refusal(400, "user_data: must be base64");
}

/** Returns the requested port, which must be a free port of the subnet; undefined without one. */
function givenPort(cloud: Cloud, subnet: Subnet, body: InstanceBody): Port | undefined {
  if (body.port_krn === "") return undefined;
  if (body.count > 1) throw new Refusal(400, "port_krn: one port is for one instance");
  const port = requirePort(cloud, body.port_krn, subnet.region);
  if (port.subnetKrn !== subnet.krn)
    throw new Refusal(400, `port_krn: port ${port.name} is not of subnet ${subnet.name}`);
  const device = deviceOf(cloud, port);
  if (device) throw new Refusal(409, `port ${port.name} is in use by ${device.name}`);
  if (isDeleting(port, cloud.now)) throw new Refusal(409, `port ${port.name} is being deleted`);
  if (body.floating_ip && floatingIpsByPort(cloud).has(port.krn))
    throw new Refusal(409, `port ${port.name} already holds a floating IP`);
  return port;
}

/** Validated plan of an instance create. */
export type InstancePlan = {
  readonly body: InstanceBody;
  readonly vpc: Vpc;
  readonly subnet: Subnet;
  readonly sshKey: Pick<SshKey, "krn" | "name">;
  readonly boot: BootSource;
  /** Requested port; undefined when each instance gets a new one. */
  readonly port: Port | undefined;
  /** Fixed IP of each new port. */
  readonly addresses: readonly string[];
  /** Public IP of each new floating IP. */
  readonly publicAddresses: readonly string[];
};

/** Validates the create of `count` instances without changing anything. */
export function planInstances(cloud: Cloud, body: InstanceBody, region: string): InstancePlan {
  checkInstanceBody(body, cloud, region);
  const vpc = requireReadyVpc(cloud, body.vpc_id, region);
  const subnet = requireSubnet(cloud, vpc, body.subnet_id);
  requireGroups(cloud, vpc, body.security_groups);
  const sshKey = requireSshKey(cloud, body.sshkey_name, region);
  requireFlavor(cloud, body.instanceType);
  const boot = bootOf(cloud, vpc, body);
  const port = givenPort(cloud, subnet, body);
  const addresses = port ? [] : addressesFor(cloud, subnet, body.count);
  const publicAddresses = body.floating_ip ? publicAddressesFor(cloud, body.count) : [];
  return { body, vpc, subnet, sshKey, boot, port, addresses, publicAddresses };
}
