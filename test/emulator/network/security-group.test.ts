import { expect, test } from "@jest/globals";
import {
  at,
  cloud,
  makeGroup,
  makeInstance,
  makeSite,
  makeVpc,
  refusal,
  textAt,
  vpcBody,
} from "../client.ts";

const create = "POST /securityGroup/v1";
const list = (vpc: string, query = "") => `GET /securityGroup/v1/${vpc}${query}`;
const times = { createdAt: "2026-01-01T00:00:01.000Z", updatedAt: "2026-01-01T00:00:01.000Z" };

async function ready(options: Parameters<typeof cloud>[0] = {}) {
  const emulator = cloud(options);
  return { emulator, vpc: await makeVpc(emulator) };
}

test("a security group exists immediately, is listed with the ids of its rules, and is deleted immediately", async () => {
  const { emulator, vpc } = await ready();
  const body = { name: "web", vpcid: vpc, description: "front" };
  const made = await emulator.call(create, { body });
  const id = textAt(made.body, "result.id");
  const row = { id, name: "web", description: "front", ...times };
  expect([made.status, made.body]).toEqual([
    201,
    { message: "security group created", status: "success", result: row },
  ]);
  expect((await emulator.call(list(vpc))).body).toEqual({
    result: [{ ...row, rules: [] }],
    pagination: { limit: 10, offset: 0, totalCount: 1 },
  });
  const gone = await emulator.call(`DELETE /securityGroup/v1/${id}`);
  expect([gone.status, gone.body]).toEqual([204, undefined]);
  expect(at((await emulator.call(list(vpc))).body, "result")).toEqual([]);
  expect(await refusal(emulator, `DELETE /securityGroup/v1/${id}`)).toEqual([
    404,
    `security group ${id} not found`,
  ]);
});

test.each([
  ["top", (id: string) => ({ id, name: "web", description: "", ...times })],
  ["named", (id: string) => ({ securityGroupId: id })],
] as const)("a create answers in the shape %s if a switch is set", async (shape, expected) => {
  const { emulator, vpc } = await ready({ assume: { groupCreateShape: shape } });
  const made = await emulator.call(create, { body: { name: "web", vpcid: vpc } });
  const [group] = emulator.inventory.list().filter(({ kind }) => kind === "security_group");
  expect(made.body).toEqual({
    ...expected(group?.krn ?? ""),
    message: "security group created",
    status: "success",
  });
});

test.each([
  ["no name", { name: undefined }, 400, "name: required"],
  ["no VPC", { vpcid: undefined }, 400, "vpcid: required"],
  ["an unknown VPC", { vpcid: "x" }, 404, "VPC x not found"],
  ["an unknown field", { vpc_id: "x" }, 400, 'vpc_id: unknown field "vpc_id"'],
  [
    "a name that selects a rejection",
    { name: "web-error-503" },
    503,
    "refused because of the name web-error-503",
  ],
])("a group with %s is rejected", async (_, wrong, status, message) => {
  const { emulator, vpc } = await ready();
  const body = { name: "web", vpcid: vpc, ...wrong };
  expect(await refusal(emulator, create, { body })).toEqual([status, message]);
});

test("two groups of a VPC may have the same name unless the switch forbids it", async () => {
  const { emulator, vpc } = await ready();
  await makeGroup(emulator, vpc);
  await makeGroup(emulator, vpc);
  expect(at((await emulator.call(list(vpc))).body, "pagination.totalCount")).toBe(2);
  emulator.configure({ assume: { equalNames: false } });
  expect(await refusal(emulator, create, { body: { name: "web", vpcid: vpc } })).toEqual([
    409,
    "security group web already exists",
  ]);
});

const names = (body: unknown) => (at(body, "result") as { name: string }[]).map(({ name }) => name);

async function withGroups(count: number, options: Parameters<typeof cloud>[0] = {}) {
  const { emulator, vpc } = await ready(options);
  for (let n = 1; n <= count; n++) await makeGroup(emulator, vpc, `g${String(n).padStart(2, "0")}`);
  return { emulator, vpc, page: async (query: string) => (await emulator.call(list(vpc, query))).body };
}

test("a list without paging may be incomplete: it has ten rows, and the total is larger", async () => {
  const { page } = await withGroups(12);
  const body = await page("");
  expect(names(body)).toHaveLength(10);
  expect(at(body, "pagination")).toEqual({ limit: 10, offset: 0, totalCount: 12 });
  expect(names(await page("?limit=1000&offset=0"))).toHaveLength(12);
});

