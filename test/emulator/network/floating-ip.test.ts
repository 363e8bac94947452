import { expect, test } from "@jest/globals";
import {
  type Cloud,
  cloud,
  instanceBody,
  makeInstance,
  makePort,
  makeSite,
  portBody,
  refusal,
  type Site,
  textAt,
} from "../client.ts";

type Options = Parameters<typeof cloud>[0];

const attach = (attach_port: string, detach_port: string) =>
  ["POST /v1/highlvlvpc/attachFloatingIp", { body: { attach_port, detach_port } }] as const;
const detach = (port: string) => `DELETE /v1/highlvlvpc/detachFloatingIp/${port}`;
const release = (krn: string) => `DELETE /v1/highlvlvpc/delete_floating_ip?floating_ip_krn=${krn}`;

const list = async (emulator: Cloud, site: Site) =>
  (await emulator.call(`GET /v1/highlvlvpc/floating_ip_list?vpc_id=${site.vpc}`)).body;
const instance = async (emulator: Cloud, krn: string) =>
  (await emulator.call(`GET /v1/highlvlvpc/instance?krn=${krn}`)).body;
const kinds = (emulator: Cloud, kind: string) =>
  emulator.inventory.list().filter((item) => item.kind === kind);
const removeInstance = async (emulator: Cloud, krn: string) => {
  await emulator.call(`DELETE /vm/v1/delete_instance_async?instanceKrn=${krn}`);
  await emulator.clock.advance(1000);
};

/** Creates a reserved floating IP `web` and an instance `vm`, each with its port. */
async function ready(options: Options = {}) {
  const emulator = cloud(options);
  const site = await makeSite(emulator);
  const own = await makePort(emulator, site, "web", true);
  const vm = await makeInstance(emulator, site);
  const port = textAt(await instance(emulator, vm), "port_krn");
  const krn = kinds(emulator, "floating_ip")[0]?.krn ?? "";
  return { emulator, site, own, vm, port, krn };
}

test("a port create reserves an address on its own port, and returns it", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  const made = await emulator.call("POST /v1/highlvlvpc/create_port", {
    body: portBody(emulator, site, "web", true),
  });
  const [port_krn, floating_ip_krn] = [textAt(made.body, "port_krn"), textAt(made.body, "floating_ip_krn")];
  expect(floating_ip_krn).toMatch(/:floatingIP:/);
  expect([made.status, made.body]).toEqual([
    201,
    { port_krn, floating_ip_krn, floating_ip_address: "198.18.0.1", message: "port created" },
  ]);
  expect(await list(emulator, site)).toEqual([
    {
      floating_ip_krn,
      floating_ip_address: "198.18.0.1",
      port_krn,
      subnet_name: "net-subnet",
      ip_version: 4,
      visibility: "public",
      vm_name: "unknown",
    },
  ]);
  expect((await emulator.call(`GET /v1/highlvlvpc/search_port?port_id=${port_krn}`)).body).toMatchObject({
    ports: [{ floating_ip_address: "198.18.0.1", device_id: "" }],
  });
});

test.each([
  ["holds the address", true],
  ["is the target", false],
])("the address moves to the other port, whether attach_port %s", async (_, holderFirst) => {
  const { emulator, site, own, vm, port } = await ready();
  const call = holderFirst ? attach(own, port) : attach(port, own);
  const response = await emulator.call(...call);
  expect([response.status, response.body]).toEqual([200, { message: "floating IP attached" }]);
  expect(await list(emulator, site)).toMatchObject([{ port_krn: port, vm_name: "vm" }]);
  expect(await instance(emulator, vm)).toMatchObject({
    floatingIpAddress: "198.18.0.1",
    network_ports: [{ krn: port, floating_ip: "198.18.0.1" }],
  });
});

test.each([["attach-holds"], ["detach-holds"]] as const)(
  "with the switch at %s, the reverse order moves nothing",
  async (floatingIpAttachOrder) => {
    const { emulator, site, own, port } = await ready({ assume: { floatingIpAttachOrder } });
    const right = floatingIpAttachOrder === "attach-holds" ? attach(own, port) : attach(port, own);
    const wrong = floatingIpAttachOrder === "attach-holds" ? attach(port, own) : attach(own, port);
    expect((await emulator.call(...wrong)).status).toBe(200);
    expect(await list(emulator, site)).toMatchObject([{ port_krn: own, vm_name: "unknown" }]);
    await emulator.call(...right);
    expect(await list(emulator, site)).toMatchObject([{ port_krn: port, vm_name: "vm" }]);
  },
);

