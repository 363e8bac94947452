import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf, perEngine, type Text } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, kept, live, openCloud, requests, resource } from "../support/cloud.ts";
import { volume, withVolume } from "../support/deletable-volume.ts";

/** Tests that an in-place change keeps other attributes. */

test("an update waits until the API shows the new values", async () => {
  const { cloud, update } = await withVolume();
  cloud.emulator.configure({ taskMs: 90_000 });
  const began = cloud.elapsed();
  const state = await cloud.run(update({ sizeGb: 30 }));
  expect(state.values.sizeGb).toBe(30);
  expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(90_000);
});

test("an update also waits for a removed value", async () => {
  const { cloud, state, inputs } = await withVolume({ listingLagMs: 0 });
  cloud.emulator.configure({ listingLagMs: 4_000 });
  const without = { ...inputs({}) };
  delete without.description;
  const after = await cloud.run(engine.update(cloud.session, volume, state, without, cloud.call));
  expect(after.values.description).toBeNull();
  const plan = engine.plan(volume, after, without, cloud.session);
  expect(plan.action).toBe("none");
});

test("a change without a clear response that never becomes visible ends after five attempts", async () => {
  const { cloud, update } = await withVolume();
  cloud.emulator.faults.add({ target: "update_volume", kind: "503" });
  const failed = await cloud.run(failure(update({ name: "other" })));
  expect(requests(cloud, "update_volume")).toHaveLength(5);
  expect(kept(failed).values.name).toBe("data");
});

test("after a partial failure the state has the applied changes, and the next run applies the others", async () => {
  const { cloud, state, inputs, update } = await withVolume();
  cloud.emulator.faults.add({ target: "extend_volume", kind: "422", times: 1 });
  const failed = await cloud.run(failure(update({ name: "other", sizeGb: 30 })));
  expect(kept(failed).values).toMatchObject({ name: "other", sizeGb: 20 });
  expect(explain(failed)).toEqual({
    summary: 'Changing the volume "data" failed',
    detail: [
      "The API did not confirm the change.",
      `The API reports: injected fault. (status 422, request id ${requests(cloud, "extend_volume")[0]?.id}, POST /kbs/v1/volumes/{volume}/action)`,
      "The object exists. Part of the change may have been made.",
      "Correct what the API rejected, then run again.",
    ].join("\n"),
  });
  const plan = engine.plan(volume, kept(failed), inputs({ name: "other", sizeGb: 30 }), cloud.session);
  expect(plan.changes.map(({ path }) => path)).toEqual([["sizeGb"]]);
  const after = await cloud.run(update({ name: "other", sizeGb: 30 }, kept(failed)));
  expect([after.values.sizeGb, after.id]).toEqual([30, state.id]);
});

test("an update that is stopped during its wait stores the applied changes", async () => {
  const { cloud, update } = await withVolume();
  cloud.emulator.configure({ taskMs: 60_000 });
  const stop = new AbortController();
  const failed = await cloud.run(
    failure(update({ sizeGb: 30 }, undefined, { stop: stop.signal, report: () => stop.abort() })),
  );
  expect([kept(failed).id, failed.existence]).toEqual([
    live(cloud, "volume")[0]?.krn,
    { is: "half changed" },
  ]);
  expect(explain(failed).detail).toContain("The run was stopped.");
});

test("the error names a value that the API continues to show differently", async () => {
  const { cloud, update } = await withVolume(
    {},
    {},
    {
      wrap: (transport) => ({
        async send(request, signal) {
          const reply = await transport.send(request, signal);
          if (reply.kind !== "answer" || request.method !== "GET") return reply;
          const { body } = reply;
          return {
            ...reply,
            body: body
              .replaceAll('"volume_type":"ssd"', '"volume_type":"HNSS"')
              .replaceAll('"of ana"', '"mine"'),
          };
        },
      }),
    },
  );
  const failed = await cloud.run(failure(update({ volumeType: "ssd" })));
  expect(explain(failed).detail).toContain("The API shows a different volume_type than configured.");
  const both = await cloud.run(failure(update({ volumeType: "ssd", description: "of ana" })));
  expect(explain(both).detail).toContain(
    "The API shows a different description, volume_type than configured.",
  );
  expect(failed.next).toEqual(
    perEngine({
      terraform:
        "Check the object in the cloud's console, or replace it with terraform apply -replace=ADDRESS (or tofu apply -replace=ADDRESS)",
      pulumi: "Check the object in the cloud's console, or replace it with pulumi up --replace URN",
    }),
  );
});

