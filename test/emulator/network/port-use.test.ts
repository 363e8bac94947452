import { expect, test } from "@jest/globals";
import {
  at,
  type Cloud,
  instanceBody,
  makeGroup,
  makeInstance,
  makePort,
  makeVpc,
  openSite,
  portBody,
  portRows,
  readInstance,
  refusal,
  region,
  type Site,
  textAt,
} from "../client.ts";

const createInstance = "POST /vm/v1/create_instance_async";

const setGroups = (port: string, security_groups: unknown) =>
  [`PUT /api/v1/ports/${port}`, { body: { security_groups } }] as const;
const deleteVpc = (site: Site) => `DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${site.vpc}`;

/** Creates a second subnet, which can be deleted without its VPC; returns it with its delete request. */
async function secondSubnet(emulator: Cloud, site: Site) {
  const subnet_data = { name: "second", cidr: "10.0.1.0/24", ip_version: 4 };
  const body = { vpc_id: site.vpc, subnet_data };
  const made = await emulator.call("POST /v1/highlvlvpc/create_subnet", { body });
  await emulator.clock.advance(1000);
  const subnet = textAt(made.body, "subnet_id");
  const remove = `DELETE /v1/highlvlvpc/delete_subnet?vpc_id=${site.vpc}&subnet_id=${subnet}`;
  return { remove, site: { ...site, subnet } };
}

test("the port that a machine creates is found with its device, and is deleted with the machine", async () => {
  const { emulator, site } = await openSite();
  await emulator.call(createInstance, { body: instanceBody(site) });
  expect(await portRows(emulator)).toMatchObject([{ status: "BUILD" }]);
  await emulator.clock.advance(1000);
  const krn = emulator.inventory.list().find(({ kind }) => kind === "instance")?.krn ?? "";
  const port = at(await readInstance(emulator, krn), "network_ports.0.krn");
  expect(await portRows(emulator)).toMatchObject([
    {
      port_id: port,
      status: "ACTIVE",
      device_id: krn,
      device_owner: "compute:nova",
      security_group_krns: [site.group],
    },
  ]);
  await emulator.call(`DELETE /vm/v1/delete_instance_async?instanceKrn=${krn}`);
  expect(await portRows(emulator)).toHaveLength(1);
  await emulator.clock.advance(1000);
  expect(await portRows(emulator)).toEqual([]);
});

test("the groups of a port are replaced as a whole, and are those of its machine", async () => {
  const { emulator, site } = await openSite();
  const krn = await makeInstance(emulator, site);
  const port = textAt(await readInstance(emulator, krn), "network_ports.0.krn");
  const groups = [await makeGroup(emulator, site.vpc, "a"), await makeGroup(emulator, site.vpc, "b")];
  await emulator.clock.advance(500);
  const set = await emulator.call(...setGroups(port, groups));
  expect([set.status, set.body]).toEqual([
    200,
    {
      port: {
        krn_id: port,
        name: "vm-port",
        vpc_id: site.vpc,
        network_id: portBody(emulator, site, "").network_id,
        region,
        account_id: "000000000000",
        k_customer_id: "00000000-0000-4000-8000-000000000000",
        status: "ACTIVE",
        admin_state_up: true,
        mac_address: expect.any(String),
        fixed_ips: [{ ip_address: "10.0.0.2", subnet_id: site.subnet }],
        security_groups: groups,
        allowed_address_pairs: [],
        device_id: krn,
        device_owner: "compute:nova",
        is_deleted: false,
        createdAt: "2026-01-01T00:00:01.000Z",
        updatedAt: "2026-01-01T00:00:02.500Z",
        reqId: expect.any(String),
      },
    },
  ]);
  expect(await readInstance(emulator, krn)).toMatchObject({ security_groups: groups });
  expect(await portRows(emulator)).toMatchObject([{ security_group_krns: groups }]);
  expect((await emulator.call(`DELETE /securityGroup/v1/${site.group}`)).status).toBe(204);
  expect(await refusal(emulator, `DELETE /securityGroup/v1/${groups[0]}`)).toEqual([
    409,
    "security group a is in use by vm-port",
  ]);
});

