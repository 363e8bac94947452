import { expect, test } from "@jest/globals";
import {
  at,
  type Cloud,
  cloud,
  instanceBody,
  makeInstance,
  makeSite,
  makeVolume,
  refusal,
  type Site,
  textAt,
} from "../client.ts";

async function ready(options: Parameters<typeof cloud>[0] = {}, more: Record<string, unknown> = {}) {
  const emulator = cloud(options);
  const site = await makeSite(emulator);
  return { emulator, site, krn: await makeInstance(emulator, site, more) };
}

const remove = (krn: string, query = "") => `DELETE /vm/v1/delete_instance_async?instanceKrn=${krn}${query}`;
const control = (emulator: Cloud, krn: string, action: string) =>
  emulator.call(`PUT /vm/v1/instance/${krn}`, { body: { action } });

const status = async (emulator: Cloud, krn: string) =>
  at((await emulator.call(`GET /v1/highlvlvpc/instance?krn=${krn}`)).body, "status");
const rows = async (emulator: Cloud, site: Site) =>
  at((await emulator.call(`GET /vm/v1/search_instances?vpc_id=${site.vpc}`)).body, "instances");
const task = async (emulator: Cloud, id: string) =>
  at((await emulator.call(`GET /vm/v1/get_instance_task_status?task_id=${id}`)).body, "status");
const volumes = async (emulator: Cloud, site: Site) =>
  (await emulator.call("GET /kbs/v1/volumes", { headers: { "k-tenant-id": site.vpc } })).body;

test("a deleted machine is shown as deleted, then disappears from search and read; its task stays readable", async () => {
  const { emulator, site, krn } = await ready();
  const gone = await emulator.call(remove(krn));
  const task_id = textAt(gone.body, "task_id");
  expect([gone.status, gone.body]).toEqual([202, { message: "instance deletion accepted", task_id }]);
  expect(await rows(emulator, site)).toMatchObject([{ krn, status: "DELETING" }]);
  expect(await task(emulator, task_id)).toBe("pending");
  await emulator.clock.advance(1000);
  expect(await rows(emulator, site)).toEqual([]);
  expect(await refusal(emulator, `GET /v1/highlvlvpc/instance?krn=${krn}`)).toEqual([
    404,
    `instance ${krn} not found`,
  ]);
  expect(await task(emulator, task_id)).toBe("success");
});

test.each([
  ["is deleted with the machine, one task later", "", true],
  ["is deleted if the delete includes it", "&deleteVolume=true", true],
  ["remains if the delete excludes it", "&deleteVolume=false", false],
])("the boot volume %s", async (_, query, goes) => {
  const { emulator, site, krn } = await ready();
  await emulator.call(remove(krn, query));
  await emulator.clock.advance(1000);
  expect(await volumes(emulator, site)).toMatchObject([
    { state: goes ? "deleting" : "available", attachments: [] },
  ]);
  await emulator.clock.advance(1000);
  expect(await volumes(emulator, site)).toHaveLength(goes ? 0 : 1);
});

test("an existing boot volume is kept unless the delete includes it", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  const volume = await makeVolume(emulator, site.vpc);
  const boot = {
    image_krn: undefined,
    volume_name: undefined,
    volume_size: undefined,
    volumetype: undefined,
  };
  const body = { ...boot, volumes: [volume], delete_on_termination: false };
  await emulator.call(remove(await makeInstance(emulator, site, body)));
  await emulator.clock.advance(1000);
  expect(await volumes(emulator, site)).toMatchObject([{ krn: volume, state: "available" }]);
  await emulator.call(remove(await makeInstance(emulator, site, body), "&deleteVolume=true"));
  await emulator.clock.advance(2000);
  expect(await volumes(emulator, site)).toEqual([]);
});

test("a machine fails with its boot volume", async () => {
  const { emulator, site, krn } = await ready({}, { volume_name: "disk-fails" });
  expect((await emulator.call(`GET /v1/highlvlvpc/instance?krn=${krn}`)).body).toMatchObject({
    status: "ERROR",
    failed_step: "volume",
  });
  expect(await volumes(emulator, site)).toMatchObject([{ name: "disk-fails", state: "error" }]);
});

