import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { attachment, openDisk } from "../support/attachment-world.ts";
import { failure, kept, live, settle } from "../support/cloud.ts";

test("a volume is attached, read, and detached", async () => {
  const { cloud, written, attach, read, remove } = await openDisk();
  const state = await attach();
  const [row] = live(cloud, "volume_attachment");
  expect(row?.krn.endsWith(`:${state.id}`)).toBe(true);
  expect(state.values).toEqual({
    ...written,
    mountPartition: "/dev/vdz",
    device: "/dev/vdz",
    instanceName: "web",
    remoteAttachmentId: state.id,
    region: "In-Bangalore-1",
  });
  expect(await read(state)).toEqual(state);
  await remove(state);
  expect(live(cloud, "volume_attachment")).toEqual([]);
  expect(cloud.warnings).toEqual([]);
});

test("an attach that takes longer than settle_seconds still succeeds", async () => {
  const { cloud, attach } = await openDisk({}, { settleSeconds: 8 });
  cloud.emulator.configure({ taskMs: 40_000 });
  const began = cloud.elapsed();
  const { id } = await attach();
  expect(live(cloud, "volume_attachment")[0]?.krn.endsWith(`:${id}`)).toBe(true);
  expect(cloud.elapsed() - began).toBeGreaterThan(40_000);
});

test("an attachment that another user removes during its create is detected after settle_seconds", async () => {
  const { cloud, attach } = await openDisk({}, { settleSeconds: 8 });
  cloud.emulator.configure({ assume: { attachmentsAfterMs: 3_600_000 } });
  const began = cloud.elapsed();
  const failed = await failure(attach());
  expect(explain(failed).detail).toContain("The API does not show the object after 8 s.");
  expect(cloud.elapsed() - began).toBeLessThan(60_000);
});

test("the error about a volume that is attached elsewhere names the instance", async () => {
  const { cloud, attach, create, instanceId } = await openDisk();
  await attach();
  const other = String((await cloud.run(create({ name: "db" }))).id);
  const { detail } = explain(await failure(attach({ instanceId: other })));
  expect(detail.replace(/ request id request-\d+,/, "")).toBe(
    [
      "The object conflicts with an existing one or is in use.",
      "The API reports: volume data is already attached to web. (status 409, POST /kbs/v1/volumes/{volume}/action)",
      "Probably nothing was created: a listing 5 s later did not show the object.",
      `Remove or detach the conflicting objects, or choose another value, then run again: the instance "web" (${instanceId}).`,
    ].join("\n"),
  );
});

test("the error about an attach that was executed, answered 409 and shown late says that it may appear", async () => {
  const { cloud, attach, instanceId } = await openDisk();
  cloud.emulator.configure({ taskMs: 20_000 });
  cloud.emulator.faults.add({ target: "attach_volume", kind: "409", when: "after" });
  const failed = await failure(attach());
  expect(explain(failed).detail).toContain(
    "\nProbably nothing was created: a listing 5 s later did not show the object.\n",
  );
  expect(explain(failed).detail).toMatch(
    new RegExp(`If it appears later, import it before the next run \\(terraform import [^)]*,${instanceId}'`),
  );
  expect(live(cloud, "volume_attachment")).toHaveLength(1);
});

test("a multiattach volume is attached to several instances, each by a separate attachment", async () => {
  const { cloud, attach, create, remove, volume, read } = await openDisk();
  const volumeId = await volume("shared", { multiattach: true });
  const other = String((await cloud.run(create({ name: "db" }))).id);
  const one = await attach({ volumeId });
  const two = await attach({ volumeId, instanceId: other });
  expect(one.id).not.toBe(two.id);
  await remove(one);
  expect(await read(two)).toEqual(two);
});

test("a boot volume is not an attachment", async () => {
  const { cloud, vpcId, attach, take, instanceId } = await openDisk();
  const boot = live(cloud, "volume").find(({ name }) => name === "web-volume")?.krn ?? "";
  const listed = await cloud.run(engine.list(cloud.session, attachment, { vpcId }, cloud.call));
  expect(listed).toEqual([]);
  const { step } = await failure(take(`${vpcId},${boot},${instanceId}`));
  expect(inWordsOf("terraform", step)).toBe(
    `no volume attachment of ${vpcId}, ${boot} in In-Bangalore-1 has the ID or instance_id "${instanceId}" (0 listed)`,
  );
  expect(explain(await failure(attach({ volumeId: boot }))).detail).toContain(
    `then run again: the instance "web" (${instanceId}).`,
  );
});

