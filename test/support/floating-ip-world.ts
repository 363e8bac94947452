import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { resource } from "./cloud.ts";
import { openNetwork, sentSince } from "./instance-world.ts";

export const floatingIp = resource("floating-ip");

/** Opens a network with two unused ports; returns the operations on a floating IP in it. */
export async function openAddress(...how: Parameters<typeof openNetwork>) {
  const network = await openNetwork(...how);
  const { cloud, vpcId } = network;
  const subnetId = String(network.written.subnetId);
  const make = (name: string) => cloud.run(cloud.create("port", { vpcId, name, subnetId }));
  const ports = [String((await make("one")).id), String((await make("two")).id)] as const;
  const inputs = (change: Values = {}) =>
    engine.check(floatingIp, { vpcId, name: "front", subnetId, ...change }).inputs;
  const { session, call } = cloud;
  const create = (change: Values = {}, by = session) => engine.create(by, floatingIp, inputs(change), call);
  return {
    cloud,
    vpcId,
    subnetId,
    network,
    ports,
    inputs,
    create,
    update: (state: ResourceState, change: Values) =>
      engine.update(session, floatingIp, state, inputs(change), call),
    read: (state: ResourceState) => engine.read(session, floatingIp, state, call),
    remove: (state: ResourceState) => engine.delete(session, floatingIp, state, call),
    later: () => cloud.run(session.ports.clock.sleep(10_000)),
  };
}

/** Returns operation and body of every request except GET and `get_vpc`, starting at an index of the log. */
export const moves = (...log: Parameters<typeof sentSince>) =>
  sentSince(...log).filter(([operation]) => operation !== "get_vpc");
