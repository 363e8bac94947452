import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, makeVpc, region, textAt, vpcBody } from "../client.ts";

const create = "POST /v1/highlvlvpc/create_vpc_async";
const taskStatus = "POST /v1/highlvlvpc/get_vpc_task_status";
const list = "GET /v1/highlvlvpc/get_vpc_list";
const get = "POST /v1/highlvlvpc/get_vpc";
const remove = (krn: string) => `DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${krn}`;

const subnet = { name: "first", cidr: "10.0.0.0/24", ip_version: "4" };

async function startVpc(emulator: Cloud, body: unknown = vpcBody("net", { subnet })): Promise<string> {
  return textAt((await emulator.call(create, { body })).body, "task_id");
}

async function tasks(emulator: Cloud, taskId: string): Promise<Record<string, unknown>[]> {
  const reply = await emulator.call(taskStatus, { body: { task_id: taskId } });
  return at(reply.body, "data.tasks") as Record<string, unknown>[];
}

const statuses = async (emulator: Cloud) =>
  ((await emulator.call(list)).body as { operating_status: string }[]).map((row) => row.operating_status);

const message = async (emulator: Cloud, request: string, body?: unknown) => {
  const reply = await emulator.call(request, body === undefined ? {} : { body });
  return [reply.status, at(reply.body, "message")];
};

test("get returns the real, nested shape", async () => {
  const emulator = cloud();
  const krn = await makeVpc(emulator, "net", { subnet });
  const items = emulator.inventory.list();
  const expected = {
    data: {
      tasks: [
        { field: "vpc", name: "net", status: "success" },
        {
          field: "network",
          krn: items.find(({ kind }) => kind === "network")?.krn,
          name: "net-network",
          status: "success",
        },
        {
          field: "subnet",
          subnet_list: [
            {
              krn: items.find(({ kind }) => kind === "subnet")?.krn,
              name: "first",
              cidr: "10.0.0.0/24",
              status: "success",
            },
          ],
        },
      ],
    },
  };
  for (const body of [{ vpc_id: krn }, { vpc_name: "net" }, { vpc_id: krn, vpc_name: "net" }]) {
    expect((await emulator.call(get, { body })).body).toEqual(expected);
  }
});

test("get rejects a request without a VPC, with two VPCs, or with another one than its id", async () => {
  const emulator = cloud();
  const krn = await makeVpc(emulator);
  expect(await message(emulator, get, {})).toEqual([400, "vpc_id: required"]);
  expect(await message(emulator, get, { vpc_id: "krn:no" })).toEqual([404, "VPC krn:no not found"]);
  expect(await message(emulator, get, { vpc_name: "no" })).toEqual([404, "VPC no not found"]);
  expect(await message(emulator, get, { vpc_id: krn, vpc_name: "no" })).toEqual([
    400,
    "vpc_name: disagrees with vpc_id, which is net",
  ]);
  await makeVpc(emulator);
  expect(await message(emulator, get, { vpc_name: "net" })).toEqual([409, "2 VPCs are named net"]);
});

test("describe is keyed by the VPC", async () => {
  const emulator = cloud();
  const krn = await makeVpc(emulator, "net", { subnet });
  const [network, first] = ["network", "subnet"].map(
    (kind) => emulator.inventory.list().find((item) => item.kind === kind)?.krn,
  );
  const reply = await emulator.call(`GET /v1/highlvlvpc/describe_vpc?vpc_id=${krn}&vpc_name=`);
  expect(reply.body).toEqual({
    [krn]: { networks: { krn_id: network, subnets: [{ krn_id: first, status: "ACTIVE" }] } },
  });
});

test("the list is a bare array whose rows go from BUILD to ACTIVE to DELETING to nothing", async () => {
  const emulator = cloud();
  const task = await startVpc(emulator);
  expect(await statuses(emulator)).toEqual(["BUILD"]);
  await emulator.clock.advance(999);
  expect(await statuses(emulator)).toEqual(["BUILD"]);
  await emulator.clock.advance(1);
  const krn = String((await tasks(emulator, task))[0]?.krn);
  expect((await emulator.call(list)).body).toEqual([
    { vpcId: krn, vpcName: "net", operating_status: "ACTIVE" },
  ]);
  expect((await emulator.call(remove(krn))).status).toBe(202);
  expect(await statuses(emulator)).toEqual(["DELETING"]);
  await emulator.clock.advance(1000);
  expect(await statuses(emulator)).toEqual([]);
  expect((await emulator.call(get, { body: { vpc_id: krn } })).status).toBe(404);
  expect(emulator.inventory.list()).toEqual([]);
});

