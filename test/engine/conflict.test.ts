import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, resource } from "../support/cloud.ts";
import { image, openNetwork } from "../support/instance-world.ts";

/** A conflict error names the conflicting objects with kind, name and id, and says how to resolve the conflict. */

async function openWorld(...how: Parameters<typeof openNetwork>) {
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

const volume = { name: "data", sizeGb: 10, volumeType: "ssd" };

const conflicts = (...named: string[]) =>
  `Remove or detach the conflicting objects, or choose another value, then run again: ${named.join(", ")}`;

test("the conflict of an instance names the instance that uses the same object", async () => {
  const { cloud, subnetId, make, machine, create } = await openWorld();
  const data = await make("volume", volume);
  const port = await make("port", { name: "berth", subnetId });
  const web = await machine({ bootVolume: null, volumeId: String(data.id), portId: String(port.id) });
  const boots = { bootVolume: null, volumeId: String(data.id) };
  for (const inUse of [boots, { portId: String(port.id) }]) {
    const failed = await cloud.run(failure(create({ name: "db", ...inUse })));
    expect([failed.existence.is, failed.next]).toEqual([
      "not listed",
      conflicts(`the instance "web" (${web.id})`),
    ]);
  }
});

test("the conflict of a subnet names the subnet with an overlapping range", async () => {
  const { cloud, vpcId, subnetId } = await openWorld();
  const overlapping = cloud.create("subnet", { vpcId, name: "b", cidr: "10.0.1.0/24" });
  expect((await cloud.run(failure(overlapping))).next).toBe(conflicts(`the subnet "a" (${subnetId})`));
});

test("the conflict of an instance template names the one with the same name in another VPC", async () => {
  const { cloud, subnetId, group, make } = await openWorld({ assume: { equalNames: false } });
  const machine = { instanceType: "c1.small", sshkeyName: "demo-key" };
  const bootVolume = { imageKrn: image, sizeGb: 10, volumeType: "ssd" };
  const template = { name: "web", subnetId, securityGroups: [String(group.id)], ...machine, bootVolume };
  const { id } = await make("instance-template", template);
  const primarySubnet = { name: "a", cidr: "10.0.0.0/20" };
  const vpc = await cloud.run(cloud.create("vpc", { name: "other", primarySubnet }));
  const [, subnet] = live(cloud, "subnet");
  const { id: groupId } = await make("security-group", { vpcId: String(vpc.id), name: "web" });
  const place = { vpcId: String(vpc.id), subnetId: String(subnet?.krn), securityGroups: [String(groupId)] };
  const failed = await cloud.run(failure(cloud.create("instance-template", { ...template, ...place })));
  expect(failed.next).toBe(conflicts(`the instance template "web" (${id})`));
});