test("a failed create is deleted by its task as well, any other only by its KRN", async () => {
  const { emulator, site } = await ready();
  const make = async (instanceName: string) => {
    const body = instanceBody(site, { instanceName });
    const made = await emulator.call("POST /vm/v1/create_instance_async", { body });
    await emulator.clock.advance(1000);
    return textAt(made.body, "task_id");
  };
  const byTask = (id: string) => `DELETE /vm/v1/delete_instance_async?task_id=${id}&deleteVolume=true`;
  expect((await emulator.call(byTask(await make("a-fails")))).status).toBe(202);
  expect(await refusal(emulator, byTask(await make("b")))).toEqual([
    400,
    "query task_id: only for a create that failed; name the instance by its KRN",
  ]);
  expect(await refusal(emulator, byTask("x"))).toEqual([404, "Record not found"]);
  expect(await refusal(emulator, "DELETE /vm/v1/delete_instance_async?deleteVolume=true")).toEqual([
    400,
    "query instanceKrn: it or task_id is required, not both",
  ]);
});

test("a machine that is being created cannot be deleted unless a switch is set", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  await emulator.call("POST /vm/v1/create_instance_async", { body: instanceBody(site) });
  const krn = emulator.inventory.list().find(({ kind }) => kind === "instance")?.krn ?? "";
  expect(await refusal(emulator, remove(krn))).toEqual([409, "instance vm is being created"]);
  emulator.configure({ assume: { buildingDelete: "accept" } });
  expect((await emulator.call(remove(krn))).status).toBe(202);
});

test.each([[202], [404], [409]] as const)(
  "a second delete is a %s if a switch is set",
  async (repeatedDelete) => {
    const { emulator, krn } = await ready({ assume: { repeatedDelete } });
    const first = await emulator.call(remove(krn));
    const second = await emulator.call(remove(krn));
    expect(second.status).toBe(repeatedDelete);
    if (repeatedDelete === 202) expect(second.body).toEqual(first.body);
  },
);

test("a protected machine is not deleted; the status of the error is a switch", async () => {
  const { emulator, krn } = await ready({ assume: { instancesProtected: true } });
  expect((await emulator.call(`GET /v1/highlvlvpc/instance?krn=${krn}`)).body).toMatchObject({
    delete_protection_status: true,
  });
  expect(await refusal(emulator, remove(krn))).toEqual([403, "instance vm is protected from deletion"]);
  emulator.configure({ assume: { protectedDelete: 409 } });
  expect((await emulator.call(remove(krn))).status).toBe(409);
  emulator.inventory.change(krn, { deleteProtection: false });
  expect((await emulator.call(remove(krn))).status).toBe(202);
});

test("a subnet and a VPC with machines in them cannot be deleted", async () => {
  const { emulator, site } = await ready();
  const subnet_data = { name: "second", cidr: "10.0.1.0/24", ip_version: 4 };
  const made = await emulator.call("POST /v1/highlvlvpc/create_subnet", {
    body: { vpc_id: site.vpc, subnet_data },
  });
  await emulator.clock.advance(1000);
  const subnet = textAt(made.body, "subnet_id");
  const krn = await makeInstance(emulator, { ...site, subnet }, { instanceName: "second" });
  const path = `DELETE /v1/highlvlvpc/delete_subnet?vpc_id=${site.vpc}&subnet_id=${subnet}`;
  expect(await refusal(emulator, path)).toEqual([409, "subnet second is in use by second"]);
  const [code, text] = await refusal(emulator, `DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${site.vpc}`);
  expect([code, text]).toEqual([409, expect.stringContaining(krn)]);
  await emulator.call(remove(krn));
  await emulator.clock.advance(1000);
  expect((await emulator.call(path)).status).toBe(200);
});

test("a machine stops, starts and reboots, each with a separate transitional status", async () => {
  const { emulator, krn } = await ready();
  const response = await control(emulator, krn, "stop");
  const task_id = textAt(response.body, "task_id");
  expect([response.status, response.body]).toEqual([
    202,
    { instance_krn: krn, message: "stop accepted", status: "accepted", task_id },
  ]);
  const words = async () => {
    const during = await status(emulator, krn);
    await emulator.clock.advance(1000);
    return [during, await status(emulator, krn)];
  };
  expect(await words()).toEqual(["STOPPING", "SHUTOFF"]);
  expect(await task(emulator, task_id)).toBe("success");
  await control(emulator, krn, "start");
  expect(await words()).toEqual(["STARTING", "ACTIVE"]);
  await control(emulator, krn, "reboot");
  expect(await words()).toEqual(["REBOOT", "ACTIVE"]);
});

