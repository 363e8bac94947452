import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, makeVpc, textAt, vpcBody } from "../client.ts";

const create = "POST /v1/highlvlvpc/create_subnet";
const remove = (vpc: string, subnet: string) =>
  `DELETE /v1/highlvlvpc/delete_subnet?vpc_id=${vpc}&subnet_id=${subnet}`;
const primary = { name: "first", cidr: "10.0.0.0/24", ip_version: "4" };
const data = { name: "second", cidr: "10.0.1.0/24", ip_version: 4 };

async function subnets(emulator: Cloud, vpc: string): Promise<unknown> {
  const reply = await emulator.call("POST /v1/highlvlvpc/get_vpc", { body: { vpc_id: vpc } });
  return at(reply.body, "data.tasks.2.subnet_list");
}

async function refusal(emulator: Cloud, request: string, body?: unknown): Promise<unknown[]> {
  const reply = await emulator.call(request, body === undefined ? {} : { body });
  return [reply.status, at(reply.body, "message")];
}

const krnOf = (emulator: Cloud, kind: string) =>
  emulator.inventory.list().find((item) => item.kind === kind)?.krn;

test("a subnet create returns the id immediately, and the subnet is ready after a task's duration", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  const reply = await emulator.call(create, { body: { vpc_id: vpc, subnet_data: data } });
  expect(reply.status).toBe(201);
  expect(Object.keys(reply.body as object)).toEqual(["subnet_id"]);
  const row = { krn: textAt(reply.body, "subnet_id"), name: "second", cidr: "10.0.1.0/24" };
  expect(await subnets(emulator, vpc)).toEqual([{ ...row, status: "pending" }]);
  await emulator.clock.advance(250);
  expect(await subnets(emulator, vpc)).toEqual([{ ...row, status: "processing" }]);
  await emulator.clock.advance(750);
  expect(await subnets(emulator, vpc)).toEqual([{ ...row, status: "success" }]);
});

test("a network id and a router are optional, but must be those of the VPC", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  const network_id = krnOf(emulator, "network");
  const router_krn = (emulator.inventory.get(vpc) as unknown as { routerKrn: string }).routerKrn;
  const body = { vpc_id: vpc, subnet_data: { ...data, network_id }, router_krn };
  expect((await emulator.call(create, { body })).status).toBe(201);
  expect(await refusal(emulator, create, { vpc_id: vpc, subnet_data: { ...data, network_id: "x" } })).toEqual(
    [404, "network x not found in VPC net"],
  );
  expect(await refusal(emulator, create, { vpc_id: vpc, subnet_data: data, router_krn: "x" })).toEqual([
    404,
    "router x not found in VPC net",
  ]);
});

test("a subnet needs a VPC that is ready", async () => {
  const emulator = cloud();
  expect(await refusal(emulator, create, { vpc_id: "x", subnet_data: data })).toEqual([
    404,
    "VPC x not found",
  ]);
  await emulator.call("POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody() });
  const vpc = krnOf(emulator, "vpc") ?? "";
  expect(await refusal(emulator, create, { vpc_id: vpc, subnet_data: data })).toEqual([
    409,
    "VPC net is not ready: BUILD",
  ]);
  await emulator.clock.advance(500);
  expect(await refusal(emulator, create, { vpc_id: vpc, subnet_data: data })).toEqual([
    409,
    "the network of VPC net is not ready",
  ]);
});

test("a subnet create requires its IP version, as an integer or as text", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  const { ip_version: _, ...without } = data;
  expect(await refusal(emulator, create, { vpc_id: vpc, subnet_data: without })).toEqual([
    400,
    "subnet_data.ip_version: required",
  ]);
  const six = { ...data, cidr: "fd00::/64", ip_version: "6" };
  expect((await emulator.call(create, { body: { vpc_id: vpc, subnet_data: six } })).status).toBe(201);
});

test("a CIDR that overlaps a sibling is a 409; the same in another VPC is not", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator, "net", { subnet: primary });
  for (const cidr of ["10.0.0.128/25", "10.0.0.0/16", "10.0.0.0/24"]) {
    const reply = await emulator.call(create, { body: { vpc_id: vpc, subnet_data: { ...data, cidr } } });
    expect([reply.status, at(reply.body, "message")]).toEqual([
      409,
      `${cidr} overlaps 10.0.0.0/24 of subnet first`,
    ]);
  }
  const other = await makeVpc(emulator, "other");
  const body = { vpc_id: other, subnet_data: { ...data, cidr: "10.0.0.0/24" } };
  expect((await emulator.call(create, { body })).status).toBe(201);
});

