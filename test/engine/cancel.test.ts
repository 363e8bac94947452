import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, requests } from "../support/cloud.ts";
import { openTasks, running, task } from "../support/inference-task.ts";

/** Maximum number of requests of one cancel. */
const maxAttempts = 3;

/** Tests the delete of a task, which cancels the task by a request that must not be repeated. */

test.each(["reset", "502", "307"])(
  "a cancel answered by %s is followed by reads, and not sent again",
  async (kind) => {
    const { cloud, create, destroy, fault } = openTasks();
    const state = await create();
    fault("cancel_inference_task", kind, { when: "before", times: 1 });
    const error = await failure(destroy(state));
    expect(explain(error).detail).toContain("The task may still be running. It stays in the state.");
    expect(requests(cloud, "cancel_inference_task")).toHaveLength(1);
    await destroy(state);
    expect(running(cloud)).toEqual([]);
  },
);

test.each(["409", "503"])("a cancel rejected with %s is sent once, and fails", async (kind) => {
  const { cloud, create, destroy, fault } = openTasks();
  const state = await create();
  fault("cancel_inference_task", kind);
  await failure(destroy(state));
  expect(requests(cloud, "cancel_inference_task")).toHaveLength(1);
});

test("a cancel that is answered 429 is sent again after a read, at most three times in all", async () => {
  for (const [times, sent] of [
    [1, 2],
    [2, 3],
    [5, 3],
  ] as const) {
    const { cloud, create, destroy, fault } = openTasks();
    const state = await create();
    fault("cancel_inference_task", "429", { when: "before", times });
    const failed = await destroy(state).then(
      () => undefined,
      (error: unknown) => explain(error).detail,
    );
    expect(requests(cloud, "cancel_inference_task")).toHaveLength(sent);
    if (times < maxAttempts) expect([failed, running(cloud)]).toEqual([undefined, []]);
    else expect(failed).toContain("The object still exists and stays in the state.");
  }
});

test("a cancel that was executed and answered 429 is not sent again", async () => {
  for (const cancelledTaskShown of [true, false]) {
    const { cloud, create, destroy, fault } = openTasks({ assume: { cancelledTaskShown } });
    const state = await create();
    fault("cancel_inference_task", "429", { when: "after", times: 1 });
    await destroy(state);
    expect([requests(cloud, "cancel_inference_task").length, running(cloud)]).toEqual([1, []]);
  }
});

test("a 429 without a message of the API does not prove that a cancel was not executed", async () => {
  const { cloud, create, destroy, fault } = openTasks();
  const state = await create();
  fault("cancel_inference_task", "429", { when: "before", times: 1, body: "slow down" });
  const error = await failure(destroy(state));
  expect(explain(error).detail).toContain("The task may still be running. It stays in the state.");
  expect(requests(cloud, "cancel_inference_task")).toHaveLength(1);
});

test.each(["404", "reset", "409"])(
  "a task that a gateway does not find for most of a minute is not cancelled by a request answered %s",
  async (kind) => {
    const { cloud, create, destroy, fault } = openTasks();
    const state = await create();
    fault("cancel_inference_task", kind, { when: "before", times: 1 });
    fault("get_inference_task", "404", { times: 6 });
    await failure(destroy(state));
    expect(running(cloud)).toHaveLength(1);
    await destroy(state);
    expect(running(cloud)).toEqual([]);
  },
);

test("a 404 of a task is accepted as proof if the same route has shown another task in this run", async () => {
  const { cloud, create, read, fault } = openTasks();
  const [state, other] = [await create(), await create({ name: "other" })];
  const session = cloud.reopen();
  await read(other, session);
  for (const { krn, name } of live(cloud, "inference_task"))
    if (name === "chat") cloud.emulator.inventory.remove(krn);
  fault("cancel_inference_task", "404");
  const began = cloud.elapsed();
  await cloud.run(engine.delete(session, task, state, cloud.call));
  expect(cloud.elapsed() - began).toBeLessThan(5_000);
});

test("a 404 of a cancel proves nothing while the task is shown", async () => {
  const { cloud, create, destroy, fault } = openTasks();
  const state = await create();
  fault("cancel_inference_task", "404", { when: "before", times: 1 });
  const error = await failure(destroy(state));
  expect(explain(error).detail).toContain("The task may still be running. It stays in the state.");
  await destroy(state);
  expect(requests(cloud, "cancel_inference_task")).toHaveLength(2);
});

test.each([404, 409, 400])(
  "a task that another user cancelled counts as deleted, although a cancel is answered %s",
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
