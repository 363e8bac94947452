import type { Cloud } from "../model/cloud.ts";
import { isoTime } from "../state/clock.ts";
import { ownerOf } from "../state/id.ts";
import type { FloatingIp } from "./floating-ip-model.ts";
import { deviceOf, type Port, portStatus } from "./port-model.ts";

/** Returns the fields that the search and the group update share. */
function portFields(cloud: Cloud, port: Port, time: number): Record<string, unknown> {
  const device = deviceOf(cloud, port, time);
  return {
    name: port.name,
    network_id: port.networkKrn,
    mac_address: port.mac,
    fixed_ips: [{ ip_address: port.ip, subnet_id: port.subnetKrn }],
    // The values for a port without an instance and the value for the owner are unknown.
    device_id: device?.krn ?? "",
    device_owner: device ? "compute:nova" : "",
    admin_state_up: true,
    status: portStatus(cloud, port, time),
  };
}

/** Renders a port for the search, at the listing time. */
export function renderFoundPort(
  cloud: Cloud,
  port: Port,
  time: number,
  floatingIp: FloatingIp | undefined,
): Record<string, unknown> {
  return {
    [cloud.settings.assume.portIdField]: port.krn,
    ...portFields(cloud, port, time),
    subnet_id: port.subnetKrn,
    floating_ip_address: floatingIp?.address ?? null,
    security_group_krns: port.uses,
    created_at: isoTime(port.createdAt),
    updated_at: isoTime(port.updatedAt),
  };
}

/** Renders a port for the response of a group update. */
export function renderChangedPort(cloud: Cloud, port: Port): Record<string, unknown> {
  return {
    krn_id: port.krn,
    ...portFields(cloud, port, cloud.now),
    vpc_id: port.vpcKrn,
    region: port.region,
    account_id: ownerOf(port.krn).account,
    k_customer_id: ownerOf(port.krn).customer,
    security_groups: port.uses,
    allowed_address_pairs: [],
    is_deleted: false,
    createdAt: isoTime(port.createdAt),
    updatedAt: isoTime(port.updatedAt),
    reqId: cloud.store.newUuid("request"),
  };
}