test("the groups of a port must be at least one, exist and be of its VPC; otherwise nothing changes", async () => {
  const { emulator, site } = await openSite();
  const port = await makePort(emulator, site, "web");
  await emulator.call(...setGroups(port, [site.group]));
  const strange = await makeGroup(emulator, await makeVpc(emulator, "other"), "strange");
  const refused = (groups: unknown) => refusal(emulator, ...setGroups(port, groups));
  expect(await refused([])).toEqual([400, "security_groups: must not be empty"]);
  expect(await refused([site.group, "x"])).toEqual([404, "security group x not found"]);
  expect(await refused([site.group, strange])).toEqual([400, "security group strange is not of VPC net"]);
  expect(await refusal(emulator, ...setGroups("x", [site.group]))).toEqual([404, "port x not found"]);
  expect(await portRows(emulator)).toMatchObject([{ security_group_krns: [site.group] }]);
});

test("a machine uses an existing port, with the groups of the request; the port remains after the machine", async () => {
  const { emulator, site } = await openSite();
  const port = await makePort(emulator, site, "web");
  const krn = await makeInstance(emulator, site, { port_krn: port });
  expect(await readInstance(emulator, krn)).toMatchObject({
    port_krn: port,
    ip_fixed: "10.0.0.2",
    security_groups: [site.group],
    network_ports: [{ krn: port, fixed_ip: "10.0.0.2", floating_ip: null }],
  });
  expect(await portRows(emulator)).toMatchObject([{ name: "web", device_id: krn, status: "ACTIVE" }]);
  const second = instanceBody(site, { port_krn: port });
  expect(await refusal(emulator, createInstance, { body: second })).toEqual([
    409,
    "port web is in use by vm",
  ]);
  await emulator.call(`DELETE /vm/v1/delete_instance_async?instanceKrn=${krn}`);
  await emulator.clock.advance(1000);
  expect(await portRows(emulator)).toMatchObject([{ name: "web", device_id: "", status: "DOWN" }]);
  expect((await emulator.call(createInstance, { body: second })).status).toBe(202);
});

test("a port of another subnet, or one port for several machines, is rejected", async () => {
  const { emulator, site } = await openSite();
  const port = await makePort(emulator, (await secondSubnet(emulator, site)).site, "web");
  const refused = (more: Record<string, unknown>) =>
    refusal(emulator, createInstance, { body: instanceBody(site, { port_krn: port, ...more }) });
  expect(await refused({})).toEqual([400, "port_krn: port web is not of subnet net-subnet"]);
  expect(await refused({ count: 2 })).toEqual([400, "port_krn: one port is for one instance"]);
});

test("a port is deleted with its subnet, or blocks its delete if a switch is set", async () => {
  const { emulator, site } = await openSite({ assume: { subnetDeleteWithPorts: "conflict" } });
  const second = await secondSubnet(emulator, site);
  const port = await makePort(emulator, second.site, "web");
  expect(await refusal(emulator, second.remove)).toEqual([409, "subnet second is in use by web"]);
  emulator.configure({ assume: { subnetDeleteWithPorts: "removes" } });
  expect((await emulator.call(second.remove)).status).toBe(200);
  expect(emulator.inventory.get(port)).toBeUndefined();
});

test("the ports of a primary subnet are deleted with the VPC, or block its delete if a switch is set", async () => {
  const { emulator, site } = await openSite({ assume: { subnetDeleteWithPorts: "conflict" } });
  const port = await makePort(emulator, site, "web");
  await emulator.call(`DELETE /securityGroup/v1/${site.group}`);
  expect(await refusal(emulator, deleteVpc(site))).toEqual([
    409,
    `cannot delete vpc net: still in use by ${port}`,
  ]);
  emulator.configure({ assume: { subnetDeleteWithPorts: "removes" } });
  expect((await emulator.call(deleteVpc(site))).status).toBe(202);
  await emulator.clock.advance(1000);
  expect(emulator.inventory.list()).toEqual([]);
});