test("pages are selected by offset or by number, in either order", async () => {
  const { page } = await withGroups(5);
  expect(names(await page("?limit=2&offset=2"))).toEqual(["g03", "g04"]);
  expect(names(await page("?limit=2&page=3"))).toEqual(["g05"]);
  expect(names(await page("?limit=2&sortBy=name&sortOrder=desc"))).toEqual(["g05", "g04"]);
  expect(names(await page("?limit=2&offset=9"))).toEqual([]);
});

test("a limit above that of the switch is reduced to it", async () => {
  const { page } = await withGroups(4, { assume: { groupPageMax: 3, groupTotalSpelling: "total_count" } });
  const body = await page("?limit=1000");
  expect(names(body)).toHaveLength(3);
  expect(at(body, "pagination")).toEqual({ limit: 3, offset: 0, total_count: 4 });
});

test.each([
  ["?limit=0", "query limit: must be a whole number from 1 on"],
  ["?offset=-1", "query offset: must be a whole number from 0 on"],
  ["?offset=1&page=1", "query: offset or page, not both"],
])("the paging %s is a 400", async (query, message) => {
  const { emulator, vpc } = await ready();
  expect(await refusal(emulator, list(vpc, query))).toEqual([400, message]);
});

test("a group shows in its own VPC and region only", async () => {
  const { emulator, vpc } = await ready();
  await makeGroup(emulator, vpc);
  const other = await makeVpc(emulator, "other");
  expect(names((await emulator.call(list(other))).body)).toEqual([]);
  expect((await emulator.call(list(vpc), { headers: { "x-region": "In-Hyderabad-1" } })).status).toBe(404);
});

test("a group that a machine is in cannot be deleted", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  const instance = await makeInstance(emulator, site);
  expect(await refusal(emulator, `DELETE /securityGroup/v1/${site.group}`)).toEqual([
    409,
    "security group web is in use by vm-port",
  ]);
  await emulator.call(`DELETE /vm/v1/delete_instance_async?instanceKrn=${instance}`);
  expect((await emulator.call(`DELETE /securityGroup/v1/${site.group}`)).status).toBe(409);
  await emulator.clock.advance(1000);
  expect((await emulator.call(`DELETE /securityGroup/v1/${site.group}`)).status).toBe(204);
});

test("a VPC with groups cannot be deleted, or is deleted with them if a switch is set", async () => {
  const { emulator, vpc } = await ready();
  const group = await makeGroup(emulator, vpc);
  const remove = `DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${vpc}`;
  expect(await refusal(emulator, remove)).toEqual([409, `cannot delete vpc net: still in use by ${group}`]);
  emulator.configure({ assume: { vpcDeleteWithGroups: "removes" } });
  expect((await emulator.call(remove)).status).toBe(202);
  await emulator.clock.advance(1000);
  expect(emulator.inventory.list()).toEqual([]);
});

test("the five-object form of a VPC creates its group and rule, which are deleted with it", async () => {
  const emulator = cloud();
  const rule = { direction: "ingress", ethertypes: "IPv4", protocol: "tcp" };
  const range = { portMinRange: 22, portMaxRange: 22, remoteIPPrefix: "0.0.0.0/0" };
  const vpc = await makeVpc(emulator, "net", {
    security_group: { name: "first" },
    security_group_rule: { ...rule, ...range },
  });
  expect((await emulator.call(list(vpc))).body).toMatchObject({
    result: [{ name: "first", rules: [expect.stringContaining(":sgr:")] }],
  });
  expect((await emulator.call(`DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${vpc}`)).status).toBe(202);
  await emulator.clock.advance(1000);
  expect(emulator.inventory.list()).toEqual([]);
});

test("a VPC without a group is a 400 that names it if a switch is set", async () => {
  const emulator = cloud({ assume: { vpcNeedsGroup: true } });
  expect(await refusal(emulator, "POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody() })).toEqual([
    400,
    "security_group: required; security_group_rule: required",
  ]);
});

test("switches give each VPC a default group and each group a default rule", async () => {
  const { emulator, vpc } = await ready({
    assume: { vpcMakesDefaultGroup: true, groupHasDefaultRules: true },
  });
  await makeGroup(emulator, vpc);
  expect((await emulator.call(list(vpc))).body).toMatchObject({
    result: [
      { name: "default", rules: [] },
      { name: "web", rules: [expect.stringContaining(":sgr:")] },
    ],
  });
});