test("an attach needs two ports of one VPC, of which one holds an address", async () => {
  const { emulator, site, own, port } = await ready();
  const empty = await makePort(emulator, site, "empty");
  const second = await makePort(emulator, site, "second", true);
  const strange = await makePort(emulator, await makeSite(emulator, "other"), "strange");
  const refused = (a: string, b: string) => refusal(emulator, ...attach(a, b));
  expect(await refused("x", own)).toEqual([404, "port x not found"]);
  expect(await refused(own, own)).toEqual([400, "attach_port: is detach_port too"]);
  expect(await refused(own, strange)).toEqual([400, "ports web and strange are not of one VPC"]);
  expect(await refused(empty, port)).toEqual([
    404,
    "neither port empty nor port vm-port holds a floating IP",
  ]);
  expect(await refused(own, second)).toEqual([409, "ports web and second both hold a floating IP"]);
  await emulator.call(...attach(own, port));
  expect(await refused(second, own)).toEqual([409, "port web is reserved for floating IP 198.18.0.1"]);
});

test("a detached address is on its reserved port again, and can be attached again", async () => {
  const { emulator, site, own, vm, port } = await ready();
  await emulator.call(...attach(own, port));
  const response = await emulator.call(detach(port));
  expect([response.status, response.body]).toEqual([200, { message: "floating IP detached" }]);
  expect(await list(emulator, site)).toMatchObject([{ port_krn: own, vm_name: "unknown" }]);
  expect(await instance(emulator, vm)).toMatchObject({ floatingIpAddress: null });
  expect((await emulator.call(...attach(own, port))).status).toBe(200);
});

test("a detach deletes the address and its port if a switch is set", async () => {
  const { emulator, site, own, port } = await ready({ assume: { floatingIpDetach: "deletes" } });
  await emulator.call(...attach(own, port));
  await emulator.call(detach(port));
  expect(await list(emulator, site)).toEqual([]);
  expect(emulator.inventory.get(own)).toBeUndefined();
});

test.each([[200], [404], [409]] as const)(
  "a detach where nothing is attached is a %s if a switch is set",
  async (repeatedAttach) => {
    const { emulator, own, port } = await ready({ assume: { repeatedAttach } });
    for (const [krn, name] of [
      [own, "web"],
      [port, "vm-port"],
    ]) {
      const message = `no floating IP is attached to port ${name}`;
      expect(await refusal(emulator, detach(String(krn)))).toEqual([repeatedAttach, message]);
    }
  },
);

test("an address is released after its detach, and its reserved port is deleted with it", async () => {
  const { emulator, site, own, port, krn } = await ready();
  await emulator.call(...attach(own, port));
  expect(await refusal(emulator, release(krn))).toEqual([
    409,
    "floating IP 198.18.0.1 is attached to instance vm; detach it first",
  ]);
  await emulator.call(detach(port));
  const response = await emulator.call(release(krn));
  expect([response.status, response.body]).toEqual([200, { message: "floating IP deletion accepted" }]);
  expect(await list(emulator, site)).toHaveLength(1);
  expect(await refusal(emulator, release(krn))).toEqual([409, "web is already being deleted"]);
  expect(await refusal(emulator, ...attach(own, port))).toEqual([
    409,
    "floating IP 198.18.0.1 is being deleted",
  ]);
  await emulator.clock.advance(1000);
  expect(await list(emulator, site)).toEqual([]);
  expect(emulator.inventory.get(own)).toBeUndefined();
  expect(await refusal(emulator, release(krn))).toEqual([404, `floating IP ${krn} not found`]);
});

test("the reserved port of a released address stays if a switch is set", async () => {
  const { emulator, own, krn } = await ready({ assume: { floatingIpDeletePort: "keeps" } });
  await emulator.call(release(krn));
  await emulator.clock.advance(1000);
  expect(emulator.inventory.get(krn)).toBeUndefined();
  expect(emulator.inventory.get(own)).toMatchObject({ name: "web" });
});

test("an address on a port other than its own counts as attached, even without a machine", async () => {
  const { emulator, site, own, krn } = await ready();
  const other = await makePort(emulator, site, "other");
  await emulator.call(...attach(own, other));
  expect(await refusal(emulator, release(krn))).toEqual([
    409,
    "floating IP 198.18.0.1 is attached to port other; detach it first",
  ]);
});

test("an attached address returns to its own port when the machine is deleted", async () => {
  const { emulator, site, own, vm, port } = await ready();
  await emulator.call(...attach(own, port));
  await removeInstance(emulator, vm);
  expect(await list(emulator, site)).toMatchObject([{ port_krn: own, vm_name: "unknown" }]);
});