test("host bits are dropped, or refused if a switch is set", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  const subnet_data = { ...data, cidr: "10.0.1.7/24" };
  await emulator.call(create, { body: { vpc_id: vpc, subnet_data } });
  expect(await subnets(emulator, vpc)).toMatchObject([{ cidr: "10.0.1.0/24" }]);
  emulator.configure({ assume: { cidrHostBits: "refuse" } });
  expect(
    await refusal(emulator, create, { vpc_id: vpc, subnet_data: { ...data, cidr: "10.0.2.7/24" } }),
  ).toEqual([400, "subnet_data.cidr: has host bits set; 10.0.2.0/24 has not"]);
});

test("a gateway is the first address unless one is given", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  await emulator.call(create, { body: { vpc_id: vpc, subnet_data: data } });
  const given = { ...data, cidr: "10.0.2.0/24", gateway_ip: "10.0.2.254" };
  await emulator.call(create, { body: { vpc_id: vpc, subnet_data: given } });
  const reply = await emulator.call(`GET /v1/highlvlvpc/search_subnet?vpc_id=${vpc}&page=1&size=5`);
  expect(reply.body).toMatchObject({
    subnets: [{ gateway_ip: "10.0.1.1", status: "BUILD" }, { gateway_ip: "10.0.2.254" }],
    total_count: 2,
  });
});

test("a subnet can be deleted, and its range used again", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  const body = { vpc_id: vpc, subnet_data: data };
  const krn = textAt((await emulator.call(create, { body })).body, "subnet_id");
  const reply = await emulator.call(remove(vpc, krn));
  expect([reply.status, reply.body]).toEqual([200, { success: "subnet second deleted" }]);
  expect(await subnets(emulator, vpc)).toEqual([]);
  expect(await refusal(emulator, remove(vpc, krn))).toEqual([404, `subnet ${krn} not found`]);
  expect((await emulator.call(create, { body })).status).toBe(201);
});

test("the primary subnet cannot be deleted alone", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator, "net", { subnet: primary });
  const krn = krnOf(emulator, "subnet") ?? "";
  const text = "first is the primary subnet: you cannot delete this subnet individually";
  expect(await refusal(emulator, remove(vpc, krn))).toEqual([400, text]);
  emulator.configure({ assume: { primarySubnetRefusal: 403 } });
  expect(await refusal(emulator, remove(vpc, krn))).toEqual([403, text]);
});

test("a subnet of another VPC is not found", async () => {
  const emulator = cloud();
  const [vpc, other] = [await makeVpc(emulator), await makeVpc(emulator, "other", { subnet: primary })];
  const krn = krnOf(emulator, "subnet") ?? "";
  expect(other).not.toBe(vpc);
  expect(await refusal(emulator, remove(vpc, krn))).toEqual([404, `subnet ${krn} not found`]);
});

test("a subnet blocks the delete of its VPC", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  const made = await emulator.call(create, { body: { vpc_id: vpc, subnet_data: data } });
  const krn = textAt(made.body, "subnet_id");
  expect(await refusal(emulator, `DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${vpc}`)).toEqual([
    409,
    `cannot delete vpc net: still in use by ${krn}`,
  ]);
});

test("a subnet that fails by its name does not use its range", async () => {
  const emulator = cloud();
  const vpc = await makeVpc(emulator);
  await emulator.call(create, { body: { vpc_id: vpc, subnet_data: { ...data, name: "second-fails" } } });
  await emulator.clock.advance(1000);
  expect(await subnets(emulator, vpc)).toMatchObject([{ status: "failed" }]);
  expect((await emulator.call(create, { body: { vpc_id: vpc, subnet_data: data } })).status).toBe(201);
});

test("new and deleted subnets show in the listings later, by the lag", async () => {
  const emulator = cloud({ listingLagMs: 3000 });
  const vpc = await makeVpc(emulator);
  const reply = await emulator.call(create, { body: { vpc_id: vpc, subnet_data: data } });
  const krn = textAt(reply.body, "subnet_id");
  await emulator.clock.advance(2999);
  expect(await subnets(emulator, vpc)).toEqual([]);
  await emulator.clock.advance(1001);
  expect(await subnets(emulator, vpc)).toMatchObject([{ krn, status: "success" }]);
  await emulator.call(remove(vpc, krn));
  expect(await subnets(emulator, vpc)).toMatchObject([{ krn }]);
  await emulator.clock.advance(3000);
  expect(await subnets(emulator, vpc)).toEqual([]);
});
