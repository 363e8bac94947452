import { type Cloud, deleteResource, existing, newResource } from "../model/cloud.ts";
import { existsAt, type Resource } from "../state/store.ts";
import { freePublicIps } from "./address-pool.ts";
import { type Port, portModel } from "./port-model.ts";

/** A public address. Its parents are VPC, subnet and, if there is one, the port that it goes with. */
export type FloatingIp = Resource & {
  parents: readonly string[];
  readonly address: string;
  /** The port that was reserved with it; null for an address that was made with a machine. */
  readonly reservedPort: string | null;
  /** On which port it has lain since when, oldest first; null for none. */
  places: readonly { readonly since: number; readonly port: string | null }[];
};

export const floatingIpModel = (cloud: Cloud) => cloud.store.model<FloatingIp>("floating_ip");

/** Free public addresses for so many new floating IPs; 409 when there are no more. */
export function publicAddressesFor(cloud: Cloud, count: number): string[] {
  const taken = existing(cloud, floatingIpModel(cloud).all()).map((resource) => resource.address);
  return freePublicIps(taken, count);
}

/** Puts an address into the tables, on its port. `goesWithPort` when it dies with it. */
export function insertFloatingIp(
  cloud: Cloud,
  port: Port,
  data: Pick<FloatingIp, "address" | "name" | "reservedPort"> & { deletedWithPort: boolean },
): FloatingIp {
  const { address, name, reservedPort, deletedWithPort: goesWithPort } = data;
  return floatingIpModel(cloud).insert({
    ...newResource(cloud, "vpc", "floatingIP", port.region),
    name,
    parents: [port.vpcKrn, port.subnetKrn, ...(goesWithPort ? [port.krn] : [])],
    address,
    reservedPort,
    places: [{ since: cloud.now, port: port.krn }],
  });
}

/** The port on which the address lies at that time. Never moved, or from a port that is gone, it lies on its own. */
export function portOf(cloud: Cloud, floatingIp: FloatingIp, at = cloud.now): Port | undefined {
  const place = floatingIp.places.findLast((place) => place.since <= at);
  const krn = place === undefined ? floatingIp.reservedPort : place.port;
  if (krn === null) return undefined;
  return [krn, floatingIp.reservedPort ?? krn]
    .map((candidate) => portModel(cloud).get(candidate))
    .find((port) => port !== undefined && existsAt(port, at));
}

/** The addresses that exist at that time, by the KRN of the port on which they lie. */
export function floatingIpsByPort(cloud: Cloud, at = cloud.now): ReadonlyMap<string, FloatingIp> {
  const resources = floatingIpModel(cloud)
    .all()
    .filter((resource) => existsAt(resource, at));
  return new Map(
    resources.flatMap((resource) => {
      const port = portOf(cloud, resource, at);
      return port ? [[port.krn, resource] as const] : [];
    }),
  );
}

/** Begins the deletion of a port and of the addresses that go with it. */
export function deletePort(cloud: Cloud, port: Port, duration: number): void {
  deleteResource(cloud, port, duration);
  const resources = existing(cloud, floatingIpModel(cloud).all()).filter(
    (resource) => resource.deletingAt === undefined,
  );
  for (const resource of resources)
    if (resource.parents.includes(port.krn)) deleteResource(cloud, resource, duration);
}
