import { z } from "zod";
import { requireFlavor, requireImage } from "./catalogue.ts";
import { formatAddress, parseAddress, parseCidr } from "./cidr.ts";
import { type Cloud, isReady, live, lookUp, refuseEqualName } from "./cloud.ts";
import { uuidOf } from "./id.ts";
import { attachedTo, type Instance, instanceTable } from "./instance-table.ts";
import { text } from "./schema.ts";
import { requireGroup, requireSameVpc } from "./security-group-table.ts";
import { failureByName, refuseByName } from "./sentinel.ts";
import { requireSshKey } from "./ssh-key.ts";
import { isLive } from "./store.ts";
import { type Subnet, subnetTable } from "./subnet.ts";
import { startWork } from "./task.ts";
import { insertVolume, requireVolume, type Volume, volumeState, volumeTable } from "./volume-table.ts";
import { networkOf, requireReadyVpc, type Vpc } from "./vpc-table.ts";
import { Refusal } from "./wire.ts";

const base64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The create body of contract 6; `network_id` is refused by a text of its own. */
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
  // An argument of the client library (contract 16.1): taken, and without effect.
  timeout: z.int().optional(),
});
export type InstanceBody = z.output<typeof instanceBody>;

type Boot =
  | { readonly volume: Volume }
  | { readonly image: string; readonly name: string; readonly size: number; readonly volumeType: string };

const newBoot = ["image_krn", "volume_name", "volume_size", "volumetype"] as const;

/** From a new volume with all its fields, or from exactly one existing volume with none of them (contract 6). */
function bootOf(cloud: Cloud, vpc: Vpc, body: InstanceBody): Boot {
  const [existing, ...more] = body.volumes;
  if (existing === undefined) {
    const missing = newBoot.filter((field) => body[field] === undefined);
    const { image_krn: image, volume_name: name, volume_size: size, volumetype: volumeType } = body;
    if (image === undefined || name === undefined || size === undefined || volumeType === undefined)
      throw new Refusal(400, missing.map((field) => `${field}: required`).join("; "));
    requireImage(image, vpc.region);
    return { image, name, size, volumeType };
  }
  const extra = newBoot.filter((field) => body[field] !== undefined);
  if (extra.length > 0) throw new Refusal(400, `${extra.join(", ")}: not together with volumes`);
  if (more.length > 0 || body.count > 1) throw new Refusal(400, "volumes: one volume boots one instance");
  if (body.delete_on_termination)
    throw new Refusal(400, "delete_on_termination: must be false for an existing volume");
  const volume = requireVolume(cloud, existing, { "k-tenant-id": vpc.krn, "x-region": vpc.region });
  const state = volumeState(cloud, volume, cloud.now, attachedTo(cloud, volume.krn, cloud.now));
  if (state !== "available") throw new Refusal(409, `volume ${volume.name} is ${state}`);
  return { volume };
}

function requireSubnet(cloud: Cloud, vpc: Vpc, krn: string): Subnet {
  const missing = `subnet ${krn} not found in VPC ${vpc.name}`;
  const subnet = lookUp(cloud, subnetTable(cloud), krn, missing);
  if (subnet.parents[0] !== vpc.krn) throw new Refusal(404, missing);
  if (!isReady(cloud, subnet)) throw new Refusal(409, `subnet ${subnet.name} is not ready`);
  return subnet;
}

function requireGroups(cloud: Cloud, vpc: Vpc, krns: readonly string[]): void {
  for (const krn of krns) {
    const group = requireGroup(cloud, krn, vpc.region);
    requireSameVpc(group, vpc, `security group ${group.name}`);
  }
}

/** `count` addresses out of `size` from `first` on that are not taken, looked for from where a fresh pool would go on. */
function freeAddresses(
  pool: { version: 4 | 6; first: bigint; size: bigint },
  taken: ReadonlySet<string>,
  count: number,
): string[] {
  const found: string[] = [];
  const most = BigInt(taken.size + count);
  for (let tried = 0n; tried < pool.size && tried <= most && found.length < count; tried++) {
    const address = formatAddress(pool.version, pool.first + ((BigInt(taken.size) + tried) % pool.size));
    if (!taken.has(address)) found.push(address);
  }
  return found;
}

function normalAddress(text: string): string {
  const address = parseAddress(text);
  return address ? formatAddress(address.version, address.number) : text;
}

/** Free addresses of a subnet: never the network's own, the gateway's or the last one. */
function fixedIps(cloud: Cloud, subnet: Subnet, count: number): string[] {
  const cidr = parseCidr(subnet.cidr);
  if (!cidr) throw new Refusal(409, `subnet ${subnet.name} has no addresses`);
  const { version, base, prefix } = cidr;
  const neighbours = instanceTable(cloud)
    .all()
    .filter((row) => row.parents[1] === subnet.krn && isLive(row, cloud.now));
  const taken = new Set([normalAddress(subnet.gatewayIp), ...neighbours.map((row) => row.port.ip)]);
  const size = (1n << BigInt((version === 4 ? 32 : 128) - prefix)) - 2n;
  const free = freeAddresses({ version, first: base + 1n, size }, taken, count);
  if (free.length < count) throw new Refusal(409, `subnet ${subnet.name} has no free address`);
  return free;
}

