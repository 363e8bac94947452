import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import type { Values } from "../../../provider/core/value.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { check } from "../../../provider/definition/check.ts";
import { engine, graceMs } from "../../../provider/engine/engine.ts";
import { type Cloud, failure, kept, live, openCloud, requests, resource } from "../../support/cloud.ts";
import { data, net, withVpc } from "./vpc.ts";

/** Tests creates that are stopped, whose object fails, or that conflict with another object. */

/** Starts a create that the test can stop; `work` resolves to its error. */
function stoppable(cloud: Cloud, kind: string, written: Values, graceMs?: number) {
  const stop = new AbortController();
  const { inputs } = check(resource(kind), written);
  const call = { stop: stop.signal, graceMs };
  const work = failure(engine.create(cloud.session, resource(kind), inputs, call));
  return { stop, work };
}

test("a stop before the request is sent creates nothing", async () => {
  const { cloud, vpcId } = await withVpc({ latencyMs: 2_000 });
  const { stop, work } = stoppable(cloud, "volume", data(vpcId));
  await cloud.run(cloud.session.ports.clock.sleep(1_000));
  stop.abort();
  const failed = await cloud.run(work);
  expect([failed.step, failed.existence.is]).toEqual(["the operation did not finish", "nothing created"]);
  expect(requests(cloud, "create_volume")).toHaveLength(0);
});

test("a stop in a pause after a 429 says that the volume may exist, since the request may have been executed", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind: "429", retryAfter: "100" });
  const { stop, work } = stoppable(cloud, "volume", data(vpcId));
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  stop.abort();
  const failed = await cloud.run(work);
  expect([failed.existence.is, failed.step]).toEqual([
    "may exist",
    "the run was stopped before the request was sent again; last seen: the API reports: injected fault",
  ]);
});

test.each([
  ["terraform", 1_000, "recorded"],
  ["terraform", 2_000, "may exist"],
  ["pulumi", 3_000, "recorded"],
  ["pulumi", 5_000, "may exist"],
] as const)(
  "%s: after a stop, a request in flight whose response arrives after %d ms ends as: %s",
  async (name, after, end) => {
    const { cloud, vpcId } = await withVpc();
    cloud.emulator.faults.add({
      target: "create_volume",
      kind: "delay",
      when: "after",
      delayMs: after + 1_000,
    });
    const { stop, work } = stoppable(cloud, "volume", data(vpcId), graceMs[name]);
    await cloud.run(cloud.session.ports.clock.sleep(1_000));
    const [volume] = live(cloud, "volume");
    stop.abort();
    const before = cloud.elapsed();
    const failed = await cloud.run(work);
    expect(cloud.elapsed() - before).toBeLessThanOrEqual(graceMs[name] + 100);
    expect([failed.existence.is, failed.state?.id]).toEqual([
      end,
      end === "recorded" ? volume?.krn : undefined,
    ]);
    expect(requests(cloud, "create_volume")).toHaveLength(1);
  },
);

/** Stops the create of a kind while its executed request is in flight; returns the error. */
async function interrupted(cloud: Cloud, kind: string, written: Values, answerMs = 10_000) {
  const operation = `create_${kind.replaceAll("-", "_")}`;
  cloud.emulator.faults.add({ target: operation, kind: "delay", when: "after", delayMs: answerMs });
  const { stop, work } = stoppable(cloud, kind, written, graceMs.terraform);
  await cloud.run(cloud.session.ports.clock.sleep(1_000));
  stop.abort();
  return cloud.run(work);
}

/** Reads a state in another process. */
const readLater = (cloud: Cloud, kind: string, state: ResourceState) =>
  cloud.run(engine.read(cloud.reopen(), resource(kind), state, cloud.call));