test("an attachment is imported by its instance or by its id, and the plan is empty except for unreadable fields", async () => {
  const { cloud, attach, take, written } = await openDisk();
  const { id } = await attach();
  const { vpcId, volumeId, instanceId } = written;
  for (const last of [instanceId, id]) {
    const state = await take(`${vpcId},${volumeId},${last}`);
    expect(state.id).toBe(id);
    const { inputs } = engine.check(attachment, written);
    expect(engine.plan(attachment, state, inputs, cloud.session).action).toBe("none");
    const { changes } = engine.plan(
      attachment,
      state,
      { ...inputs, mountPartition: "/dev/vdq" },
      cloud.session,
    );
    expect(changes).toEqual([
      {
        path: ["mountPartition"],
        before: "/dev/vdz",
        after: "/dev/vdq",
        effect: "update",
        recordOnly: true,
      },
    ]);
  }
});

test.each([
  [
    "a,b",
    '"a,b" is not of the form vpcId,volumeId,id or region,vpcId,volumeId,id, where its instanceId can replace the id',
  ],
  [
    "a,b,krn:kbs:In-Bangalore-1:1:2:volume:4",
    'its part "krn:kbs:In-Bangalore-1:1:2:volume:4" is the ID of a volume, but the ID of an instance is required',
  ],
])("the import id %j is rejected", async (id, problem) => {
  const { take } = await openDisk();
  await expect(take(id)).rejects.toThrow(`id: ${problem}`);
});

test("a detach without an attachment succeeds", async () => {
  const { cloud, attach, remove, volumeId } = await openDisk();
  const state = await attach();
  cloud.emulator.inventory.remove(state.id ?? "");
  await remove(state);
  const other = await attach();
  cloud.emulator.inventory.remove(volumeId);
  await remove(other);
  expect(live(cloud, "volume_attachment")).toEqual([]);
});

test("every change detaches the volume first, with a warning", () => {
  const values = {
    vpcId: "v",
    volumeId: "d",
    instanceId: "i",
    mountPartition: "/dev/vdz",
    region: "In-Bangalore-1",
  };
  const state = { id: "a", task: undefined, values, unread: [] };
  for (const change of [{ volumeId: "e" }, { instanceId: "j" }, { mountPartition: "/dev/vdy" }]) {
    const { action, changes } = engine.plan(attachment, state, { ...values, ...change }, undefined);
    expect([action, changes.map(({ reason }) => reason)]).toEqual([
      "replace",
      ["The volume is detached first: unmount it on the instance before the change."],
    ]);
  }
  expect(attachment.exclusive).toBe(true);
});

test("an attachment whose create was stopped stays in the state while its volume does not show it", async () => {
  const assume = { attachAnswer: "attachments", attachmentsAfterMs: 60_000 } as const;
  const { cloud, written } = await openDisk({ assume });
  const stop = new AbortController();
  const { inputs } = engine.check(attachment, written);
  const work = failure(
    engine.create(cloud.session, attachment, inputs, { ...cloud.call, stop: stop.signal }),
  );
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  stop.abort();
  const state = kept(await cloud.run(work));
  const readAgain = () => cloud.run(engine.read(cloud.reopen(), attachment, state, cloud.call));
  expect(await readAgain()).toEqual(state);
  expect(cloud.warnings).toMatchObject([{ summary: `The volume attachment (${state.id}) is not shown yet` }]);
  await settle(cloud);
  expect(await readAgain()).toMatchObject({ id: state.id, values: { device: "/dev/vdz" } });
  for (const { krn } of live(cloud, "volume_attachment")) cloud.emulator.inventory.remove(krn);
  expect(await readAgain()).toBeUndefined();
});

test("an attach with a used device name gets the next free one, or is refused", async () => {
  const { cloud, attach, volume } = await openDisk();
  await attach();
  const second = await attach({ volumeId: await volume("logs") });
  expect(second.values).toMatchObject({ mountPartition: "/dev/vdz", device: "/dev/vdb" });
  cloud.emulator.configure({ assume: { usedDevice: "refuse" } });
  const failed = await failure(attach({ volumeId: await volume("more") }));
  expect(explain(failed).detail).toContain("device /dev/vdz of instance web is in use.");
});
