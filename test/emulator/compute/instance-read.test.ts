import { expect, test } from "@jest/globals";
import { at, cloud, instanceBody, makeInstance, makeSite, makeVpc, refusal } from "../client.ts";

async function ready(options: Parameters<typeof cloud>[0] = {}) {
  const emulator = cloud(options);
  const site = await makeSite(emulator);
  const search = async (query = "") =>
    (await emulator.call(`GET /vm/v1/search_instances?vpc_id=${site.vpc}${query}`)).body;
  const read = async (krn: string) => (await emulator.call(`GET /v1/highlvlvpc/instance?krn=${krn}`)).body;
  return { emulator, site, search, read };
}

const names = (body: unknown) =>
  (at(body, "instances") as { vm_name: string }[]).map(({ vm_name }) => vm_name);

async function several(count: number, options: Parameters<typeof cloud>[0] = {}) {
  const made = await ready(options);
  const body = instanceBody(made.site, { count });
  await made.emulator.call("POST /vm/v1/create_instance_async", { body });
  await made.emulator.clock.advance(1000);
  return made;
}

test("the search returns pages of ten, the oldest first, and the total", async () => {
  const { search } = await several(12);
  const first = await search();
  expect(names(first)).toHaveLength(10);
  expect(first).toMatchObject({ page: 1, page_size: 10, total_count: 12, total_pages: 2 });
  expect(names(await search("&page=2"))).toEqual(["vm-11", "vm-12"]);
  expect(names(await search("&page=3&limit=5"))).toEqual(["vm-11", "vm-12"]);
});

test("a page is never larger than the switch allows, for any limit", async () => {
  const { search } = await several(5, { assume: { instancePageMax: 2 } });
  const page = await search("&limit=1000");
  expect(names(page)).toEqual(["vm-1", "vm-2"]);
  expect(page).toMatchObject({ page_size: 2, total_count: 5, total_pages: 3 });
});

test("the paging is in camel case if a switch is set", async () => {
  const { search } = await several(1, { assume: { instancePaging: "camel" } });
  expect(await search()).toMatchObject({ page: 1, pageSize: 10, totalCount: 1, totalPages: 1 });
});

test("the search finds by KRN, by part of the name and by address", async () => {
  const { emulator, search } = await several(11);
  const krn = emulator.inventory.list().find(({ name }) => name === "vm-3")?.krn;
  expect(names(await search(`&krn=${krn}`))).toEqual(["vm-3"]);
  expect(names(await search("&name=vm-1"))).toEqual(["vm-1", "vm-10", "vm-11"]);
  expect(names(await search("&ip_fixed=10.0.0.3"))).toEqual(["vm-2"]);
  expect(names(await search("&ip_floating=198.18.0.1"))).toEqual([]);
});

test("the search covers one VPC, which is required and must exist", async () => {
  const { emulator, site } = await ready();
  await makeInstance(emulator, site);
  const other = await makeVpc(emulator, "other");
  const path = "GET /vm/v1/search_instances";
  expect(names((await emulator.call(`${path}?vpc_id=${other}`)).body)).toEqual([]);
  expect(await refusal(emulator, path)).toEqual([400, "query vpc_id: required"]);
  expect(await refusal(emulator, `${path}?vpc_id=x`)).toEqual([404, "VPC x not found"]);
});

test("the search lags behind, the read does not", async () => {
  const { emulator, site, search, read } = await ready({ listingLagMs: 2000 });
  const krn = await makeInstance(emulator, site);
  expect(names(await search())).toEqual([]);
  expect(await read(krn)).toMatchObject({ status: "ACTIVE" });
  await emulator.clock.advance(1000);
  expect(await search()).toMatchObject({ instances: [{ krn, status: "BUILD" }] });
});

test("ports and addresses come with ACTIVE; the ports later if a switch is set", async () => {
  const { emulator, site, read } = await ready({ assume: { networkPortsAfterMs: 300 } });
  await emulator.call("POST /vm/v1/create_instance_async", { body: instanceBody(site) });
  const krn = emulator.inventory.list().find(({ kind }) => kind === "instance")?.krn ?? "";
  expect(await read(krn)).toMatchObject({
    status: "BUILD",
    ip_fixed: null,
    ip_addresses: "[]",
    network_ports: [],
  });
  await emulator.clock.advance(1000);
  expect(await read(krn)).toMatchObject({ status: "ACTIVE", ip_fixed: "10.0.0.2", network_ports: [] });
  await emulator.clock.advance(300);
  expect(await read(krn)).toMatchObject({ network_ports: [{ fixed_ip: "10.0.0.2", floating_ip: null }] });
});

