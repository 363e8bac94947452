import { type Cloud, existing, lookUp, newResource } from "../model/cloud.ts";
import { type Instance, instanceModel } from "../model/instance.ts";
import { uuidOf } from "../state/id.ts";
import { existsAt, type Resource } from "../state/store.ts";
import { workState } from "../state/work.ts";
import { freeFixedIps } from "./address-pool.ts";
import type { Subnet } from "./subnet-model.ts";
import type { Vpc } from "./vpc-model.ts";

/** Port in a subnet. It is deleted with its first parent: the instance that created it, else the subnet. */
export type Port = Resource & {
  parents: readonly string[];
  readonly vpcKrn: string;
  readonly subnetKrn: string;
  readonly networkKrn: string;
  readonly mac: string;
  readonly ip: string;
  /** KRNs of the security groups. */
  uses: readonly string[];
  /** Instance that last got the port and uses it while the instance exists. */
  device: string | null;
};

export const portModel = (cloud: Cloud) => cloud.store.model<Port>("port");

/** Returns the port of a KRN in a region; else 404. */
export function requirePort(cloud: Cloud, krn: string, region: string): Port {
  return lookUp(cloud, portModel(cloud), krn, `port ${krn} not found`, region);
}

/** Returns the instance that uses a port at a time. */
export function deviceOf(cloud: Cloud, port: Port, time = cloud.now): Instance | undefined {
  const instance = port.device === null ? undefined : instanceModel(cloud).get(port.device);
  return instance && existsAt(instance, time) ? instance : undefined;
}

/** Returns the ports that no instance uses. `place` is the KRN of a subnet or a VPC. */
function unusedPorts(cloud: Cloud, place: string): Port[] {
  return existing(cloud, portModel(cloud).all()).filter(
    (port) => (port.subnetKrn === place || port.vpcKrn === place) && !deviceOf(cloud, port),
  );
}

/** Returns the ports of a subnet or a VPC, used by no instance, that block its delete if the switch says so. */
export function blockingPorts(cloud: Cloud, place: string): Port[] {
  const ports = unusedPorts(cloud, place);
  return ports.length > 0 && cloud.decide("subnetDeleteWithPorts") === "conflict" ? ports : [];
}

/** Returns the status of a port at a time (docs/contract.md#2.3): ACTIVE, DOWN or BUILD. */
export function portStatus(cloud: Cloud, port: Port, time: number): string {
  const device = deviceOf(cloud, port, time);
  if (!device) return "DOWN";
  const state = workState(device.work, time);
  if (state === "pending" || state === "processing") return "BUILD";
  return state === "success" ? "ACTIVE" : "DOWN";
}

/** Returns free addresses of the subnet for `count` new ports; 409 when it is full. */
export function addressesFor(cloud: Cloud, subnet: Subnet, count: number): string[] {
  const neighbours = existing(cloud, portModel(cloud).all()).filter((port) => port.subnetKrn === subnet.krn);
  return freeFixedIps(
    subnet,
    neighbours.map((port) => port.ip),
    count,
  );
}

type PortData = Pick<Port, "name" | "parents" | "networkKrn" | "ip" | "uses" | "device">;

/** Inserts a port. */
export function insertPort(cloud: Cloud, place: { vpc: Vpc; subnet: Subnet }, data: PortData): Port {
  const { vpc, subnet } = place;
  const resource = newResource(cloud, "vpc", "port", vpc.region);
  const mac = (uuidOf(resource.krn).slice(0, 6).match(/../g) ?? []).join(":");
  return portModel(cloud).insert({
    ...data,
    ...resource,
    owned: true,
    vpcKrn: vpc.krn,
    subnetKrn: subnet.krn,
    mac: `fa:16:3e:${mac}`,
  });
}