test("the read after a stop finds the volume whose response did not arrive, and Terraform says that it replaces it", async () => {
  const { cloud, vpcId } = await withVpc();
  const failed = await interrupted(cloud, "volume", data(vpcId));
  expect(explain(failed)).toEqual({
    summary: 'Creating the volume "data" failed',
    detail: [
      "The outcome of the request is unknown.",
      "The run was stopped.",
      "The object may exist.",
      "The next apply searches for it and replaces it; `terraform untaint ADDRESS` (or `tofu untaint ADDRESS`) keeps it.",
    ].join("\n"),
  });
  expect(explain(failed, "pulumi").detail).toContain(
    "Look for it in the cloud's console; if it exists, import it",
  );
  const found = await readLater(cloud, "volume", kept(failed));
  const [volume] = live(cloud, "volume");
  expect(found).toMatchObject({ id: volume?.krn, values: { name: "data", sizeGb: 20 } });
  expect([found?.interrupted, cloud.warnings.map(({ summary }) => summary)]).toEqual([
    undefined,
    ['The volume "data" was found by search'],
  ]);
});

test("the read after a stop waits for a listing that lags, until settle_seconds after the stop", async () => {
  const { cloud, vpcId } = await withVpc({ listingLagMs: 20_000 });
  const failed = await interrupted(cloud, "volume", data(vpcId));
  const found = await readLater(cloud, "volume", kept(failed));
  expect(found?.id).toBe(live(cloud, "volume")[0]?.krn);
});

test("the read after a stop removes a volume that was not created from the state, and says that it may exist", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind: "hang" });
  const failed = await interrupted(cloud, "volume", data(vpcId));
  const stoppedAt = cloud.elapsed();
  await cloud.run(cloud.session.ports.clock.sleep(10_000));
  expect(await readLater(cloud, "volume", kept(failed))).toBeUndefined();
  const { settleSeconds } = cloud.session.settings;
  expect(cloud.elapsed() - stoppedAt).toBeGreaterThan(settleSeconds * 1000 - 2_000);
  expect(cloud.warnings).toEqual([
    {
      summary: 'The volume "data" may exist',
      detail: `The create of the volume "data" was interrupted: a search found no new object. The object is no longer in the state. Look for it in the cloud's console; if it exists, import it before the next run (terraform import kcloud_volume.NAME '${vpcId},ID', or tofu import with the same arguments), or set adopt_existing = true to adopt it.`,
    },
  ]);
});

test("the read after a stop adopts neither an object that an earlier listing showed nor one with other settings", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind: "hang", times: 1 });
  const failed = await interrupted(cloud, "volume", data(vpcId));
  cloud.emulator.faults.clear();
  const other = await cloud.run(cloud.create("volume", { ...data(vpcId), sizeGb: 500 }));
  expect(await readLater(cloud, "volume", kept(failed))).toBeUndefined();
  expect(cloud.warnings[0]?.detail).toContain(
    "has different size_gb, so it may have been created by someone else",
  );
  const seen = { ...kept(failed), interrupted: { seenIds: [String(other.id)] } };
  expect(await readLater(cloud, "volume", seen)).toBeUndefined();
  expect(cloud.warnings[1]?.detail).toContain("a search found no new object");
});

test("a destroy after a stop deletes the volume whose response did not arrive", async () => {
  const { cloud, vpcId } = await withVpc();
  const state = kept(await interrupted(cloud, "volume", data(vpcId)));
  await cloud.run(engine.delete(cloud.reopen(), resource("volume"), state, cloud.call));
  expect(live(cloud, "volume")).toEqual([]);
});

test("a stop leaves no state for a kind that no search can identify", async () => {
  const cloud = openCloud({}, { accountId: "000000000000" });
  const failed = await interrupted(cloud, "access-key", {});
  expect([failed.existence.is, failed.state]).toEqual(["may exist", undefined]);
});

test("the task in a response that arrives after a stop is recorded", async () => {
  const cloud = openCloud({ taskMs: 60_000 });
  cloud.emulator.faults.add({ target: "create_vpc", kind: "delay", when: "after", delayMs: 2_000 });
  const { stop, work } = stoppable(cloud, "vpc", net, graceMs.terraform);
  await cloud.run(cloud.session.ports.clock.sleep(1_000));
  stop.abort();
  expect(kept(await cloud.run(work)).task).toMatch(/./);
});