test("a row of the search holds ip_list, and network_ports only if a switch is set", async () => {
  const { emulator, search } = await several(1);
  const row = async () => Object.keys((at(await search(), "instances.0") as object) ?? {});
  expect(await row()).toContain("ip_list");
  expect(await row()).not.toContain("ip_addresses");
  expect(await row()).not.toContain("network_ports");
  emulator.configure({ assume: { searchShowsPorts: true } });
  expect(await row()).toContain("network_ports");
});

test("a machine has no KRN before it is ACTIVE if a switch is set", async () => {
  const { emulator, site, search } = await ready({ assume: { instanceKrn: "active" } });
  await emulator.call("POST /vm/v1/create_instance_async", { body: instanceBody(site) });
  expect(await search()).toMatchObject({ instances: [{ krn: null, instanceId: null, status: "BUILD" }] });
  await emulator.clock.advance(1000);
  expect(await search()).toMatchObject({ instances: [{ krn: expect.stringContaining(":instance:") }] });
});

test("fields and status values have their other forms if switches are set", async () => {
  const { emulator, site, search } = await ready({
    assume: { instanceSpelling: "legacy", buildingWord: "CREATING", failedWord: "failed" },
  });
  const body = instanceBody(site, { instanceName: "vm-fails" });
  await emulator.call("POST /vm/v1/create_instance_async", { body });
  expect(await search()).toMatchObject({
    instances: [{ instanceName: "vm-fails", instanceType: "c1.small", status: "CREATING" }],
  });
  await emulator.clock.advance(1000);
  expect(await search()).toMatchObject({ instances: [{ createdAt: expect.any(String), status: "failed" }] });
});

test("tasks have other status values, and rows have none, if switches are set", async () => {
  const { emulator, site, search } = await ready({
    assume: { taskSuccessWord: "completed", taskFailureWord: "error", instanceShowsTask: false },
  });
  const status = async (instanceName: string) => {
    const body = instanceBody(site, { instanceName });
    const made = await emulator.call("POST /vm/v1/create_instance_async", { body });
    await emulator.clock.advance(1000);
    const path = `GET /vm/v1/get_instance_task_status?task_id=${at(made.body, "task_id")}`;
    return at((await emulator.call(path)).body, "status");
  };
  expect([await status("vm"), await status("vm-fails")]).toEqual(["completed", "error"]);
  expect(at(await search(), "instances.0")).not.toHaveProperty("task_id");
});

test("the search shows deleted machines for the time of the switch", async () => {
  const { emulator, site, search } = await ready({ assume: { instanceListKeepsDeadMs: 5000 } });
  const krn = await makeInstance(emulator, site);
  await emulator.call(`DELETE /vm/v1/delete_instance_async?instanceKrn=${krn}`);
  await emulator.clock.advance(1000);
  expect(await search()).toMatchObject({ instances: [{ krn, status: "deleted" }] });
  await emulator.clock.advance(5000);
  expect(names(await search())).toEqual([]);
});

test("the list of running machines omits all others", async () => {
  const { emulator, site } = await ready();
  const running = await makeInstance(emulator, site);
  await makeInstance(emulator, site, { instanceName: "vm-fails" });
  const stopped = await makeInstance(emulator, site, { instanceName: "stopped" });
  await emulator.call(`PUT /vm/v1/instance/${stopped}`, { body: { action: "stop" } });
  await emulator.clock.advance(1000);
  const list = (size: string) =>
    emulator.call(`GET /v1/highlvlvpc/instanceinfo?vpc_id=${site.vpc}&page=1&pageSize=${size}`);
  expect((await list("10")).body).toMatchObject([{ krn: running }]);
  expect((await list("10")).body).toHaveLength(1);
});

test("a task is found by its id, in its region if one is named, and no other", async () => {
  const { emulator, site } = await ready();
  const made = await emulator.call("POST /vm/v1/create_instance_async", { body: instanceBody(site) });
  const path = `GET /vm/v1/get_instance_task_status?task_id=${at(made.body, "task_id")}`;
  expect((await emulator.call(path, { headers: { "x-region": "" } })).status).toBe(200);
  const missing = [404, "Record not found"];
  expect(await refusal(emulator, path, { headers: { "x-region": "In-Hyderabad-1" } })).toEqual(missing);
  expect(await refusal(emulator, "GET /vm/v1/get_instance_task_status?task_id=x")).toEqual(missing);
});

test("a machine is not found in another region, and a masked id is rejected with an opaque error", async () => {
  const { emulator, site } = await ready();
  const krn = await makeInstance(emulator, site);
  const path = `GET /v1/highlvlvpc/instance?krn=${krn}`;
  expect((await emulator.call(path, { headers: { "x-region": "In-Hyderabad-1" } })).status).toBe(404);
  const masked = path.replace(/:00000000-0000-4000-8000-000000000000:/, ":***:");
  expect(await refusal(emulator, masked)).toEqual([400, "invalid krn"]);
});
