import { expect, test } from "@jest/globals";
import { courseOf, observe } from "../../../rehearse/cloud/observe.ts";
import { emulatorWith, instance, krnOf, port, rows, subnet, vpc } from "../../emulator/inventory/sample.ts";

const group = { kind: "security_group", krn: krnOf("sg", "sg", 41), name: "web", vpc };
const address = {
  ...{ kind: "floating_ip", krn: krnOf("vpc", "floatingIP", 42), name: "public", vpc, subnet, port },
  ...{ address: "192.0.2.7", reservedPort: port },
};
const disk = { ...rows.bootVolume, krn: krnOf("kbs", "volume", 43), name: "data" };
const attachment = {
  ...{ kind: "volume_attachment", krn: krnOf("kbs", "attachment", 44), name: "data" },
  ...{ instance, volume: disk.krn, device: "/dev/vdb" },
};
const rule = {
  ...{ kind: "security_group_rule", krn: krnOf("sgr", "sgr", 45), name: "https", vpc, groups: [group.krn] },
  ...{ direction: "ingress", ethertype: "IPv4", protocol: "tcp", portMin: 443, portMax: 443 },
  remote: "0.0.0.0/0",
};
const all = [
  ...[rows.vpc, rows.network, rows.subnet, { ...rows.port, instance }, rows.bootVolume, rows.instance],
  ...[group, address, disk, attachment, rule],
];

test("addresses, attachments and rules are connections, under keys without the ids of what may be replaced", async () => {
  const { connections, running } = observe(await emulatorWith(all));
  expect([...connections.values()].map(({ text }) => text).toSorted()).toEqual([
    'ingress tcp 443-443 0.0.0.0/0 in the security group "web"',
    'the address 192.0.2.7 at the instance "web"',
    'the volume "data" at the instance "web"',
  ]);
  expect([...connections.keys()].join()).not.toContain(rule.krn);
  expect(running).toEqual(new Set([instance]));
});

test("a rule that is replaced by an equal one was absent, and one that stays was not", async () => {
  const emulator = await emulatorWith(all);
  const before = observe(emulator);
  emulator.inventory.remove(rule.krn);
  const between = observe(emulator);
  expect(courseOf([before, between, before]).absent).toEqual([
    'ingress tcp 443-443 0.0.0.0/0 in the security group "web"',
  ]);
  expect(courseOf([before, between]).absent).toEqual([]);
  expect(courseOf([])).toEqual({ interrupted: [], absent: [] });
});

test("an instance that is restarted is interrupted; one that is stopped and stays so is not", async () => {
  const emulator = await emulatorWith(all);
  const before = observe(emulator);
  const reply = await emulator.call(`PUT /vm/v1/instance/${instance}`, { body: { action: "reboot" } });
  expect(reply.status).toBeLessThan(300);
  const during = observe(emulator);
  await emulator.clock.advance(5_000);
  expect(courseOf([before, during, observe(emulator)]).interrupted).toEqual([instance]);
  expect(courseOf([before, during]).interrupted).toEqual([]);
});

test("an address that was created with a machine is another one after a replacement, even if it is equal", async () => {
  const emulator = await emulatorWith(all);
  const before = observe(emulator);
  emulator.inventory.remove(address.krn);
  const between = observe(emulator);
  const other = observe(
    await emulatorWith([
      ...all.filter((row) => row !== address),
      { ...address, krn: krnOf("vpc", "floatingIP", 99) },
    ]),
  );
  const text = 'the address 192.0.2.7 at the instance "web"';
  expect(courseOf([before, between, other]).absent).toEqual([`${text}, which another address replaces`]);
  expect(courseOf([before, between, before]).absent).toEqual([text]);
  expect(courseOf([before, between]).absent).toEqual([]);
});
