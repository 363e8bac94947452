import { type Instance, instanceTable } from "../compute/instance-model.ts";
import { type Cloud, live, lookUp, newRow } from "../model/cloud.ts";
import { uuidOf } from "../state/id.ts";
import { isLive, type Row } from "../state/store.ts";
import { workState } from "../state/work.ts";
import { freeFixedIps } from "./address-pool.ts";
import type { Subnet } from "./subnet-model.ts";
import type { Vpc } from "./vpc-model.ts";

/** A port in a subnet. It goes with its one parent: a machine that made it for itself, else the subnet. */
export type Port = Row & {
  parents: readonly string[];
  readonly vpcKrn: string;
  readonly subnetKrn: string;
  readonly networkKrn: string;
  readonly mac: string;
  readonly ip: string;
  /** The KRNs of its security groups. */
  uses: readonly string[];
  /** The machine that it was last given to, which holds it for as long as it lives. */
  device: string | null;
};

export const portTable = (cloud: Cloud) => cloud.store.table<Port>("port");

/** The port of a KRN, in the region asked for; 404 otherwise. */
export function requirePort(cloud: Cloud, krn: string, region: string): Port {
  return lookUp(cloud, portTable(cloud), krn, `port ${krn} not found`, region);
}

/** The machine that holds the port at that time. */
export function deviceOf(cloud: Cloud, port: Port, at = cloud.now): Instance | undefined {
  const instance = port.device === null ? undefined : instanceTable(cloud).get(port.device);
  return instance && isLive(instance, at) ? instance : undefined;
}

/** The ports of a place that no machine holds. `place` is the KRN of a subnet or a VPC. */
export function idlePorts(cloud: Cloud, place: string): Port[] {
  return live(cloud, portTable(cloud).all()).filter(
    (port) => (port.subnetKrn === place || port.vpcKrn === place) && !deviceOf(cloud, port),
  );
}

/** The word of contract 2.3 at that time: ACTIVE, DOWN or BUILD. */
export function portStatus(cloud: Cloud, port: Port, at: number): string {
  const device = deviceOf(cloud, port, at);
  if (!device) return "DOWN";
  const state = workState(device.work, at);
  if (state === "pending" || state === "processing") return "BUILD";
  return state === "success" ? "ACTIVE" : "DOWN";
}

/** Free addresses of the subnet for so many new ports; 409 when it is full. */
export function addressesFor(cloud: Cloud, subnet: Subnet, count: number): string[] {
  const neighbours = live(cloud, portTable(cloud).all()).filter((port) => port.subnetKrn === subnet.krn);
  return freeFixedIps(
    subnet,
    neighbours.map((port) => port.ip),
    count,
  );
}

type PortData = Pick<Port, "name" | "parents" | "networkKrn" | "ip" | "uses" | "device">;

/** Puts a port into the tables. */
export function insertPort(cloud: Cloud, place: { vpc: Vpc; subnet: Subnet }, data: PortData): Port {
  const { vpc, subnet } = place;
  const row = newRow(cloud, "vpc", "port", vpc.region);
  const mac = (uuidOf(row.krn).slice(0, 6).match(/../g) ?? []).join(":");
  return portTable(cloud).insert({
    ...data,
    ...row,
    owned: true,
    vpcKrn: vpc.krn,
    subnetKrn: subnet.krn,
    mac: `fa:16:3e:${mac}`,
  });
}