test("a stop during the wait for a parent ends the create immediately", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind: "404" });
  const { stop, work } = stoppable(cloud, "volume", data(vpcId));
  await cloud.run(cloud.session.ports.clock.sleep(20_000));
  stop.abort();
  const before = cloud.elapsed();
  expect((await cloud.run(work)).existence.is).toBe("may exist");
  expect(cloud.elapsed() - before).toBeLessThan(100);
});

test("a volume that fails keeps its id, and the next run replaces it", async () => {
  const { cloud, vpcId } = await withVpc();
  const failed = await cloud.run(failure(cloud.create("volume", { ...data(vpcId), name: "data-fails" })));
  const [volume] = live(cloud, "volume");
  expect([failed.step, failed.existence]).toEqual([
    "the object was created but did not become ready",
    { is: "recorded", id: volume?.krn },
  ]);
  expect(explain(failed).detail).toContain(
    "The API reports the status error: failed because of the name data-fails.",
  );
  const state = kept(failed);
  expect(state.values).toMatchObject({ name: "data-fails", sizeGb: 20, region: "In-Bangalore-1" });
  await cloud.run(engine.delete(cloud.session, resource("volume"), state, cloud.call));
  expect(live(cloud, "volume")).toHaveLength(0);
});

test("a volume that only a search found, and that fails, is not marked for replacement", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind: "reset", when: "after", times: 1 });
  const failed = await cloud.run(failure(cloud.create("volume", { ...data(vpcId), name: "data-fails" })));
  expect(failed.existence).toEqual({ is: "found", id: live(cloud, "volume")[0]?.krn });
  expect([kept(failed).failed, kept(failed).foundBySearch]).toEqual([undefined, true]);
});

test("a VPC that fails before its task names it is found by search, and not marked for replacement", async () => {
  const cloud = openCloud();
  const failed = await cloud.run(failure(cloud.create("vpc", { name: "net-fails" })));
  const [vpc] = live(cloud, "vpc");
  expect(failed.existence).toEqual({ is: "found", id: vpc?.krn });
  expect([kept(failed).failed, kept(failed).foundBySearch]).toEqual([undefined, true]);
  expect(explain(failed).detail).toContain(`terraform import kcloud_vpc.NAME '${vpc?.krn}'`);
  expect(explain(failed).detail).toContain("The API reports: vpc: failed because of the name net-fails.");
  await cloud.run(engine.delete(cloud.session, resource("vpc"), kept(failed), cloud.call));
  expect(live(cloud, "vpc")).toHaveLength(0);
});

test.each([
  [8, 5_000],
  [120, 130_000],
])(
  "the delete of a volume by another user during its create is detected after settle_seconds = %d",
  async (settleSeconds, deletedMs) => {
    const { cloud, vpcId } = await withVpc({}, { settleSeconds });
    cloud.emulator.configure({ taskMs: 3_600_000 });
    const { work } = stoppable(cloud, "volume", data(vpcId));
    await cloud.run(cloud.session.ports.clock.sleep(deletedMs));
    const [volume] = live(cloud, "volume");
    cloud.emulator.inventory.remove(String(volume?.krn));
    const before = cloud.elapsed();
    const failed = await cloud.run(work);
    expect(cloud.elapsed() - before).toBeGreaterThan(settleSeconds * 1000);
    expect(cloud.elapsed() - before).toBeLessThan((settleSeconds + 60) * 1000);
    expect(failed.existence).toEqual({ is: "recorded", id: volume?.krn });
    expect(explain(failed).detail).toContain(`The API does not show the object after ${settleSeconds} s.`);
    // The next run reads the object again, because listings may show it late.
    expect(kept(failed).failed).toBeUndefined();
  },
);

