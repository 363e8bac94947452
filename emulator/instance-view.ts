import { requireFlavor } from "./catalogue.ts";
import { isoTime } from "./clock.ts";
import type { Cloud } from "./cloud.ts";
import { account, uuidOf } from "./id.ts";
import { type Instance, instanceStatus } from "./instance-table.ts";
import { workState } from "./task.ts";

/** Once the machine is ACTIVE, or the switch's while later (contract 6). */
function networkPorts(cloud: Cloud, instance: Instance, at: number): unknown[] {
  const filledAt = instance.work.endsAt + cloud.settings.assume.networkPortsAfterMs;
  if (workState(instance.work, at) !== "success" || at < filledAt) return [];
  const { port, floatingIp } = instance;
  return [{ krn: port.krn, fixed_ip: port.ip, floating_ip: floatingIp?.address ?? null }];
}

/** JSON text inside a JSON string (contract 6). */
function addressText(instance: Instance, at: number): string {
  if (workState(instance.work, at) !== "success") return "[]";
  const { port, floatingIp, networkKrn } = instance;
  const place = { mac: port.mac, network: networkKrn };
  return JSON.stringify([
    { ...place, ip: port.ip, type: "fixed" },
    ...(floatingIp ? [{ ...place, ip: floatingIp.address, type: "floating" }] : []),
  ]);
}

function names(cloud: Cloud, instance: Instance): Record<string, unknown> {
  const { name, flavor, createdAt } = instance;
  return cloud.settings.assume.instanceSpelling === "current"
    ? { vm_name: name, flavor_name: flavor, created_at: isoTime(createdAt) }
    : { instanceName: name, instanceType: flavor, createdAt: isoTime(createdAt) };
}

/** What read and search have in common. */
function fields(cloud: Cloud, instance: Instance, at: number): Record<string, unknown> {
  const { floatingIp, port, image, tasks, work, sshKey, volume, securityGroups, tags, deleteProtection } =
    instance;
  const [vpcKrn, subnetKrn] = instance.parents;
  const state = workState(work, at);
  const made = state === "success";
  const hasKrn = made || cloud.settings.assume.instanceKrn === "row";
  const flavor = requireFlavor(instance.flavor);
  return {
    krn: hasKrn ? instance.krn : null,
    instanceId: hasKrn ? uuidOf(instance.krn) : null,
    ...names(cloud, instance),
    status: instanceStatus(cloud, instance, at),
    region: instance.region,
    account_id: account,
    vpcId: vpcKrn,
    project_krn: vpcKrn,
    networkId: instance.networkKrn,
    subnetId: subnetKrn,
    ip_fixed: made ? port.ip : null,
    ipAddress: made ? port.ip : null,
    floatingIpAddress: made ? (floatingIp?.address ?? null) : null,
    floating_ip_krn: made ? (floatingIp?.krn ?? null) : null,
    port_krn: made ? port.krn : null,
    volume_krn: volume.krn,
    volumes: [volume.krn],
    vm_volume_disk_size: String(volume.size),
    security_groups: securityGroups,
    tags,
    image_krn: image,
    sshkey_name: sshKey.name,
    ssh_id: sshKey.uuid,
    flavor_cost: flavor.cost,
    flavor_type: flavor.type,
    locked: false,
    delete_protection_status: deleteProtection,
    batch_id: null,
    ...(cloud.settings.assume.instanceShowsTask && { task_id: tasks[0]?.id }),
    failed_step: state === "failed" ? instance.failedStep : null,
    failure_reason: state === "failed" ? work.failure : null,
  };
}

/** The machine as the single read shows it. */
export function renderInstance(cloud: Cloud, instance: Instance): Record<string, unknown> {
  return {
    ...fields(cloud, instance, cloud.now),
    network_ports: networkPorts(cloud, instance, cloud.now),
    ip_addresses: addressText(instance, cloud.now),
  };
}

/** The machine as a row of the search, at the moment that listings show. */
export function renderFound(cloud: Cloud, instance: Instance, at: number): Record<string, unknown> {
  return {
    ...fields(cloud, instance, at),
    ...(cloud.settings.assume.searchShowsPorts && { network_ports: networkPorts(cloud, instance, at) }),
    ip_list: addressText(instance, at),
  };
}
