import { expect, test } from "@jest/globals";
import { at, type Cloud, cloud, makeInstance, makeSite, makeVolume, refusal } from "../client.ts";

type Options = Parameters<typeof cloud>[0];
type Action = Readonly<Record<string, string>>;

const path = (krn: string) => `/kbs/v1/volumes/${krn}`;
const read = async (emulator: Cloud, krn: string) => (await emulator.call(`GET ${path(krn)}`)).body;

/** Creates an instance and a detached volume; returns the attach and detach actions of the volume. */
async function ready(options: Options = {}, more: Record<string, unknown> = {}) {
  const emulator = cloud(options);
  const site = await makeSite(emulator);
  const vm = await makeInstance(emulator, site);
  const krn = await makeVolume(emulator, site.vpc, more);
  const request = (op: string, input: Action, volume = krn) =>
    [
      `POST ${path(volume)}/action?op=${op}`,
      { body: { input }, headers: { "k-tenant-id": site.vpc } },
    ] as const;
  const act = async (op: string, input: Action) => {
    const reply = await emulator.call(...request(op, input));
    await emulator.clock.advance(1000);
    return reply;
  };
  const refused = (op: string, input: Action, volume?: string) =>
    refusal(emulator, ...request(op, input, volume));
  const attach = async (instanceId: string) =>
    String(at((await act("attach", { instanceId })).body, "attachments.0.remote_attachment_id"));
  return { emulator, site, vm, krn, request, act, refused, attach };
}

test("an attach returns the attachment, the volume shows it when the task ends, and a detach removes it", async () => {
  const { emulator, vm, krn, request, act } = await ready();
  const reply = await emulator.call(...request("attach", { instanceId: vm }));
  const remote_attachment_id = at(reply.body, "attachments.0.remote_attachment_id");
  const attachments = [
    { device: "/dev/vdz", instance_id: vm, instance_name: "vm", volume_id: krn, remote_attachment_id },
  ];
  expect([reply.status, reply.body]).toEqual([202, { message: "attach accepted", attachments }]);
  expect(await read(emulator, krn)).toMatchObject({
    state: "available",
    attachments: [],
    last_action: "attach",
    last_action_status: "processing",
  });
  await emulator.clock.advance(1000);
  expect(await read(emulator, krn)).toMatchObject({
    state: "in-use",
    attachments,
    last_action_status: "success",
  });
  const input = { instanceId: vm, attachment_id: String(remote_attachment_id) };
  const detached = await emulator.call(...request("detach", input));
  expect([detached.status, detached.body]).toEqual([202, { message: "detach accepted" }]);
  expect(await read(emulator, krn)).toMatchObject({ state: "in-use", attachments, last_action: "detach" });
  await emulator.clock.advance(1000);
  expect(await read(emulator, krn)).toMatchObject({ state: "available", attachments: [] });
  expect((await act("attach", { instanceId: vm })).status).toBe(202);
});

test("the device is the requested one, and the machine lists its volumes, the boot volume first", async () => {
  const { emulator, site, vm, krn, act } = await ready();
  await act("attach", { instanceId: vm, mountPartition: "/dev/vdc" });
  expect(await read(emulator, krn)).toMatchObject({ attachments: [{ device: "/dev/vdc" }] });
  const machine = (await emulator.call(`GET /v1/highlvlvpc/instance?krn=${vm}`)).body;
  expect(machine).toMatchObject({ volumes: [at(machine, "volume_krn"), krn] });
  const list = await emulator.call("GET /kbs/v1/volumes", { headers: { "k-tenant-id": site.vpc } });
  expect(list.body).toMatchObject([
    { name: "vm-volume", state: "in-use", attachments: [{ device: "/dev/vda" }] },
    { name: "disk", state: "in-use", attachments: [{ device: "/dev/vdc" }] },
  ]);
});

test("an attach that fails by its device name is accepted, then fails, and the volume is free again", async () => {
  const { emulator, vm, krn, act } = await ready();
  expect((await act("attach", { instanceId: vm, mountPartition: "/dev/vdc-fails" })).status).toBe(202);
  expect(await read(emulator, krn)).toMatchObject({
    state: "available",
    attachments: [],
    last_action: "attach",
    last_action_status: "failed",
    last_action_log: "failed because of the name /dev/vdc-fails",
  });
  expect((await act("attach", { instanceId: vm })).status).toBe(202);
  expect(await read(emulator, krn)).toMatchObject({ state: "in-use", last_action_status: "success" });
});

test("an attach returns only a message if a switch is set", async () => {
  const { vm, act } = await ready({ assume: { attachAnswer: "message" } });
  expect((await act("attach", { instanceId: vm })).body).toEqual({ message: "attach accepted" });
});

test("an attached volume shows its attachment later if a switch is set", async () => {
  const { emulator, vm, krn, act } = await ready({ assume: { attachmentsAfterMs: 300 } });
  await act("attach", { instanceId: vm });
  expect(await read(emulator, krn)).toMatchObject({ state: "in-use", attachments: [] });
  await emulator.clock.advance(300);
  expect(await read(emulator, krn)).toMatchObject({ attachments: [{ instance_id: vm }] });
});

test("a machine is given by KRN or UUID, and shown as the switch selects", async () => {
  const { emulator, vm, krn, act } = await ready({ assume: { attachmentInstance: "uuid" } });
  const uuid = vm.slice(vm.lastIndexOf(":") + 1);
  await act("attach", { instanceId: uuid });
  expect(await read(emulator, krn)).toMatchObject({ attachments: [{ instance_id: uuid }] });
});

