import { type Cloud, deleteResource, existing, newResource } from "../model/cloud.ts";
import { existsAt, type Resource } from "../state/store.ts";
import { freePublicIps } from "./address-pool.ts";
import { type Port, portModel } from "./port-model.ts";

/** Public address. Its parents are VPC, subnet and, if it is deleted with a port, that port. */
export type FloatingIp = Resource & {
  parents: readonly string[];
  readonly address: string;
  /** Port that was reserved with the address; null for an address created with an instance. */
  readonly reservedPort: string | null;
  /** Ports that the address was attached to, each with its start time, oldest first; null for none. */
  places: readonly { readonly since: number; readonly port: string | null }[];
};

export const floatingIpModel = (cloud: Cloud) => cloud.store.model<FloatingIp>("floating_ip");

/** Returns free addresses for `count` new floating IPs; 409 when there are no more. */
export function publicAddressesFor(cloud: Cloud, count: number): string[] {
  const addresses = existing(cloud, floatingIpModel(cloud).all()).map((resource) => resource.address);
  return freePublicIps(addresses, count);
}

/** Inserts a floating IP attached to its port. `deletedWithPort` deletes it with the port. */
export function insertFloatingIp(
  cloud: Cloud,
  port: Port,
  data: Pick<FloatingIp, "address" | "name" | "reservedPort"> & { deletedWithPort: boolean },
): FloatingIp {
  const { address, name, reservedPort, deletedWithPort } = data;
  return floatingIpModel(cloud).insert({
    ...newResource(cloud, "vpc", "floatingIP", port.region),
    name,
    parents: [port.vpcKrn, port.subnetKrn, ...(deletedWithPort ? [port.krn] : [])],
    address,
    reservedPort,
    places: [{ since: cloud.now, port: port.krn }],
  });
}

/** Returns the port of an address at a time: the last one it was moved to, or its reserved port if that one is deleted. */
export function portOf(cloud: Cloud, floatingIp: FloatingIp, time = cloud.now): Port | undefined {
  const place = floatingIp.places.findLast((place) => place.since <= time);
  const krn = place === undefined ? floatingIp.reservedPort : place.port;
  if (krn === null) return undefined;
  return [krn, floatingIp.reservedPort ?? krn]
    .map((candidate) => portModel(cloud).get(candidate))
    .find((port) => port !== undefined && existsAt(port, time));
}

/** Returns the addresses that exist at a time, by the KRN of their port. */
export function floatingIpsByPort(cloud: Cloud, time = cloud.now): ReadonlyMap<string, FloatingIp> {
  const resources = floatingIpModel(cloud)
    .all()
    .filter((resource) => existsAt(resource, time));
  return new Map(
    resources.flatMap((resource) => {
      const port = portOf(cloud, resource, time);
      return port ? [[port.krn, resource] as const] : [];
    }),
  );
}

/** Starts the deletion of a port and of the addresses deleted with it. */
export function deletePort(cloud: Cloud, port: Port, duration: number): void {
  deleteResource(cloud, port, duration);
  const resources = existing(cloud, floatingIpModel(cloud).all()).filter(
    (resource) => resource.deletingAt === undefined,
  );
  for (const resource of resources) {
    if (!resource.parents.includes(port.krn)) continue;
    // An address with a reserved port was created with that port, any other one with an instance.
    const isDeleted =
      resource.reservedPort !== null || cloud.decide("instanceDeleteFloatingIp") === "releases";
    if (isDeleted) deleteResource(cloud, resource, duration);
    else resource.parents = resource.parents.filter((krn) => krn !== port.krn);
  }
}
