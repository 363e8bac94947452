import { operationsOn, resource } from "./cloud.ts";
import { openNetwork, sentSince } from "./instance-world.ts";

export const floatingIp = resource("floating-ip");

/** Opens a network with two unused ports; returns the operations on a floating IP in it. */
export async function openAddress(...how: Parameters<typeof openNetwork>) {
  const network = await openNetwork(...how);
  const { cloud, vpcId } = network;
  const subnetId = String(network.written.subnetId);
  const make = (name: string) => cloud.run(cloud.create("port", { vpcId, name, subnetId }));
  const ports = [String((await make("one")).id), String((await make("two")).id)] as const;
  return {
    cloud,
    vpcId,
    subnetId,
    network,
    ports,
    ...operationsOn(cloud, "floating-ip", { vpcId, name: "front", subnetId }),
    later: () => cloud.run(cloud.session.ports.clock.sleep(10_000)),
  };
}

/** Returns operation and body of every request except GET and `get_vpc`, starting at an index of the log. */
export const moves = (...log: Parameters<typeof sentSince>) =>
  sentSince(...log).filter(([operation]) => operation !== "get_vpc");
