import { expect, test } from "@jest/globals";
import { openWorld } from "../../support/conflict-world.ts";

const volume = { name: "data", sizeGb: 10, volumeType: "ssd" };

const dependents = (...named: string[]) =>
  `Remove or detach the objects that use it, then run again: ${named.join(", ")}`;

test("the conflict of a VPC names its dependents, but not objects that are deleted with it", async () => {
  const { vpc, group, subnetId, make, machine, end } = await openWorld();
  const web = await machine();
  const data = await make("volume", volume);
  const address = await make("floating-ip", { name: "front", subnetId });
  const subnet = await make("subnet", { name: "b", cidr: "10.0.16.0/24" });
  expect((await end("vpc", vpc)).next).toBe(
    dependents(
      `the instance "web" (${web.id})`,
      `the volume "data" (${data.id})`,
      `the floating IP "front" (${address.id})`,
      `the subnet "b" (${subnet.id})`,
      `the security group "web" (${group.id})`,
    ),
  );
});

test("the conflict of a subnet names the instances whose ports are in it", async () => {
  const { make, machine, end } = await openWorld({ assume: { subnetDeleteWithPorts: "conflict" } });
  const subnet = await make("subnet", { name: "b", cidr: "10.0.16.0/24" });
  const inside = { subnetId: String(subnet.id) };
  const web = await machine(inside);
  const address = await make("floating-ip", { name: "front", ...inside });
  const port = await make("port", { name: "berth", ...inside });
  expect((await end("subnet", subnet)).next).toBe(
    dependents(
      `the instance "web" (${web.id})`,
      `the floating IP "front" (${address.id})`,
      `the port "berth" (${port.id})`,
    ),
  );
});

test("the conflict of a security group names the instances that have it on a port", async () => {
  const { group, subnetId, make, machine, end } = await openWorld();
  const web = await machine();
  const port = await make("port", { name: "berth", subnetId, securityGroups: [String(group.id)] });
  expect((await end("security-group", group)).next).toBe(
    dependents(`the instance "web" (${web.id})`, `the port "berth" (${port.id})`),
  );
});
