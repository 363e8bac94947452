import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { failure, live, requests } from "../support/cloud.ts";
import { openTasks, running } from "../support/inference-task.ts";

/** The delete of work, which cancels it by a request that must not be repeated. */

test.each(["reset", "502", "307"])("a cancel answered by %s is read, and not sent again", async (kind) => {
  const { cloud, create, destroy, fault } = openTasks();
  const state = await create();
  fault("cancel_inference_task", kind, { when: "before", times: 1 });
  const error = await failure(destroy(state));
  expect(explain(error).detail).toContain("It may still run, and stays in the state.");
  expect(requests(cloud, "cancel_inference_task")).toHaveLength(1);
  await destroy(state);
  expect(running(cloud)).toEqual([]);
});

test("a cancel that was executed without an answer is confirmed by reads", async () => {
  for (const cancelledTaskShown of [true, false]) {
    const { cloud, create, destroy, fault } = openTasks({ assume: { cancelledTaskShown } });
    const state = await create();
    fault("cancel_inference_task", "reset", { when: "after", times: 1 });
    await destroy(state);
    expect(requests(cloud, "cancel_inference_task")).toHaveLength(1);
  }
});

test.each(["409", "429", "503"])("a cancel refused with %s is sent once, and fails", async (kind) => {
  const { cloud, create, destroy, fault } = openTasks();
  const state = await create();
  fault("cancel_inference_task", kind);
  await failure(destroy(state));
  expect(requests(cloud, "cancel_inference_task")).toHaveLength(1);
});

test("an accepted cancel ends the task, whatever a read shows", async () => {
  const { cloud, create, destroy } = openTasks({ taskMs: 3_600_000 });
  const state = await create();
  const before = cloud.elapsed();
  await destroy(state);
  expect(cloud.elapsed() - before).toBeLessThan(5_000);
});

test("a 404 of a cancel proves nothing while the task is shown", async () => {
  const { cloud, create, destroy, fault } = openTasks();
  const state = await create();
  fault("cancel_inference_task", "404", { when: "before", times: 1 });
  const error = await failure(destroy(state));
  expect(explain(error).detail).toContain("It may still run, and stays in the state.");
  await destroy(state);
  expect(requests(cloud, "cancel_inference_task")).toHaveLength(2);
});

test.each([404, 409, 400])(
  "a task that somebody else cancelled is gone, though a cancel is answered %s",
  async (status) => {
    const { cloud, create, destroy, fault } = openTasks();
    const state = await create();
    for (const { krn } of live(cloud, "inference_task")) cloud.emulator.inventory.remove(krn);
    fault("cancel_inference_task", String(status));
    await destroy(state);
    expect(requests(cloud, "cancel_inference_task")).toHaveLength(1);
  },
);

test("a cancel is sent once more after a 401, with a new sign-in", async () => {
  const { cloud, create, destroy, fault } = openTasks(
    {},
    { apiKey: undefined, email: "user@example.com", password: "emulator-password" },
  );
  const state = await create();
  fault("cancel_inference_task", "401", { when: "before", times: 1 });
  await destroy(state);
  expect(requests(cloud, "cancel_inference_task")).toHaveLength(2);
  expect(running(cloud)).toEqual([]);
});
