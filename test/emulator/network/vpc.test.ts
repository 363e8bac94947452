import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, makeVolume, makeVpc, textAt, vpcBody } from "../client.ts";

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

test("a create is accepted with a task id and nothing else", async () => {
  const reply = await cloud().call(create, { body: vpcBody() });
  expect(reply.status).toBe(202);
  expect(reply.body).toEqual({
    message: "VPC creation accepted",
    status: "accepted",
    task_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test("VPC, network and subnet are created one after the other, each pending, processing, then success", async () => {
  const emulator = cloud({ taskMs: 1200 });
  const task = await startVpc(emulator);
  const seen: string[] = [];
  for (let ms = 0; ms <= 1200; ms += 100) {
    seen.push((await tasks(emulator, task)).map(({ status }) => String(status)).join(" "));
    await emulator.clock.advance(100);
  }
  expect([...new Set(seen)]).toEqual([
    "pending pending pending",
    "processing pending pending",
    "success pending pending",
    "success processing pending",
    "success success pending",
    "success success processing",
    "success success success",
  ]);
});

test("the task has the KRN of a part as soon as the part is created", async () => {
  const emulator = cloud({ taskMs: 900 });
  const task = await startVpc(emulator);
  const vpc = async () => (await tasks(emulator, task))[0];
  await emulator.clock.advance(299);
  expect(await vpc()).toEqual({ field: "vpc", status: "processing", krn: null, error: null });
  await emulator.clock.advance(1);
  const krn = emulator.inventory.list()[0]?.krn;
  expect(await vpc()).toEqual({ field: "vpc", status: "success", krn: expect.any(String), error: null });
  await emulator.clock.advance(600);
  expect((await tasks(emulator, task))[2]).toEqual({
    field: "subnet",
    status: "success",
    krn,
    error: null,
    subnet_list: [{ status: "success", krn, error: null }],
  });
});

test("a VPC without a subnet has no subnet task", async () => {
  const emulator = cloud();
  for (const none of [
    {},
    { name: "", cidr: "", gateway_ip: "", ip_version: "", ingress: false, egress: false },
  ]) {
    const task = await startVpc(emulator, vpcBody("net", { subnet: none }));
    expect((await tasks(emulator, task)).map(({ field }) => field)).toEqual(["vpc", "network"]);
  }
});

test("an unknown task, and one of another region, is not found", async () => {
  const emulator = cloud();
  expect(await message(emulator, taskStatus, { task_id: "none" })).toEqual([404, "Record not found"]);
  const body = { task_id: await startVpc(emulator) };
  const reply = await emulator.call(taskStatus, { body, headers: { "x-region": "In-Hyderabad-1" } });
  expect([reply.status, at(reply.body, "message")]).toEqual([404, "Record not found"]);
});

test("after an empty 202, a VPC is found only by its name", async () => {
  const emulator = cloud({ assume: { vpcCreateAnswersEmpty: true } });
  const reply = await emulator.call(create, { body: vpcBody() });
  expect([reply.status, reply.body]).toEqual([202, undefined]);
  expect((await emulator.call(list)).body).toMatchObject([{ vpcName: "net" }]);
});

test("a VPC with a volume or a second subnet cannot be deleted, with a primary subnet it can", async () => {
  const emulator = cloud();
  const krn = await makeVpc(emulator, "net", { subnet });
  const volume = await makeVolume(emulator, krn);
  expect(await message(emulator, remove(krn))).toEqual([
    409,
    `cannot delete vpc net: still in use by ${volume}`,
  ]);
  await emulator.call(`DELETE /kbs/v1/volumes/${volume}`);
  expect((await emulator.call(remove(krn))).status).toBe(409);
  await emulator.clock.advance(1000);
  expect((await emulator.call(remove(krn))).status).toBe(202);
});

test("a VPC cannot be deleted while it is being created", async () => {
  const emulator = cloud();
  await startVpc(emulator);
  const krn = emulator.inventory.list().find(({ kind }) => kind === "vpc")?.krn ?? "";
  expect(await message(emulator, remove(krn))).toEqual([409, "cannot delete vpc net: it is being created"]);
});

test.each([
  [409, "net is already being deleted"],
  [404, expect.stringMatching(/^VPC krn:.* not found$/)],
  [202, undefined],
] as const)("a second delete returns %i if a switch is set", async (repeatedDelete, text) => {
  const emulator = cloud({ assume: { repeatedDelete } });
  const krn = await makeVpc(emulator);
  await emulator.call(remove(krn));
  const reply = await emulator.call(remove(krn));
  expect(reply.status).toBe(repeatedDelete);
  if (text !== undefined) expect(at(reply.body, "message")).toEqual(text);
});

test("the five-object form is accepted, four objects are not", async () => {
  const emulator = cloud();
  const group = { security_group: { name: "default", description: "" } };
  const rule = {
    security_group_rule: {
      direction: "ingress",
      ethertypes: "IPv4",
      protocol: "TCP",
      portMinRange: 1,
      portMaxRange: 65535,
      remoteIPPrefix: "0.0.0.0/0",
    },
  };
  const five = vpcBody("net", { subnet: { ...subnet, ip_version: 4 }, ...group, ...rule });
  expect((await emulator.call(create, { body: five })).status).toBe(202);
  expect(await message(emulator, create, vpcBody("net", group))).toEqual([
    400,
    "body: three objects (vpc, network, subnet) or five (with security_group and security_group_rule)",
  ]);
});

test("two VPCs may have one name unless a switch forbids it within a region", async () => {
  const emulator = cloud();
  await makeVpc(emulator);
  expect((await emulator.call(create, { body: vpcBody() })).status).toBe(202);
  emulator.configure({ assume: { equalNames: false } });
  expect(await message(emulator, create, vpcBody())).toEqual([409, "VPC net already exists"]);
  const elsewhere = await emulator.call(create, {
    body: vpcBody(),
    headers: { "x-region": "In-Hyderabad-1" },
  });
  expect(elsewhere.status).toBe(202);
});

test("a VPC that fails by its name fails with its network and subnet", async () => {
  const emulator = cloud();
  const task = await startVpc(emulator, vpcBody("net-fails", { subnet }));
  await emulator.clock.advance(1000);
  const later = {
    status: "failed",
    krn: null,
    error: { message: "not attempted: an earlier step failed", code: 500 },
  };
  expect(await tasks(emulator, task)).toEqual([
    {
      field: "vpc",
      status: "failed",
      krn: null,
      error: { message: "failed because of the name net-fails", code: 500 },
    },
    { field: "network", ...later },
    { field: "subnet", ...later, subnet_list: [later] },
  ]);
  expect(await statuses(emulator)).toEqual(["FAILED"]);
  const krn = emulator.inventory.list().find(({ kind }) => kind === "vpc")?.krn ?? "";
  expect((await emulator.call(remove(krn))).status).toBe(202);
});

test("a VPC whose primary subnet fails still exists", async () => {
  const emulator = cloud();
  const krn = await makeVpc(emulator, "net", { subnet: { ...subnet, name: "first-fails" } });
  expect(await statuses(emulator)).toEqual(["ACTIVE"]);
  const reply = await emulator.call(get, { body: { vpc_id: krn } });
  expect(at(reply.body, "data.tasks.2.subnet_list.0.status")).toBe("failed");
});

test.each([
  ["no CIDR", { cidr: "10.0.0.0" }, "subnet.cidr: not a CIDR such as 10.0.0.0/24"],
  ["a CIDR alone", { name: "" }, "subnet.name: required"],
  ["a name alone", { cidr: "" }, "subnet.cidr: required"],
  ["another version", { ip_version: 6 }, "subnet.ip_version: the CIDR is IPv4"],
  ["an unknown version", { ip_version: 5 }, 'subnet.ip_version: must be 4, 6, "4" or "6"'],
  ["a gateway outside", { gateway_ip: "10.0.1.1" }, "subnet.gateway_ip: outside 10.0.0.0/24"],
  ["a gateway that is no address", { gateway_ip: "x" }, "subnet.gateway_ip: not an IP address"],
])("a primary subnet with %s is rejected, and nothing is created", async (_, wrong, text) => {
  const emulator = cloud();
  expect(await message(emulator, create, vpcBody("net", { subnet: { ...subnet, ...wrong } }))).toEqual([
    400,
    text,
  ]);
  expect(emulator.inventory.list()).toEqual([]);
});
