import { expect, test } from "@jest/globals";
import { failure, live } from "../../support/cloud.ts";
import { openWorld } from "../../support/conflict-world.ts";
import { image } from "../../support/instance-world.ts";

/** A conflict error names the conflicting objects with kind, name and id, and says how to resolve the conflict. */

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
