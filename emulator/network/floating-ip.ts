import * as z from "zod";
import { Refusal } from "../http/wire.ts";
import {
  type Cloud,
  deleteResource,
  existing,
  isRepeatedDelete,
  listed,
  listingTime,
  lookUp,
} from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { regional, text } from "../model/schema.ts";
import { existsAt, isDeleting } from "../state/store.ts";
import {
  deletePort,
  type FloatingIp,
  floatingIpModel,
  floatingIpsByPort,
  portOf,
} from "./floating-ip-model.ts";
import { deviceOf, type Port, portModel, requirePort } from "./port-model.ts";
import { subnetModel } from "./subnet-model.ts";
import { requireVpc } from "./vpc-model.ts";

function renderFloatingIp(cloud: Cloud, floatingIp: FloatingIp, time: number): Record<string, unknown> {
  const port = portOf(cloud, floatingIp, time);
  const subnet = subnetModel(cloud).get(port?.subnetKrn ?? floatingIp.parents[1] ?? "");
  return {
    floating_ip_krn: floatingIp.krn,
    floating_ip_address: floatingIp.address,
    port_krn: port?.krn ?? null,
    subnet_name: subnet?.name ?? null,
    ip_version: 4,
    // The allowed values are unknown.
    visibility: "public",
    vm_name: (port && deviceOf(cloud, port, time)?.name) ?? "unknown",
  };
}

const listFloatingIps = operation({
  name: "list_floating_ips",
  method: "GET",
  path: "/v1/highlvlvpc/floating_ip_list",
  section: "2.3",
  source: "client",
  headers: regional,
  query: z.strictObject({ vpc_id: text }),
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    const resources = listed(cloud, floatingIpModel(cloud).all()).filter(
      (resource) => resource.parents[0] === vpc.krn,
    );
    return {
      status: 200,
      body: resources.map((resource) => renderFloatingIp(cloud, resource, listingTime(cloud))),
    };
  },
});

/** Moves an address to a port. After a move, the address is deleted only with its reserved port. */
function move(cloud: Cloud, floatingIp: FloatingIp, port: string | null): void {
  const [vpc = "", subnet = ""] = floatingIp.parents;
  const { reservedPort } = floatingIp;
  floatingIp.parents = [vpc, subnet, ...(reservedPort === null ? [] : [reservedPort])];
  floatingIp.places = [...floatingIp.places, { since: cloud.now, port }];
  floatingIp.updatedAt = cloud.now;
}

/**
 * Returns the port that has the address and the target port; the request may name them either way
 * (docs/contract.md#2.3).
 */
function holderAndTarget(
  addresses: ReadonlyMap<string, FloatingIp>,
  a: Port,
  b: Port,
): { floatingIp: FloatingIp; holder: Port; target: Port } {
  const [onA, onB] = [addresses.get(a.krn), addresses.get(b.krn)];
  if (onA && onB) throw new Refusal(409, `ports ${a.name} and ${b.name} both hold a floating IP`);
  if (onA) return { floatingIp: onA, holder: a, target: b };
  if (onB) return { floatingIp: onB, holder: b, target: a };
  throw new Refusal(404, `neither port ${a.name} nor port ${b.name} holds a floating IP`);
}

function refuseDeleting(cloud: Cloud, floatingIp: FloatingIp): void {
  if (isDeleting(floatingIp, cloud.now))
    throw new Refusal(409, `floating IP ${floatingIp.address} is being deleted`);
}

/** Rejects a port that is reserved for another address, because a detach moves that address back to the port. */
function refuseReserved(cloud: Cloud, port: Port, floatingIp: FloatingIp): void {
  const owner = existing(cloud, floatingIpModel(cloud).all()).find(
    (resource) => resource.reservedPort === port.krn,
  );
  if (owner && owner !== floatingIp)
    throw new Refusal(409, `port ${port.name} is reserved for floating IP ${owner.address}`);
}