test.each([
  ["is deleted with the machine", "releases", 0],
  ["stays reserved without a port if a switch is set", "keeps", 1],
] as const)("an address that was created with a machine %s", async (_, instanceDeleteFloatingIp, left) => {
  const emulator = cloud({ assume: { instanceDeleteFloatingIp } });
  const site = await makeSite(emulator);
  const vm = await makeInstance(emulator, site, { floating_ip: true });
  expect(await list(emulator, site)).toMatchObject([{ vm_name: "vm", floating_ip_address: "198.18.0.1" }]);
  await removeInstance(emulator, vm);
  const rows = [{ port_krn: null, vm_name: "unknown", subnet_name: "net-subnet" }];
  expect(await list(emulator, site)).toMatchObject(rows.slice(0, left));
  const krn = kinds(emulator, "floating_ip")[0]?.krn;
  if (krn !== undefined) expect((await emulator.call(release(krn))).status).toBe(200);
});

test("an address that was created with a machine can be detached, remains after the machine, and can be released", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  const vm = await makeInstance(emulator, site, { floating_ip: true });
  await emulator.call(detach(textAt(await instance(emulator, vm), "port_krn")));
  expect(await instance(emulator, vm)).toMatchObject({ floatingIpAddress: null, floating_ip_krn: null });
  await removeInstance(emulator, vm);
  expect(await list(emulator, site)).toMatchObject([{ port_krn: null }]);
  const krn = kinds(emulator, "floating_ip")[0]?.krn ?? "";
  await emulator.call(release(krn));
  await emulator.clock.advance(1000);
  expect(await list(emulator, site)).toEqual([]);
});

test("an address that is being deleted with its machine cannot be detached", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  const vm = await makeInstance(emulator, site, { floating_ip: true });
  const port = textAt(await instance(emulator, vm), "port_krn");
  await emulator.call(`DELETE /vm/v1/delete_instance_async?instanceKrn=${vm}`);
  expect(await refusal(emulator, detach(port))).toEqual([409, "floating IP 198.18.0.1 is being deleted"]);
});

test("a machine on a reserved port has its address, and a port with an address accepts no second one", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  const own = await makePort(emulator, site, "web", true);
  const body = instanceBody(site, { port_krn: own, floating_ip: true });
  expect(await refusal(emulator, "POST /vm/v1/create_instance_async", { body })).toEqual([
    409,
    "port web already holds a floating IP",
  ]);
  const vm = await makeInstance(emulator, site, { port_krn: own });
  expect(await instance(emulator, vm)).toMatchObject({ floatingIpAddress: "198.18.0.1" });
  await emulator.call(detach(own));
  expect(await list(emulator, site)).toMatchObject([{ port_krn: null, vm_name: "unknown" }]);
  await emulator.call(release(kinds(emulator, "floating_ip")[0]?.krn ?? ""));
  await emulator.clock.advance(1000);
  expect(await list(emulator, site)).toEqual([]);
  expect(await instance(emulator, vm)).toMatchObject({ port_krn: own, status: "ACTIVE" });
});

test("a reserved address keeps its VPC from being deleted", async () => {
  const { emulator, site, vm, krn } = await ready();
  await removeInstance(emulator, vm);
  await emulator.clock.advance(1000);
  await emulator.call(`DELETE /securityGroup/v1/${site.group}`);
  const remove = `DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${site.vpc}`;
  const refused = [409, `cannot delete vpc net: still in use by ${krn}`];
  expect(await refusal(emulator, remove)).toEqual(refused);
  await emulator.call(release(krn));
  expect(await refusal(emulator, remove)).toEqual(refused);
  await emulator.clock.advance(1000);
  expect((await emulator.call(remove)).status).toBe(202);
});

test("a reserved address keeps its subnet from being deleted", async () => {
  const { emulator, site } = await ready();
  const subnet_data = { name: "second", cidr: "10.0.1.0/24", ip_version: 4 };
  const body = { vpc_id: site.vpc, subnet_data };
  const made = await emulator.call("POST /v1/highlvlvpc/create_subnet", { body });
  await emulator.clock.advance(1000);
  const subnet = textAt(made.body, "subnet_id");
  await makePort(emulator, { ...site, subnet }, "second-ip", true);
  const remove = `DELETE /v1/highlvlvpc/delete_subnet?vpc_id=${site.vpc}&subnet_id=${subnet}`;
  expect(await refusal(emulator, remove)).toEqual([409, "subnet second is in use by second-ip"]);
});

test("the list shows the port of an address with the listing lag", async () => {
  const { emulator, site, own, port } = await ready({ listingLagMs: 3000 });
  await emulator.clock.advance(3000);
  await emulator.call(...attach(own, port));
  expect(await list(emulator, site)).toMatchObject([{ port_krn: own, vm_name: "unknown" }]);
  await emulator.clock.advance(3000);
  expect(await list(emulator, site)).toMatchObject([{ port_krn: port, vm_name: "vm" }]);
});

test("removing a port in the console also removes its reserved address", async () => {
  const { emulator, site, own } = await ready();
  emulator.inventory.remove(own);
  expect(await list(emulator, site)).toEqual([]);
});
