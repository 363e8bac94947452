import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, resource } from "./cloud.ts";
import { openNetwork } from "./instance-world.ts";

export async function openWorld(...how: Parameters<typeof openNetwork>) {
  const { cloud, vpcId, written, create } = await openNetwork(...how);
  const { subnetId } = written;
  const make = (kind: string, inputs: Values) => cloud.run(cloud.create(kind, { vpcId, ...inputs }));
  const machine = (change: Values = {}) => cloud.run(create(change));
  const end = (kind: string, state: ResourceState, call: object = { timeout: 30 }) =>
    cloud.run(failure(engine.delete(cloud.session, resource(kind), state, { ...cloud.call, ...call })));
  const primarySubnet = { id: String(subnetId) };
  const vpc: ResourceState = {
    id: vpcId,
    task: undefined,
    values: { name: "net", primarySubnet },
    unread: [],
  };
  const group: ResourceState = {
    id: String((written.securityGroups as string[])[0]),
    task: undefined,
    values: { vpcId, name: "web" },
    unread: [],
  };
  return { cloud, vpcId, subnetId: String(subnetId), vpc, group, make, machine, create, end };
}
