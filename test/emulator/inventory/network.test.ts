import { expect, test } from "@jest/globals";
import { at } from "../client.ts";
import { emulatorWith, instance, krnOf, network, port, rows, subnet, vpc } from "./sample.ts";

const base = [rows.vpc, rows.network, rows.subnet];
const primary = { ...rows.subnet, primary: true };
const remove = `DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${vpc}`;

test("a subnet needs a CIDR only; its gateway and its IP version follow", async () => {
  const { inventory } = await emulatorWith([
    ...base,
    { ...rows.subnet, krn: krnOf("vpc", "subnet", 33), cidr: "fd00::/64" },
  ]);
  const subnets = inventory.list().filter(({ kind }) => kind === "subnet");
  expect(subnets).toEqual([
    expect.objectContaining({ gatewayIp: "10.0.0.1", ipVersion: 4, owned: false }),
    expect.objectContaining({ gatewayIp: "fd00::1", ipVersion: 6, owned: false }),
  ]);
});

test("a primary subnet is deleted with its VPC, any other blocks the delete", async () => {
  expect((await (await emulatorWith(base)).call(remove)).status).toBe(409);
  const emulator = await emulatorWith([rows.vpc, rows.network, primary]);
  expect((await emulator.call(remove)).status).toBeLessThan(300);
  await emulator.clock.advance(5_000);
  expect(emulator.inventory.list()).toEqual([]);
});

test("a new port gets an address that no port of the inventory has", async () => {
  const emulator = await emulatorWith([...base, { ...rows.port, ip: "10.0.0.2" }]);
  const { status } = await emulator.call("POST /v1/highlvlvpc/create_port", {
    body: { name: "new", vpc_id: vpc, subnet_id: subnet, network_id: network, floating_ip: false },
  });
  const ips = emulator.inventory.list().flatMap((item) => ("ip" in item ? [item.ip] : []));
  expect([status < 300, new Set(ips).size]).toEqual([true, 2]);
});

test("a floating IP is at its port, also after a snapshot, and is deleted with the port that was reserved with it", async () => {
  const address = {
    ...{ kind: "floating_ip", krn: krnOf("vpc", "floatingIP", 8), name: "public", vpc, subnet, port },
    ...{ address: "198.51.100.7", reservedPort: port },
  };
  const reserved = { ...rows.port, reservedWith: address.krn };
  const emulator = await emulatorWith([...base, reserved, address]);
  expect(emulator.snapshot().objects).toContainEqual(expect.objectContaining(address));
  expect(emulator.snapshot().objects).toContainEqual(expect.objectContaining(reserved));
  emulator.inventory.remove(address.krn);
  expect(emulator.inventory.get(port)).toBeUndefined();
});

test("a rule is at its groups", async () => {
  const group = { kind: "security_group", krn: krnOf("sg", "sg", 9), name: "web", vpc };
  const rule = {
    ...{ kind: "security_group_rule", krn: krnOf("sgr", "sgr", 10), name: "https", vpc, groups: [group.krn] },
    ...{ direction: "ingress", ethertype: "IPv4", protocol: "tcp", portMin: 443, portMax: 443 },
    remote: "0.0.0.0/0",
  };
  const emulator = await emulatorWith([...base, group, rule]);
  const { body } = await emulator.call(`GET /securityGroup/v1/${vpc}`);
  expect(at(emulator.snapshot().objects[4], "groups")).toEqual([group.krn]);
  expect(JSON.stringify(body)).toContain(rule.krn);
});

test("a port that was created with an instance is deleted with it", async () => {
  const withInstance = { ...rows.port, instance, deletedWithInstance: true };
  const emulator = await emulatorWith([...base, withInstance, rows.bootVolume, rows.instance]);
  expect(emulator.snapshot().objects).toContainEqual(expect.objectContaining(withInstance));
  emulator.inventory.remove(instance);
  expect(emulator.inventory.get(port)).toBeUndefined();
});