test.each([["STOPPED"], ["SHUTDOWN"]] as const)(
  "a stopped machine is %s if a switch is set",
  async (stoppedWord) => {
    const { emulator, krn } = await ready({ assume: { stoppedWord } });
    await control(emulator, krn, "stop");
    await emulator.clock.advance(1000);
    expect(await status(emulator, krn)).toBe(stoppedWord);
  },
);

test("a machine accepts no action during a create, a delete or another action, and none that changes nothing", async () => {
  const { emulator, site, krn } = await ready();
  const act = (of: string, action: string) =>
    refusal(emulator, `PUT /vm/v1/instance/${of}`, { body: { action } });
  expect(await act(krn, "start")).toEqual([409, "cannot start instance vm: it is ACTIVE"]);
  await control(emulator, krn, "stop");
  expect(await act(krn, "reboot")).toEqual([409, "cannot reboot instance vm: it is STOPPING"]);
  await emulator.clock.advance(1000);
  expect(await act(krn, "stop")).toEqual([409, "cannot stop instance vm: it is SHUTOFF"]);
  expect(await act(krn, "reboot")).toEqual([409, "cannot reboot instance vm: it is SHUTOFF"]);
  await emulator.call(remove(krn));
  expect(await act(krn, "start")).toEqual([409, "cannot start instance vm: it is DELETING"]);
  const failed = await makeInstance(emulator, site, { instanceName: "x-fails" });
  expect(await act(failed, "stop")).toEqual([409, "cannot stop instance x-fails: it is ERROR"]);
});

test("an action that changes nothing succeeds if a switch is set", async () => {
  const { emulator, krn } = await ready({ assume: { repeatedPower: 202 } });
  expect((await control(emulator, krn, "start")).status).toBe(202);
  expect(await status(emulator, krn)).toBe("ACTIVE");
});

test("the action must be one of the three", async () => {
  const { emulator, krn } = await ready();
  const [code, text] = await refusal(emulator, `PUT /vm/v1/instance/${krn}`, { body: { action: "pause" } });
  expect([code, text]).toEqual([400, expect.stringMatching(/^action: /)]);
});

test("the old synchronous routes respond when the action is complete, and with 504 if it takes too long", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  const network_id = emulator.inventory.list().find(({ kind }) => kind === "network")?.krn;
  const call = async (request: string, body?: unknown) => {
    const reply = emulator.call(request, body === undefined ? {} : { body });
    await emulator.clock.advance(1000);
    return reply;
  };
  const made = await call("POST /vm/v1/create_instance", instanceBody(site, { network_id }));
  const krn = textAt(made.body, "instance_krn");
  expect([made.status, made.body]).toEqual([
    200,
    {
      instance_krn: krn,
      port_krn: expect.any(String),
      volume_krn: expect.any(String),
      floating_ip_krn: null,
      floating_ip_address: null,
    },
  ]);
  expect(await status(emulator, krn)).toBe("ACTIVE");
  expect(
    (await call(`DELETE /vm/v1/delete_instance?instanceKrn=${krn}&deleteVolume=true`)).body,
  ).toMatchObject({
    status: "success",
  });
  expect(await rows(emulator, site)).toEqual([]);
  emulator.configure({ assume: { syncTimeoutMs: 500 } });
  expect((await call("POST /vm/v1/create_instance", instanceBody(site))).status).toBe(504);
  expect(await rows(emulator, site)).toMatchObject([{ status: "ACTIVE" }]);
});

test("a create with a lost response creates its machine, and the log has the fault", async () => {
  const emulator = cloud();
  const site = await makeSite(emulator);
  emulator.configure({ latencyMs: 20 });
  emulator.faults.add({ target: "create_instance", kind: "reset", when: "after", from: 1, times: 1 });
  const lost = expect(
    emulator.call("POST /vm/v1/create_instance_async", { body: instanceBody(site) }),
  ).rejects.toThrow("fetch failed");
  await emulator.clock.advance(20);
  await lost;
  expect(emulator.log.entries({ operation: "create_instance" })).toMatchObject([
    { executed: true, outcome: "reset", fault: "create_instance=after-reset" },
  ]);
  expect(emulator.inventory.list().filter(({ kind }) => kind === "instance")).toMatchObject([{ name: "vm" }]);
  emulator.reset();
  expect(emulator.inventory.list()).toEqual([]);
});
