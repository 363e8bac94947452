import type { Cloud } from "../model/cloud.ts";
import { isoTime } from "../state/clock.ts";
import { account, customer } from "../state/id.ts";
import type { FloatingIp } from "./floating-ip-model.ts";
import { deviceOf, type Port, portStatus } from "./port-model.ts";

/** What the answers of search and of the change of groups have in common. */
function fields(cloud: Cloud, port: Port, at: number): Record<string, unknown> {
  const device = deviceOf(cloud, port, at);
  return {
    name: port.name,
    network_id: port.networkKrn,
    mac_address: port.mac,
    fixed_ips: [{ ip_address: port.ip, subnet_id: port.subnetKrn }],
    // What a port without a machine shows here is unknown; so is the word for the owner.
    device_id: device?.krn ?? "",
    device_owner: device ? "compute:nova" : "",
    admin_state_up: true,
    status: portStatus(cloud, port, at),
  };
}

/** The port as a row of the search, at the moment that listings show. */
export function renderFoundPort(
  cloud: Cloud,
  port: Port,
  at: number,
  floatingIp: FloatingIp | undefined,
): Record<string, unknown> {
  return {
    [cloud.settings.assume.portIdField]: port.krn,
    ...fields(cloud, port, at),
    subnet_id: port.subnetKrn,
    floating_ip_address: floatingIp?.address ?? null,
    security_group_krns: port.uses,
    created_at: isoTime(port.createdAt),
    updated_at: isoTime(port.updatedAt),
  };
}

/** The port as the change of its groups answers it. */
export function renderChangedPort(cloud: Cloud, port: Port): Record<string, unknown> {
  return {
    krn_id: port.krn,
    ...fields(cloud, port, cloud.now),
    vpc_id: port.vpcKrn,
    region: port.region,
    account_id: account,
    k_customer_id: customer,
    security_groups: port.uses,
    allowed_address_pairs: [],
    is_deleted: false,
    createdAt: isoTime(port.createdAt),
    updatedAt: isoTime(port.updatedAt),
    reqId: cloud.store.newUuid("request"),
  };
}