test("a volume with an action in progress accepts no other action, and boots no machine", async () => {
  const { emulator, vm, krn, request, refused } = await ready();
  await emulator.call(...request("attach", { instanceId: vm }));
  expect(await refused("attach", { instanceId: vm })).toEqual([409, "volume disk is busy: attach"]);
  expect(await refusal(emulator, `DELETE ${path(krn)}`)).toEqual([409, "volume disk is in use"]);
});

test("an attached volume rejects a delete and, unless it is multiattach, a second attach", async () => {
  const { emulator, site, vm, krn, refused, attach } = await ready();
  const other = await makeInstance(emulator, site, { instanceName: "other", volume_name: "other-volume" });
  await attach(vm);
  expect(await refusal(emulator, `DELETE ${path(krn)}`)).toEqual([409, "volume disk is in use"]);
  expect(await refused("attach", { instanceId: other })).toEqual([
    409,
    "volume disk is already attached to vm",
  ]);
});

test("a multiattach volume is attached to several machines, but to each only once", async () => {
  const { emulator, site, vm, krn, act, refused } = await ready({}, { multiattach: true });
  const other = await makeInstance(emulator, site, { instanceName: "other", volume_name: "other-volume" });
  await act("attach", { instanceId: vm });
  const second = await act("attach", { instanceId: other });
  expect(second.body).toMatchObject({ attachments: [{ instance_name: "vm" }, { instance_name: "other" }] });
  expect(await refused("attach", { instanceId: vm })).toEqual([409, "volume disk is already attached to vm"]);
  const id = String(at(second.body, "attachments.0.remote_attachment_id"));
  expect(await refused("detach", { instanceId: other, attachment_id: id })).toEqual([
    404,
    `attachment ${id} not found`,
  ]);
  expect((await act("detach", { instanceId: vm, attachment_id: id })).status).toBe(202);
  expect(await read(emulator, krn)).toMatchObject({
    state: "in-use",
    attachments: [{ instance_id: other }],
  });
});

test("a machine of another VPC, one that does not exist and one that is not ready are refused", async () => {
  const { emulator, site, krn, refused } = await ready();
  const foreign = await makeInstance(emulator, await makeSite(emulator, "far"));
  expect(await refused("attach", { instanceId: foreign })).toEqual([
    400,
    "input.instanceId: instance vm is not of the volume's VPC",
  ]);
  expect(await refused("attach", { instanceId: "x" })).toEqual([404, "instance x not found"]);
  const failed = await makeInstance(emulator, site, { instanceName: "a-fails", volume_name: "v" });
  expect(await refused("attach", { instanceId: failed })).toEqual([409, "instance a-fails is ERROR"]);
  expect(await refused("attach", { instanceId: failed }, `${krn}0`)).toEqual([404, "Unable to fetch volume"]);
  expect((await read(emulator, krn)) as object).toMatchObject({ state: "available" });
});

test("a boot volume cannot be detached while its machine exists", async () => {
  const { emulator, vm, refused } = await ready();
  const boot = String(at((await emulator.call(`GET /v1/highlvlvpc/instance?krn=${vm}`)).body, "volume_krn"));
  const id = String(at(await read(emulator, boot), "attachments.0.remote_attachment_id"));
  expect(await refused("detach", { instanceId: vm, attachment_id: id }, boot)).toEqual([
    409,
    "volume vm-volume is the boot volume of vm",
  ]);
});

test("deleting a machine detaches and keeps its additional volumes", async () => {
  const { emulator, vm, krn, attach, act } = await ready();
  const id = await attach(vm);
  await emulator.call(`DELETE /vm/v1/delete_instance_async?instanceKrn=${vm}&deleteVolume=true`);
  expect(await read(emulator, krn)).toMatchObject({ state: "in-use", attachments: [{ instance_id: vm }] });
  await emulator.clock.advance(2000);
  expect(await read(emulator, krn)).toMatchObject({ state: "available", attachments: [] });
  expect((await act("detach", { instanceId: vm, attachment_id: id })).status).toBe(404);
  expect(emulator.inventory.list().map(({ kind }) => kind)).not.toContain("volume_attachment");
});

test("removing a machine or a volume in the console also removes the attachment", async () => {
  const { emulator, vm, krn, attach } = await ready();
  await attach(vm);
  emulator.inventory.remove(vm);
  expect(await read(emulator, krn)).toMatchObject({ state: "available", attachments: [] });
});

test("listings show an attachment when their lag has passed", async () => {
  const { emulator, site, vm, attach } = await ready({ listingLagMs: 500 });
  await attach(vm);
  const states = async () => {
    const headers = { "k-tenant-id": site.vpc };
    const rows = (await emulator.call("GET /kbs/v1/volumes", { headers })).body as { state: string }[];
    return rows.map(({ state }) => state);
  };
  expect(await states()).toEqual(["in-use", "available"]);
  await emulator.clock.advance(500);
  expect(await states()).toEqual(["in-use", "in-use"]);
});

test("an action names its instance, and its attachment to detach", async () => {
  const { vm, refused } = await ready();
  expect(await refused("attach", {})).toEqual([400, "input.instanceId: required"]);
  expect(await refused("detach", { instanceId: vm })).toEqual([400, "input.attachment_id: required"]);
  expect(await refused("attach", { instanceId: vm, device: "x" })).toEqual([
    400,
    'input.device: unknown field "device"',
  ]);
});