test("two concurrent creates of the same name create one object and report one clear error", async () => {
  const { cloud, vpcId } = await withVpc();
  const results = await cloud.run(
    Promise.allSettled([
      cloud.create("volume", data(vpcId)),
      cloud.create("volume", data(vpcId)),
      cloud.create("volume", { ...data(vpcId), name: "other" }),
    ]),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(explain((results[1] as PromiseRejectedResult).reason)).toEqual({
    summary: 'Creating the volume "data" failed',
    detail: [
      "Another resource of this run is creating an object with this name.",
      "Nothing was created.",
      "Choose another name, or remove one of the two resources from the configuration.",
    ].join("\n"),
  });
  expect(live(cloud, "volume").map(({ name }) => name)).toEqual(["data", "other"]);
});

test("several objects with that name stop the create, also with adopt_existing", async () => {
  const { cloud, vpcId } = await withVpc({}, { adoptExisting: true });
  const { inputs } = check(resource("volume"), data(vpcId));
  const other = cloud.reopen();
  await cloud.run(
    Promise.all(
      [cloud.session, other].map((session) => engine.create(session, resource("volume"), inputs, cloud.call)),
    ),
  );
  const failed = await cloud.run(
    failure(engine.create(cloud.reopen(), resource("volume"), inputs, cloud.call)),
  );
  const ids = live(cloud, "volume").map(({ krn }) => `'${vpcId},${krn}'`);
  expect(ids).toHaveLength(2);
  expect([failed.step, failed.existence.is, inWordsOf("terraform", failed.next)]).toEqual([
    "several objects with this name exist",
    "nothing created",
    `Keep one of them and delete the others if nothing uses them, or choose another name. Import the one that belongs to this resource (terraform import kcloud_volume.NAME 'ID', or tofu import with the same arguments): ${ids.join(", ")}`,
  ]);
});

test("an object that never became ready is still replaced after a read that shows it as pending", async () => {
  const { cloud, vpcId } = await withVpc();
  const volume = resource("volume");
  const written = { ...data(vpcId), name: "data-fails" };
  const state = kept(await cloud.run(failure(cloud.create("volume", written))));
  const at = cloud.emulator.clock.now();
  cloud.emulator.inventory.change(String(state.id), { work: { startsAt: at, endsAt: at + 3_600_000 } });
  const read = await cloud.run(engine.read(cloud.reopen(), volume, state, cloud.call));
  expect([read?.values.status, read?.failed]).toEqual(["creating", state.failed]);
  const { inputs } = check(volume, written);
  expect(engine.plan(volume, read, inputs, cloud.session).action).toBe("replace");
});

test("an object that never became ready is planned for replacement until the API shows it as ready", async () => {
  const { cloud, vpcId } = await withVpc();
  const volume = resource("volume");
  const written = { ...data(vpcId), name: "data-fails" };
  const { inputs } = check(volume, written);
  const failed = await cloud.run(failure(cloud.create("volume", written)));
  const state = kept(failed);
  expect(explain(failed).detail).toContain(
    "The next apply replaces it; `terraform untaint ADDRESS` (or `tofu untaint ADDRESS`) keeps it.",
  );
  const { action, changes } = engine.plan(volume, state, inputs, cloud.session);
  expect([action, changes]).toEqual([
    "replace",
    [
      expect.objectContaining({
        path: ["status"],
        effect: "replace",
        reason: `The object was never ready: ${inWordsOf("terraform", state.failed ?? "")}.`,
      }),
    ],
  ]);
  const stillBroken = await cloud.run(engine.read(cloud.session, volume, state, cloud.call));
  expect(stillBroken?.failed).toBe(state.failed);
  const { work } = cloud.emulator.inventory.get(String(state.id)) as unknown as { work: object };
  cloud.emulator.inventory.change(String(state.id), { work: { ...work, failure: undefined } });
  await cloud.run(cloud.session.ports.clock.sleep(6_000)); // longer than the 5 s for which a listing is shared
  const seen = await cloud.run(engine.read(cloud.session, volume, state, cloud.call));
  expect(seen?.values.status).toBe("available");
  expect(seen?.failed).toBeUndefined();
});
