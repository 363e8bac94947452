import { expect, test } from "@jest/globals";
import {
  at,
  cloud,
  makeGroup,
  makeInstance,
  makePort,
  makeSite,
  makeVpc,
  openSite,
  portBody,
  portRows,
  readInstance,
  refusal,
  searchPorts,
  textAt,
} from "../client.ts";

const create = "POST /v1/highlvlvpc/create_port";

test("a port exists immediately, with the status DOWN, an address and no groups", async () => {
  const { emulator, site } = await openSite();
  const body = portBody(emulator, site, "web");
  const made = await emulator.call(create, { body });
  const port_krn = textAt(made.body, "port_krn");
  expect(port_krn).toMatch(/^krn:vpc:In-Bangalore-1:000000000000:.*:port:/);
  const nothing = { floating_ip_krn: null, floating_ip_address: null };
  expect([made.status, made.body]).toEqual([201, { port_krn, ...nothing, message: "port created" }]);
  expect(await searchPorts(emulator)).toEqual({
    ports: [
      {
        port_id: port_krn,
        name: "web",
        network_id: body.network_id,
        subnet_id: site.subnet,
        mac_address: expect.stringMatching(/^fa:16:3e(:[0-9a-f]{2}){3}$/),
        fixed_ips: [{ ip_address: "10.0.0.2", subnet_id: site.subnet }],
        floating_ip_address: null,
        security_group_krns: [],
        device_id: "",
        device_owner: "",
        admin_state_up: true,
        status: "DOWN",
        created_at: "2026-01-01T00:00:01.000Z",
        updated_at: "2026-01-01T00:00:01.000Z",
      },
    ],
    page: 1,
    size: 10,
    total_count: 1,
    total_pages: 1,
  });
});

test.each([
  ["no flag", { floating_ip: undefined }, 400, "floating_ip: required"],
  ["an empty name", { name: "" }, 400, "name: must not be empty"],
  ["an unknown field", { cidr: "x" }, 400, 'cidr: unknown field "cidr"'],
  ["an unknown VPC", { vpc_id: "x" }, 404, "VPC x not found"],
  ["an unknown network", { network_id: "x" }, 404, "network x not found in VPC net"],
  ["an unknown subnet", { subnet_id: "x" }, 404, "subnet x not found in VPC net"],
  [
    "a name that selects a rejection",
    { name: "a-error-409" },
    409,
    "refused because of the name a-error-409",
  ],
])("a port with %s is rejected, and nothing is created", async (_, wrong, status, message) => {
  const { emulator, site } = await openSite();
  const before = emulator.inventory.list();
  const body = { ...portBody(emulator, site, "web"), ...wrong };
  expect(await refusal(emulator, create, { body })).toEqual([status, message]);
  expect(emulator.inventory.list()).toEqual(before);
});

test("two ports of a subnet may have one name unless the switch forbids it", async () => {
  const { emulator, site } = await openSite();
  await makePort(emulator, site, "web");
  const body = portBody(emulator, site, "web");
  expect((await emulator.call(create, { body })).status).toBe(201);
  emulator.configure({ assume: { equalNames: false } });
  expect(await refusal(emulator, create, { body })).toEqual([409, "port web already exists"]);
});

test("ports and machines share the addresses of a subnet", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator, "net", { subnet: { name: "small", cidr: "10.0.0.0/29" } });
  const subnet = emulator.inventory.list().find(({ kind }) => kind === "subnet")?.krn ?? "";
  const site = { vpc, subnet, group: await makeGroup(emulator, vpc) };
  for (const name of ["a", "b", "c", "d"]) await makePort(emulator, site, name);
  expect(await readInstance(emulator, await makeInstance(emulator, site))).toMatchObject({
    ip_fixed: "10.0.0.6",
  });
  expect(await refusal(emulator, create, { body: portBody(emulator, site, "e") })).toEqual([
    409,
    "subnet small has no free address",
  ]);
});

test("the search finds by id, part of the name, network, VPC and status", async () => {
  const { emulator, site } = await openSite();
  const web = await makePort(emulator, site, "web-1");
  await makePort(emulator, site, "db");
  await makeInstance(emulator, site);
  const other = await makeSite(emulator, "other");
  await makePort(emulator, other, "web-2");
  const names = async (query: string) => (await portRows(emulator, query)).map(({ name }) => name);
  expect(await names(`port_id=${web}&name=`)).toEqual(["web-1"]);
  expect(await names("name=web")).toEqual(["web-1", "web-2"]);
  expect(await names(`vpc_id=${other.vpc}`)).toEqual(["web-2"]);
  expect(await names(`network_id=${portBody(emulator, site, "").network_id}`)).toEqual([
    "web-1",
    "db",
    "vm-port",
  ]);
  expect(await names("status=active")).toEqual(["vm-port"]);
  expect(await names("port_id=x")).toEqual([]);
});

test("the search shows the ports of the region alone, page by page", async () => {
  const { emulator, site } = await openSite();
  for (let i = 1; i <= 12; i++) await makePort(emulator, site, `port-${i}`);
  expect(await searchPorts(emulator, "page=3&size=5")).toMatchObject({
    ports: [{ name: "port-11" }, { name: "port-12" }],
    page: 3,
    size: 5,
    total_count: 12,
    total_pages: 3,
  });
  expect(await searchPorts(emulator)).toMatchObject({ size: 10, total_pages: 2 });
  emulator.configure({ assume: { portPageDefault: 4, portPageMax: 6 } });
  expect(await searchPorts(emulator)).toMatchObject({ size: 4, total_pages: 3 });
  expect(await searchPorts(emulator, "size=100")).toMatchObject({ size: 6, total_pages: 2 });
  const headers = { "x-region": "In-Hyderabad-1" };
  expect((await emulator.call("GET /v1/highlvlvpc/search_port", { headers })).body).toMatchObject({
    ports: [],
  });
});

test("the search may be a bare array of all, and name the id otherwise", async () => {
  const { emulator, site } = await openSite({
    assume: { portSearchShape: "array", portIdField: "krn_id", portPageDefault: 1 },
  });
  const [a, b] = [await makePort(emulator, site, "a"), await makePort(emulator, site, "b")];
  expect(await searchPorts(emulator)).toMatchObject([{ krn_id: a }, { krn_id: b }]);
});

test("a new port shows in the search later, by the lag, and its create can be lost after the effect", async () => {
  const { emulator, site } = await openSite({ listingLagMs: 3000 });
  emulator.faults.add({ target: "create_port", kind: "404", when: "after", from: 1, times: 1 });
  const lost = await emulator.call(create, { body: portBody(emulator, site, "web") });
  expect([lost.status, at(lost.body, "message")]).toEqual([404, "injected fault"]);
  expect(await portRows(emulator)).toEqual([]);
  await emulator.clock.advance(3000);
  expect(await portRows(emulator)).toMatchObject([{ name: "web" }]);
});