test("listings show an earlier state, exact reads the current one", async () => {
  const emulator = cloud({ listingLagMs: 5000 });
  const krn = await makeVpc(emulator);
  expect(await statuses(emulator)).toEqual([]);
  expect((await emulator.call(get, { body: { vpc_id: krn } })).status).toBe(200);
  await emulator.clock.advance(4000);
  expect(await statuses(emulator)).toEqual(["BUILD"]);
  await emulator.clock.advance(1000);
  expect(await statuses(emulator)).toEqual(["ACTIVE"]);
  await emulator.call(remove(krn));
  await emulator.clock.advance(4999);
  expect((await emulator.call(get, { body: { vpc_id: krn } })).status).toBe(404);
  expect(await statuses(emulator)).toEqual(["ACTIVE"]);
  await emulator.clock.advance(1001);
  expect(await statuses(emulator)).toEqual([]);
});

test("the list shows deleted rows for some time if a switch is set", async () => {
  const emulator = cloud({ assume: { vpcListKeepsDeadMs: 2000 } });
  await emulator.call(remove(await makeVpc(emulator)));
  await emulator.clock.advance(1000);
  expect(await statuses(emulator)).toEqual(["deleted"]);
  await emulator.clock.advance(2000);
  expect(await statuses(emulator)).toEqual([]);
});

test("the list shows the VPCs of every region unless a switch limits it to one; an exact read finds those of its region only", async () => {
  const emulator = cloud();
  const krn = await makeVpc(emulator);
  const headers = { "x-region": "In-Hyderabad-1" };
  expect((await emulator.call(list, { headers })).body).toHaveLength(1);
  expect((await emulator.call(get, { body: { vpc_id: krn }, headers })).status).toBe(404);
  emulator.configure({ assume: { vpcListIgnoresRegion: false } });
  expect((await emulator.call(list, { headers })).body).toEqual([]);
});

test("search pages, filters by part of the name and by status, and comes in two versions and two shapes", async () => {
  const emulator = cloud();
  for (const name of ["net-a", "net-b", "other"]) await makeVpc(emulator, name);
  const names = async (request: string, path = "vpcs") =>
    (at((await emulator.call(request)).body, path) as { name: string }[]).map(({ name }) => name);
  const v1 = "GET /v1/highlvlvpc/search_vpc";
  expect((await emulator.call(`${v1}?page=2&size=2`)).body).toMatchObject({
    vpcs: [{ name: "other", status: "ACTIVE", id: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    page: 2,
    size: 2,
    total_count: 3,
    total_pages: 2,
  });
  expect(await names(`${v1}?name=net`)).toEqual(["net-a", "net-b"]);
  expect(await names(`${v1}?status=build`)).toEqual([]);
  expect(await names("GET /v2/highlvlvpc/search_vpc?sort_by=createdAt&order=desc&status=active")).toEqual([
    "other",
    "net-b",
    "net-a",
  ]);
  expect((await emulator.call(v1, { headers: { "x-region": "" } })).status).toBe(200);
  expect((await emulator.call("GET /v2/highlvlvpc/search_vpc", { headers: { "x-region": "" } })).status).toBe(
    400,
  );
  emulator.configure({ assume: { vpcSearchShape: "data" } });
  expect(await names(v1, "data.vpcs")).toEqual(["net-a", "net-b", "other"]);
});

test("the network has a separate listing", async () => {
  const emulator = cloud();
  const krn = await makeVpc(emulator);
  expect(
    (await emulator.call(`GET /v1/highlvlvpc/search_network?vpc_id=${encodeURIComponent(krn)}`)).body,
  ).toEqual([
    { krn_id: expect.stringContaining(`:${region}:`), name: "net-network", status: "ACTIVE", vpc_id: krn },
  ]);
});