/** 198.18.0.0/15, which no real network uses. */
const publicPool = { version: 4, first: 0xc612_0001n, size: 131_070n } as const;

function floatingIps(cloud: Cloud, count: number): string[] {
  const all = live(cloud, instanceTable(cloud).all());
  const taken = new Set(all.flatMap((row) => row.floatingIp?.address ?? []));
  const free = freeAddresses(publicPool, taken, count);
  if (free.length < count) throw new Refusal(409, "no floating IP is free");
  return free;
}

function bootVolume(cloud: Cloud, vpc: Vpc, boot: Boot): Volume {
  if ("volume" in boot) return boot.volume;
  const { image, name, size, volumeType } = boot;
  return insertVolume(cloud, vpc, {
    name,
    size,
    volumeType,
    availabilityZone: "nova",
    source: { type: "image", id: image },
    work: startWork(cloud.now, Math.floor(cloud.settings.taskMs / 2), failureByName(name)),
  });
}

function checkBody(body: InstanceBody, cloud: Cloud, region: string): void {
  if (body.region !== region) throw new Refusal(400, `region: is not that of the header, ${region}`);
  if (body.port_krn !== "") throw new Refusal(404, `port ${body.port_krn} not found`);
  if (cloud.settings.assume.userDataForm === "base64" && !base64.test(body.user_data))
    throw new Refusal(400, "user_data: must be base64");
}

function checkNames(cloud: Cloud, vpc: Vpc, body: InstanceBody): void {
  refuseByName(body.instanceName);
  if (body.volume_name !== undefined) refuseByName(body.volume_name);
  refuseEqualName(cloud, instanceTable(cloud).all(), vpc.krn, "instance", body.instanceName);
  if (body.volume_name !== undefined)
    refuseEqualName(cloud, volumeTable(cloud).all(), vpc.krn, "volume", body.volume_name);
}

/** Checks everything, then puts `count` machines with their volumes into the tables; they share one task. */
export function insertInstances(cloud: Cloud, body: InstanceBody, region: string): Instance[] {
  checkBody(body, cloud, region);
  const vpc = requireReadyVpc(cloud, body.vpc_id, region);
  const subnet = requireSubnet(cloud, vpc, body.subnet_id);
  requireGroups(cloud, vpc, body.security_groups);
  const key = requireSshKey(cloud, body.sshkey_name, region);
  requireFlavor(body.instanceType);
  checkNames(cloud, vpc, body);
  const boot = bootOf(cloud, vpc, body);
  const { instanceName, count } = body;
  // How several are told apart is unknown; here they are numbered.
  const names =
    count === 1 ? [instanceName] : Array.from({ length: count }, (_, i) => `${instanceName}-${i + 1}`);
  const addresses = fixedIps(cloud, subnet, count);
  const publicAddresses = body.floating_ip ? floatingIps(cloud, count) : [];
  const taskId = cloud.store.newUuid("task");
  const failedVolume = body.volume_name === undefined ? undefined : failureByName(body.volume_name);
  const work = startWork(cloud.now, cloud.settings.taskMs, failedVolume ?? failureByName(instanceName));
  return names.map((name, i) => {
    const volume = bootVolume(cloud, vpc, boot);
    const address = publicAddresses[i];
    const portKrn = cloud.store.newKrn("vpc", region, "port");
    const mac = (uuidOf(portKrn).slice(0, 6).match(/../g) ?? []).join(":");
    return instanceTable(cloud).insert({
      krn: cloud.store.newKrn("vm", region, "instance"),
      region,
      name,
      parents: [vpc.krn, subnet.krn],
      uses: [...body.security_groups, volume.krn],
      createdAt: cloud.now,
      updatedAt: cloud.now,
      work,
      flavor: body.instanceType,
      image: body.image_krn ?? null,
      sshKey: { name: key.name, uuid: uuidOf(key.krn) },
      networkKrn: networkOf(cloud, vpc)?.krn ?? "",
      port: { krn: portKrn, mac: `fa:16:3e:${mac}`, ip: addresses[i] ?? "" },
      floatingIp:
        address === undefined ? null : { krn: cloud.store.newKrn("vpc", region, "floatingIP"), address },
      securityGroups: body.security_groups,
      volume: { krn: volume.krn, size: volume.size, attachmentId: cloud.store.newUuid("attachment") },
      deleteOnTermination: body.delete_on_termination,
      userData: body.user_data,
      tags: body.tags,
      isGpu: body.isGpu,
      failedStep: failedVolume === undefined ? "boot" : "volume",
      deleteProtection: cloud.settings.assume.instancesProtected,
      running: true,
      tasks: [{ id: taskId, work }],
    });
  });
}
