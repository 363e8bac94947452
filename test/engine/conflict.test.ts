import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
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

test("an error names at most five dependents, and the number of the others", async () => {
  const { vpc, make, end } = await openWorld();
  for (const at of [1, 2, 3, 4, 5, 6]) await make("volume", { ...volume, name: `data-${at}` });
  expect((await end("vpc", vpc)).next).toMatch(/the volume "data-5" \(krn:[\w:-]+\) and 2 more$/);
});

test("the conflict of a volume names the instance that it is attached to", async () => {
  const { make, machine, end } = await openWorld();
  const web = await machine();
  const data = await make("volume", volume);
  await make("volume-attachment", { volumeId: String(data.id), instanceId: String(web.id) });
  const { detail } = explain(await end("volume", data));
  expect(detail.replace(/request-\d+/, "request-N")).toBe(
    [
      "The object is in use, or another operation on it is running: the timeout of 30 s expired.",
      "The API reports: volume data is in use. (status 409, request id request-N, DELETE /kbs/v1/volumes/{volume})",
      "The object still exists and stays in the state.",
      `Remove or detach the objects that use it, then run again: the instance "web" (${web.id}).`,
    ].join("\n"),
  );
});

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

const unnamed = "Remove the conflicting object or wait until its operation has finished, then run again";

test("an object that is being deleted is not named, and nothing is named if the read fails", async () => {
  const leaving = await openWorld();
  const data = await leaving.make("volume", volume);
  leaving.cloud.emulator.inventory.remove(String(leaving.group.id));
  leaving.cloud.emulator.configure({ taskMs: 3_600_000 });
  await leaving.end("volume", data);
  expect((await leaving.end("vpc", leaving.vpc)).next).toBe(unnamed);
  const blind = await openWorld();
  await blind.make("volume", volume);
  blind.cloud.emulator.faults.add({ target: "list_volumes", kind: "403" });
  expect((await blind.end("vpc", blind.vpc)).next).toBe(unnamed);
  expect(live(blind.cloud, "vpc")).toHaveLength(1);
});