test("values that were never read are recorded after an import, and nothing is sent", async () => {
  const cloud = openCloud();
  const vpc = resource("vpc");
  const written = {
    name: "net",
    description: "mine",
    enabled: false,
    primarySubnet: { name: "a", cidr: "10.0.0.0/24" },
  };
  const made = await cloud.run(cloud.create("vpc", written));
  const imported = await cloud.run(engine.import(cloud.session, vpc, String(made.id), cloud.call));
  const { inputs } = engine.check(vpc, written);
  const plan = engine.plan(vpc, imported, inputs, cloud.session);
  expect([plan.action, plan.changes.every(({ recordOnly }) => recordOnly)]).toEqual(["update", true]);
  const before = cloud.emulator.log.entries().length;
  const state = await cloud.run(engine.update(cloud.session, vpc, imported, inputs, cloud.call));
  const sent = cloud.emulator.log.entries().slice(before);
  expect(new Set(sent.map(({ operation }) => operation))).toEqual(new Set(["get_vpc"]));
  expect(state).toEqual({ ...made, createdAt: undefined, unread: state.unread });
  expect(state.unread).toEqual(["adminStateUp", "ipVersion"]);
  expect(engine.plan(vpc, state, inputs, cloud.session).action).toBe("none");
});

test("the progress of a change of a busy object says why the change is not sent yet", async () => {
  const { cloud, update } = await withVolume();
  cloud.emulator.faults.add({ target: "update_volume", kind: "409", times: 1 });
  const reports: string[] = [];
  await cloud.run(
    update({ name: "other" }, undefined, {
      report: (status: Text) => reports.push(inWordsOf("terraform", status)),
    }),
  );
  expect(reports[0]).toBe("the API reports: injected fault, 0 s");
});

test("an update without an id, of an object that no search finds, sends nothing", async () => {
  const { cloud, state, update, sent } = await withVolume({}, { settleSeconds: 5 });
  const interrupted = { seenIds: [String(state.id)] };
  const failed = await cloud.run(
    failure(update({ name: "other" }, { ...state, id: undefined, interrupted })),
  );
  expect([failed.step, failed.existence, failed.next]).toEqual([
    "the ID of the object is not known",
    { is: "may exist" },
    perEngine({
      terraform: "Run terraform apply -refresh-only (or tofu apply -refresh-only), then run again",
      pulumi: "Run pulumi refresh, then run again",
    }),
  ]);
  expect(sent()).toEqual([]);
});

test("with a long settle_seconds, a change is waited for as long as listings may lag", async () => {
  let shown = "data";
  const { cloud, update } = await withVolume(
    {},
    { settleSeconds: 600 },
    {
      wrap: ({ send }) => ({
        async send(request, signal) {
          const reply = await send(request, signal);
          if (reply.kind !== "answer" || request.method !== "GET") return reply;
          return { ...reply, body: reply.body.replaceAll('"name":"other"', `"name":"${shown}"`) };
        },
      }),
    },
  );
  const later = cloud.session.ports.clock.sleep(400_000).then(() => {
    shown = "other";
  });
  const [state] = await cloud.run(Promise.all([update({ name: "other" }), later]));
  expect(state.values.name).toBe("other");
});

test("the log says why an object could not be read after a failed change", async () => {
  const lines: unknown[] = [];
  const { cloud, state, update } = await withVolume({}, {}, { log: (...line) => lines.push(line) });
  cloud.emulator.faults.add({ target: "update_volume", kind: "422" });
  for (const target of ["list_volumes", "get_volume"]) cloud.emulator.faults.add({ target, kind: "403" });
  expect(kept(await cloud.run(failure(update({ name: "other" }))))).toEqual(state);
  expect(lines).toContainEqual([
    "debug",
    "not readable after a failed change",
    expect.objectContaining({ why: expect.stringContaining("the API reports: injected fault") }),
  ]);
});

test("a change that a stopped run has sent, and that the API rejects the second time, counts as done", async () => {
  const { cloud, state, update } = await withVolume();
  cloud.emulator.configure({ taskMs: 30_000 });
  const stop = new AbortController();
  const first = failure(update({ sizeGb: 30 }, state, { stop: stop.signal }));
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  stop.abort();
  const { state: stopped = state } = await cloud.run(first);
  expect(stopped.values.sizeGb).toBe(20);
  await cloud.run(cloud.session.ports.clock.sleep(30_000));
  expect((await cloud.run(update({ sizeGb: 30 }, stopped))).values.sizeGb).toBe(30);
});

test("a value that another user changed meanwhile is returned as planned, and the next refresh shows it", async () => {
  const cloud = openCloud();
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const volume = resource("volume");
  const inputs = (more: Values) =>
    engine.check(volume, { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS", ...more }).inputs;
  const made = await cloud.run(engine.create(cloud.session, volume, inputs({}), cloud.call));
  const before = { ...made, values: { ...made.values, status: "attached" } };
  const changed = await cloud.run(
    engine.update(cloud.session, volume, before, inputs({ description: "more" }), cloud.call),
  );
  expect(changed.values).toMatchObject({ description: "more", status: "attached" });
  const read = await cloud.run(engine.read(cloud.session, volume, changed, cloud.call));
  expect(read?.values.status).toBe("available");
});
