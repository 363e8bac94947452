import { expect, test } from "@jest/globals";
import { aiPodStop } from "../../functions/ai-pod-power.ts";
import { explain } from "../../provider/core/error.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openPods } from "../support/ai-pod-world.ts";
import { type Cloud, failure, kept, live, requests } from "../support/cloud.ts";

/** Returns the id of the last request of an operation. */
const last = (cloud: Cloud, operation: string) => requests(cloud, operation).at(-1)?.id;

test("a stop without a clear response that no read can confirm counts as done, with a warning", async () => {
  const { cloud, make, update, acts } = openPods();
  const state = await make();
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  cloud.emulator.faults.add({ target: "update_pod", kind: "reset", when: "after" });
  expect((await update(state, { powerState: "stopped" })).values.powerState).toBe("stopped");
  expect(acts()).toEqual([{ action: "stop" }]);
  expect(cloud.warnings.map(({ detail }) => detail)).toEqual([
    'The API gave no clear response to the change of power_state of the AI pod "train". It is recorded as done and is not sent again. If it was not done, change power_state again.',
  ]);
});

test("a create without a clear response reports that the pod may exist", async () => {
  const { cloud, make } = openPods();
  cloud.emulator.faults.add({ target: "create_pod", kind: "reset", when: "after" });
  expect(explain(await failure(make()))).toEqual({
    summary: 'Creating the AI pod "train" failed',
    detail: [
      "The API gave no clear response, and does not list objects of this kind.",
      "The connection was closed before the response. (POST /v1/kpod/pod)",
      "The object may exist.",
      "Look for it in the cloud's console; if it exists, delete it there before the next run, which creates another.",
    ].join("\n"),
  });
});

test("a create whose pod shows another value than configured fails, and the pod is in the state", async () => {
  const { cloud, make } = openPods({ podRead: "pod" });
  cloud.emulator.faults.add({ target: "get_pod", kind: "big-int" });
  const failed = await failure(make({ powerState: "running" }));
  expect(explain(failed).detail).toMatch(/The API shows a different template_id than configured/);
  expect([failed.existence.is, failed.state?.id]).toEqual(["recorded", live(cloud, "ai_pod")[0]?.krn]);
});

test("a pod with an id that no route accepts does not count as deleted, and the error has a remedy", async () => {
  const { cloud, make, remove } = openPods({ podId: "other" });
  const state = await make();
  expect(explain(await failure(remove(state))).detail).toBe(
    [
      `The API does not find ${state.id}, which may not be an ID of the object.`,
      `The API reports: pod ${state.id} not found. (status 404, request id ${last(cloud, "delete_pod")}, DELETE /v1/kpod/pod/{pod})`,
      "The state stays unchanged.",
      `Delete the AI pod "train" (pod-a6ff96fa-e575-4ec1-a6b4-b98ba560596e) in the cloud's console, then remove it from the state (terraform state rm kcloud_ai_pod.NAME, or tofu state rm kcloud_ai_pod.NAME).`,
    ].join("\n"),
  );
  expect(live(cloud, "ai_pod")).toHaveLength(1);
});

test("a pod counts as gone once its delete is answered 404 for settle_seconds, and no sooner", async () => {
  const { cloud, make, remove } = openPods();
  const state = await make();
  cloud.emulator.faults.add({ target: "delete_pod", kind: "404", times: 6 });
  await remove(state);
  expect(requests(cloud, "delete_pod").map(({ outcome }) => outcome)).toEqual([
    404, 404, 404, 404, 404, 404, 200,
  ]);
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  const began = cloud.elapsed();
  await remove(state);
  expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(120_000);
});

test("an unknown status does not change the recorded power state", async () => {
  const { cloud, make, update } = openPods({ podRead: "pod" });
  const state = await make();
  expect(state.values).toMatchObject({ status: "creating", powerState: "running" });
  cloud.emulator.faults.add({ target: "get_pod", kind: "unknown-status" });
  const changed = await update(state, { restartWhenChanged: { by: "1" } });
  expect(changed.values).toMatchObject({ status: "MYSTERY", powerState: "running" });
});

test("a response without a pod does not count as a read", async () => {
  const { cloud, make, read } = openPods({ podRead: "pod" });
  cloud.emulator.faults.add({ target: "get_pod", kind: "error-in-200" });
  const state = await make();
  expect(state.values.powerState).toBe("running");
  expect(await read(state)).toEqual(state);
  expect(cloud.warnings.map(({ summary }) => summary)).toEqual([
    'Drift of the AI pod "train" cannot be detected',
  ]);
});

test("a change of a deleted pod reports that the pod may have to be recreated", async () => {
  const { cloud, make, update } = openPods();
  const state = await make();
  cloud.emulator.inventory.remove(state.id ?? "");
  const failed = await failure(update(state, { powerState: "stopped" }));
  expect(explain(failed).detail).toBe(
    [
      "The API did not confirm the change.",
      `The API reports: pod ${state.id} not found. (status 404, request id ${last(cloud, "update_pod")}, PUT /v1/kpod/pod/{pod})`,
      "The state stays unchanged.",
      "Check the object in the cloud's console, or replace it with terraform apply -replace=ADDRESS (or tofu apply -replace=ADDRESS).",
    ].join("\n"),
  );
  expect(kept(failed).values).toEqual(state.values);
});

test("a pod that is already stopped but not readable is not stopped, and the error has a remedy", async () => {
  const { cloud, make, update } = openPods({ repeatedPower: 409 });
  const state = await make();
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  await cloud.run(engine.invoke(cloud.session, aiPodStop, { aiPodId: state.id ?? "" }, cloud.call));
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  const failed = await failure(update(state, { powerState: "stopped" }));
  expect(explain(failed).detail).toBe(
    [
      "The API did not confirm the change; last seen: the API reports: cannot stop pod train: it is stopped, 599 s.",
      "The timeout of 600 s expired.",
      "The object exists. Part of the change may have been made.",
      "Run again, or set a longer timeout (timeouts). If the object already has the configured value, first change it back to the value in the state.",
    ].join("\n"),
  );
});

test("a delete is sent again until it gets a clear response", async () => {
  const { cloud, make, remove } = openPods();
  const state = await make();
  cloud.emulator.faults.add({ target: "delete_pod", kind: "503", times: 2 });
  await remove(state);
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  expect(live(cloud, "ai_pod")).toEqual([]);
});