const attachFloatingIp = operation({
  name: "attach_floating_ip",
  method: "POST",
  path: "/v1/highlvlvpc/attachFloatingIp",
  section: "2.3",
  source: "client",
  headers: regional,
  body: z.strictObject({ attach_port: text, detach_port: text }),
  handle(cloud, { headers, body }) {
    const region = headers["x-region"];
    const attach = requirePort(cloud, body.attach_port, region);
    const detach = requirePort(cloud, body.detach_port, region);
    if (attach === detach) throw new Refusal(400, "attach_port: is detach_port too");
    if (attach.vpcKrn !== detach.vpcKrn)
      throw new Refusal(400, `ports ${attach.name} and ${detach.name} are not of one VPC`);
    const { floatingIp, holder, target } = holderAndTarget(floatingIpsByPort(cloud), attach, detach);
    refuseDeleting(cloud, floatingIp);
    refuseReserved(cloud, target, floatingIp);
    const order = cloud.decide("floatingIpAttachOrder");
    const moves = order === "either" || (order === "attach-holds") === (holder === attach);
    if (moves) move(cloud, floatingIp, target.krn);
    return { status: 200, body: { message: "floating IP attached" } };
  },
});

/**
 * Starts the release of an address and of its reserved port, unless an instance uses the port (docs/contract.md#17.2).
 */
function releaseFloatingIp(cloud: Cloud, floatingIp: FloatingIp, duration: number): void {
  const port = portModel(cloud).get(floatingIp.reservedPort ?? "");
  deleteResource(cloud, floatingIp, duration);
  const isFree = port && existsAt(port, cloud.now) && !deviceOf(cloud, port);
  if (isFree && cloud.decide("floatingIpDeletePort") === "removes") deletePort(cloud, port, duration);
}

const detachFloatingIp = operation({
  name: "detach_floating_ip",
  method: "DELETE",
  path: "/v1/highlvlvpc/detachFloatingIp/{port}",
  section: "2.3",
  source: "client",
  headers: regional,
  handle(cloud, { headers, path }) {
    const port = requirePort(cloud, path.port, headers["x-region"]);
    const floatingIp = floatingIpsByPort(cloud).get(port.krn);
    const reserved = floatingIp?.reservedPort ?? null;
    if (!floatingIp || (reserved === port.krn && !deviceOf(cloud, port))) {
      const message = `no floating IP is attached to port ${port.name}`;
      const { repeatedAttach } = cloud.settings.assume;
      if (repeatedAttach !== 200) throw new Refusal(repeatedAttach, message);
      return { status: 200, body: { message } };
    }
    refuseDeleting(cloud, floatingIp);
    const back = reserved === null || reserved === port.krn ? undefined : portModel(cloud).get(reserved);
    const free = back && existsAt(back, cloud.now) && !deviceOf(cloud, back);
    move(cloud, floatingIp, free ? back.krn : null);
    // A detach, and the release with it, is complete when its response is sent.
    if (cloud.decide("floatingIpDetach") === "deletes") releaseFloatingIp(cloud, floatingIp, 0);
    return { status: 200, body: { message: "floating IP detached" } };
  },
});

const deleteFloatingIp = operation({
  name: "delete_floating_ip",
  method: "DELETE",
  path: "/v1/highlvlvpc/delete_floating_ip",
  section: "2.3",
  source: "client",
  headers: regional,
  query: z.strictObject({ floating_ip_krn: text }),
  handle(cloud, { headers, query }) {
    const missing = `floating IP ${query.floating_ip_krn} not found`;
    const region = headers["x-region"];
    const floatingIp = lookUp(cloud, floatingIpModel(cloud), query.floating_ip_krn, missing, region);
    if (isRepeatedDelete(cloud, floatingIp, missing)) return { status: 202 };
    const port = portOf(cloud, floatingIp);
    const device = port && deviceOf(cloud, port);
    if (port && (device || port.krn !== floatingIp.reservedPort)) {
      const where = device ? `instance ${device.name}` : `port ${port.name}`;
      throw new Refusal(409, `floating IP ${floatingIp.address} is attached to ${where}; detach it first`);
    }
    releaseFloatingIp(cloud, floatingIp, cloud.settings.taskMs);
    return { status: 200, body: { message: "floating IP deletion accepted" } };
  },
});

/** Floating IPs: public addresses that a create of a port reserves or a create of an instance adds. */
export const floatingIpKind: ResourceKind = {
  name: "floating_ip",
  operations: [listFloatingIps, attachFloatingIp, detachFloatingIp, deleteFloatingIp],
};
