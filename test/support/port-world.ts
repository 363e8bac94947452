import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { resource } from "./cloud.ts";
import { openNetwork } from "./instance-world.ts";

export const port = resource("port");

/** Opens a network; returns the operations on a port in it. */
export async function openPort(...how: Parameters<typeof openNetwork>) {
  const { cloud, vpcId, written } = await openNetwork(...how);
  const subnetId = String(written.subnetId);
  const securityGroups = (written.securityGroups as string[]).map(String);
  const inputs = (change: Values = {}) =>
    engine.check(port, { vpcId, name: "berth", subnetId, ...change }).inputs;
  const { session, call } = cloud;
  return {
    cloud,
    vpcId,
    securityGroups,
    inputs,
    create: (change: Values = {}) => engine.create(session, port, inputs(change), call),
    update: (state: ResourceState, change: Values) =>
      engine.update(session, port, state, inputs(change), call),
    read: (state: ResourceState) => engine.read(session, port, state, call),
    remove: (state: ResourceState) => engine.delete(session, port, state, call),
  };
}
