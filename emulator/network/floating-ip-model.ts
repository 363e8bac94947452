import { type Cloud, deleteRow, live, newRow } from "../model/cloud.ts";
import { isLive, type Row } from "../state/store.ts";
import { freePublicIps } from "./address-pool.ts";
import { type Port, portTable } from "./port-model.ts";

/** A public address. Its parents are VPC, subnet and, if there is one, the port that it goes with. */
export type FloatingIp = Row & {
  parents: readonly string[];
  readonly address: string;
  /** The port that was reserved with it; null for an address that was made with a machine. */
  readonly reservedPort: string | null;
  /** On which port it has lain since when, oldest first; null for none. */
  places: readonly { readonly since: number; readonly port: string | null }[];
};

export const floatingIpTable = (cloud: Cloud) => cloud.store.table<FloatingIp>("floating_ip");

/** Free public addresses for so many new floating IPs; 409 when there are no more. */
export function publicAddressesFor(cloud: Cloud, count: number): string[] {
  const taken = live(cloud, floatingIpTable(cloud).all()).map((row) => row.address);
  return freePublicIps(taken, count);
}

/** Puts an address into the tables, on its port. `goesWithPort` when it dies with it. */
export function insertFloatingIp(
  cloud: Cloud,
  port: Port,
  data: Pick<FloatingIp, "address" | "name" | "reservedPort"> & { goesWithPort: boolean },
): FloatingIp {
  const { address, name, reservedPort, goesWithPort } = data;
  return floatingIpTable(cloud).insert({
    ...newRow(cloud, "vpc", "floatingIP", port.region),
    name,
    parents: [port.vpcKrn, port.subnetKrn, ...(goesWithPort ? [port.krn] : [])],
    address,
    reservedPort,
    places: [{ since: cloud.now, port: port.krn }],
  });
}

/** The port on which the address lies at that time. Never moved, or from a port that is gone, it lies on its own. */
export function portUnder(cloud: Cloud, floatingIp: FloatingIp, at = cloud.now): Port | undefined {
  const place = floatingIp.places.findLast((place) => place.since <= at);
  const krn = place === undefined ? floatingIp.reservedPort : place.port;
  if (krn === null) return undefined;
  return [krn, floatingIp.reservedPort ?? krn]
    .map((candidate) => portTable(cloud).get(candidate))
    .find((port) => port !== undefined && isLive(port, at));
}

/** The addresses that exist at that time, by the KRN of the port on which they lie. */
export function floatingIpsByPort(cloud: Cloud, at = cloud.now): ReadonlyMap<string, FloatingIp> {
  const rows = floatingIpTable(cloud)
    .all()
    .filter((row) => isLive(row, at));
  return new Map(
    rows.flatMap((row) => {
      const port = portUnder(cloud, row, at);
      return port ? [[port.krn, row] as const] : [];
    }),
  );
}

/** Begins the deletion of a port and of the addresses that go with it. */
export function deletePort(cloud: Cloud, port: Port, duration: number): void {
  deleteRow(cloud, port, duration);
  const rows = live(cloud, floatingIpTable(cloud).all()).filter((row) => row.deletingAt === undefined);
  for (const row of rows) if (row.parents.includes(port.krn)) deleteRow(cloud, row, duration);
}
