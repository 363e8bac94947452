import { volumesAt } from "../block-storage/volume-attachment-model.ts";
import { afterChange, volumeModel } from "../block-storage/volume-model.ts";
import type { Cloud } from "../model/cloud.ts";
import { type Instance, instanceStatus } from "../model/instance.ts";
import { requireFlavor } from "../model/instance-type.ts";
import { type FloatingIp, floatingIpsByPort } from "../network/floating-ip-model.ts";
import { type Port, portModel } from "../network/port-model.ts";
import { isoTime } from "../state/clock.ts";
import { ownerOf, uuidOf } from "../state/id.ts";
import { workState } from "../state/work.ts";

/** Network objects of an instance at a time. */
type InstanceNetwork = {
  readonly time: number;
  readonly port: Port | undefined;
  readonly floatingIp: FloatingIp | undefined;
};

/** Returns `network_ports`: empty until the instance is ACTIVE and the time of the switch has passed (docs/contract.md#6). */
function networkPorts(
  cloud: Cloud,
  instance: Instance,
  { time, port, floatingIp }: InstanceNetwork,
): unknown[] {
  const filledAt = instance.work.endsAt + cloud.settings.assume.networkPortsAfterMs;
  if (workState(instance.work, time) !== "success" || time < filledAt || !port) return [];
  return [{ krn: port.krn, fixed_ip: port.ip, floating_ip: floatingIp?.address ?? null }];
}

/** Returns the addresses as JSON text inside a string (docs/contract.md#6). */
function addressText(instance: Instance, { time, port, floatingIp }: InstanceNetwork): string {
  if (workState(instance.work, time) !== "success" || !port) return "[]";
  const place = { mac: port.mac, network: port.networkKrn };
  return JSON.stringify([
    { ...place, ip: port.ip, type: "fixed" },
    ...(floatingIp ? [{ ...place, ip: floatingIp.address, type: "floating" }] : []),
  ]);
}

function nameFields(cloud: Cloud, instance: Instance): Record<string, unknown> {
  const { name, flavor, createdAt } = instance;
  return cloud.settings.assume.instanceSpelling === "current"
    ? { vm_name: name, flavor_name: flavor, created_at: isoTime(createdAt) }
    : { instanceName: name, instanceType: flavor, createdAt: isoTime(createdAt) };
}

/** Returns the size of the boot volume as the switch selects it. */
function volumeSizeField(cloud: Cloud, { volume }: Instance, time: number): Record<string, unknown> {
  const form = cloud.settings.assume.instanceVolumeSize;
  if (form === "none") return {};
  const current = form === "current" ? volumeModel(cloud).get(volume.krn) : undefined;
  return { vm_volume_disk_size: String(current ? afterChange(current, time).size : volume.size) };
}

/** Returns the fields that read and search share. */
function instanceFields(cloud: Cloud, instance: Instance, network: InstanceNetwork): Record<string, unknown> {
  const { image, tasks, work, sshKey, volume, tags, deleteProtection } = instance;
  const { time, port, floatingIp } = network;
  const [vpcKrn, subnetKrn] = instance.parents;
  const state = workState(work, time);
  const isCreated = state === "success";
  const hasKrn = isCreated || cloud.settings.assume.instanceKrn === "row";
  const flavor = requireFlavor(cloud, instance.flavor);
  return {
    krn: hasKrn ? instance.krn : null,
    instanceId: hasKrn ? uuidOf(instance.krn) : null,
    ...nameFields(cloud, instance),
    status: instanceStatus(cloud, instance, time),
    region: instance.region,
    account_id: ownerOf(instance.krn).account,
    vpcId: vpcKrn,
    project_krn: vpcKrn,
    networkId: port?.networkKrn ?? null,
    subnetId: subnetKrn,
    ip_fixed: isCreated ? (port?.ip ?? null) : null,
    ipAddress: isCreated ? (port?.ip ?? null) : null,
    floatingIpAddress: isCreated ? (floatingIp?.address ?? null) : null,
    floating_ip_krn: isCreated ? (floatingIp?.krn ?? null) : null,
    port_krn: isCreated ? (port?.krn ?? null) : null,
    volume_krn: volume.krn,
    volumes: volumesAt(cloud, instance, time),
    ...volumeSizeField(cloud, instance, time),
    security_groups: port?.uses ?? [],
    tags,
    image_krn: image,
    sshkey_name: sshKey.name,
    ssh_id: sshKey.uuid,
    flavor_cost: flavor.cost,
    flavor_type: flavor.type,
    locked: false,
    delete_protection_status: deleteProtection,
    batch_id: instance.batchId,
    ...(cloud.settings.assume.instanceShowsTask && { task_id: tasks[0]?.id }),
    failed_step: state === "failed" ? instance.failedStep : null,
    failure_reason: state === "failed" ? work.failure : null,
  };
}

function instanceNetworkOf(
  cloud: Cloud,
  instance: Instance,
  time: number,
  addresses: ReadonlyMap<string, FloatingIp>,
): InstanceNetwork {
  const { portKrn } = instance;
  return { time, port: portModel(cloud).get(portKrn), floatingIp: addresses.get(portKrn) };
}

/** Renders an instance for the single read. */
export function renderInstance(cloud: Cloud, instance: Instance): Record<string, unknown> {
  const network = instanceNetworkOf(cloud, instance, cloud.now, floatingIpsByPort(cloud));
  return {
    ...instanceFields(cloud, instance, network),
    network_ports: networkPorts(cloud, instance, network),
    ip_addresses: addressText(instance, network),
  };
}

/** Renders an instance for the search, at the listing time and with the addresses of that time. */
export function renderFound(
  cloud: Cloud,
  instance: Instance,
  time: number,
  addresses: ReadonlyMap<string, FloatingIp>,
): Record<string, unknown> {
  const network = instanceNetworkOf(cloud, instance, time, addresses);
  return {
    ...instanceFields(cloud, instance, network),
    ...(cloud.settings.assume.searchShowsPorts && { network_ports: networkPorts(cloud, instance, network) }),
    ip_list: addressText(instance, network),
  };
}
