import { expect, test } from "@jest/globals";
import { checkpoints } from "../../functions/checkpoints.ts";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, requests, settle } from "../support/cloud.ts";
import { openTasks, running, task } from "../support/inference-task.ts";

/** Requests of the emulator's log that change a task or a checkpoint by a GET. */
const mutating = ["cancel_inference_task", "delete_checkpoint"] as const;

test("a task is created for the user, read, and cancelled once", async () => {
  const { cloud, create, read, destroy } = openTasks();
  const state = await create({ model: "llama", checkpoint: "chat-small-001", ngpu: 2, priority: 3 });
  expect(requests(cloud, "create_inference_task").map(({ body }) => body)).toEqual([
    {
      task_name: "chat",
      namespace: "gpu-scheduler",
      priority: 3,
      model: "llama",
      checkpoint: "chat-small-001",
      ngpu: 2,
    },
  ]);
  expect(state.values).toMatchObject({ name: "chat", priority: 3, model: "llama", status: "queued" });
  const seen = await read(state);
  expect(seen?.values).toMatchObject({ priority: 3, checkpoint: "chat-small-001", waitFor: null });
  await destroy(seen as ResourceState);
  expect(running(cloud)).toEqual([]);
  expect(requests(cloud, "cancel_inference_task")).toHaveLength(1);
});

test("a plan without a user has a problem, and nothing is sent", async () => {
  const { cloud } = openTasks({}, { user: undefined });
  const { inputs } = engine.check(task, { name: "chat" });
  const { problems } = engine.plan(task, undefined, inputs, cloud.session);
  expect(problems).toEqual([
    {
      path: ["user"],
      title: "Missing user",
      problem: "is required for inference tasks and checkpoints: set user or SERVICE_USER",
    },
  ]);
  await expect(cloud.run(cloud.create("inference-task", { name: "chat" }))).rejects.toThrow("SERVICE_USER");
  expect(cloud.emulator.log.entries({})).toEqual([]);
});

test("a plan names what is billed; a change of an input replaces and says what is cancelled", async () => {
  const { cloud, create } = openTasks();
  const { inputs } = engine.check(task, { name: "chat", ngpu: 1 });
  const billed = {
    summary: 'Creating the inference task "chat" is billed',
    detail: "An inference task is billed for its GPUs while it runs.",
  };
  expect(engine.plan(task, undefined, inputs, cloud.session).warnings).toMatchObject([billed]);
  const state = await create({ ngpu: 2 });
  const { action, changes, warnings } = engine.plan(task, state, inputs, cloud.session);
  expect([action, changes[0]?.reason, warnings]).toMatchObject([
    "replace",
    "The running task is cancelled.",
    [billed],
  ]);
});

test("a change of the wait is recorded, and sends nothing", async () => {
  const { cloud, create } = openTasks();
  const state = await create();
  const { inputs } = engine.check(task, { name: "chat", waitFor: ["running"], keepWhenGone: true });
  const plan = engine.plan(task, state, inputs, cloud.session);
  expect([plan.action, plan.changes.every(({ recordOnly }) => recordOnly)]).toEqual(["update", true]);
});

test("an import reads what the API shows, and the first plan replaces nothing", async () => {
  const { cloud, create } = openTasks();
  const { id = "" } = await create({ ngpu: 2, model: "llama" });
  for (const where of [id, "chat"]) {
    const state = await cloud.run(engine.import(cloud.reopen(), task, where, cloud.call));
    const { inputs } = engine.check(task, { name: "chat", ngpu: 2, model: "llama" });
    const { action, changes } = engine.plan(task, state, inputs, cloud.session);
    expect([action, changes.every(({ recordOnly }) => recordOnly)]).toEqual(["update", true]);
  }
});

test("a task that no request finds leaves the state with a warning, unless it is kept", async () => {
  const { cloud, create, read } = openTasks({ assume: { cancelledTaskShown: false } });
  const state = await create();
  const kept = await create({ name: "kept", keepWhenGone: true });
  for (const { krn } of live(cloud, "inference_task")) cloud.emulator.inventory.remove(krn);
  await settle(cloud);
  expect(await read(state)).toBeUndefined();
  expect((await read(kept))?.id).toBe(kept.id);
  expect(cloud.warnings.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/billed for its GPUs.*keep_when_gone = true/),
    expect.stringContaining("as keep_when_gone = true is set"),
  ]);
});

/** Creates a task with `keep_when_gone`, and deletes the task outside the engine. */
async function keptWhenGone() {
  const opened = openTasks({ assume: { cancelledTaskShown: false } });
  const { cloud, create, read } = opened;
  const kept = await create({ keepWhenGone: true });
  await settle(cloud);
  for (const { krn } of live(cloud, "inference_task")) cloud.emulator.inventory.remove(krn);
  const state = (await read(kept)) as ResourceState;
  const session = cloud.reopen();
  const change = (written: Values) =>
    cloud.run(
      engine.update(
        session,
        task,
        state,
        engine.check(task, { name: "chat", ...written }).inputs,
        cloud.call,
      ),
    );
  return { ...opened, state, change };
}

test("a change that sends nothing is recorded in the state of a task that is gone and kept", async () => {
  const { cloud, state, change } = await keptWhenGone();
  const began = cloud.elapsed();
  const changed = await change({ keepWhenGone: true, waitFor: ["running"] });
  expect(changed).toEqual({ ...state, values: { ...state.values, waitFor: ["running"] } });
  expect(cloud.elapsed() - began).toBeLessThan(10_000);
});

test("a task that is gone and no longer kept is an error, and the next refresh removes it", async () => {
  const { change, read, state } = await keptWhenGone();
  const error = await failure(change({}));
  expect(explain(error).detail).toBe(
    "It stayed in the state only because of keep_when_gone = true.\nThe object no longer exists.\nRun terraform apply -refresh-only (or tofu apply -refresh-only), then run again.",
  );
  expect(error.state).toEqual({ ...state, values: { ...state.values, keepWhenGone: null } });
  expect(await read(error.state as ResourceState)).toBeUndefined();
});

test("a kept task that exists accepts a change that sends nothing", async () => {
  const { cloud, create } = openTasks();
  const state = await create({ keepWhenGone: true });
  const { inputs } = engine.check(task, { name: "chat" });
  const changed = await cloud.run(engine.update(cloud.reopen(), task, state, inputs, cloud.call));
  expect(changed.values).toEqual({ ...state.values, keepWhenGone: null });
});

test("a task that is gone stays in the state with the credentials of another account", async () => {
  const { cloud, state } = await keptWhenGone();
  const other = cloud.reopen({ accountId: "999999999999" });
  const { inputs } = engine.check(task, { name: "chat" });
  const error = await failure(
    cloud.run(engine.update(other, task, { ...state, account: "000000000000" }, inputs, cloud.call)),
  );
  expect([error.existence.is, error.state]).toEqual(["unknown", undefined]);
});

test.each([true, false])(
  "a cancelled task of the same name does not block a create (shown: %s)",
  async (shown) => {
    const { cloud, create, destroy } = openTasks({ taskMs: 60_000, assume: { cancelledTaskShown: shown } });
    const first = await create();
    await destroy(first);
    const second = await create();
    expect(second.id).not.toBe(first.id);
    expect(running(cloud)).toHaveLength(1);
    await expect(create()).rejects.toThrow("exists");
  },
);

test("a task that is replaced may keep its name, though the API still shows the old one", async () => {
  const { cloud } = openTasks({ taskMs: 60_000 });
  const session = cloud.reopen();
  const make = (ngpu: number) =>
    cloud.run(engine.create(session, task, engine.check(task, { name: "chat", ngpu }).inputs, cloud.call));
  const first = await make(1);
  await cloud.run(engine.delete(session, task, first, cloud.call));
  expect((await make(2)).id).not.toBe(first.id);
});

test("a task of another user is not shown", async () => {
  const { cloud, create } = openTasks();
  const { id = "" } = await create();
  const other = cloud.reopen({ user: "ben" });
  await expect(cloud.run(engine.import(other, task, id, cloud.call))).rejects.toThrow("no inference task");
});

test("no read, plan, listing or import sends a GET that changes something", async () => {
  const { cloud, create, read } = openTasks();
  const state = await create({ waitFor: ["running"] });
  await read(state);
  await cloud.run(engine.import(cloud.reopen(), task, "chat", cloud.call));
  await cloud.run(engine.list(cloud.session, task, {}, cloud.call));
  await cloud.run(engine.lookup(cloud.session, checkpoints, {}, cloud.call));
  for (const operation of mutating) expect(requests(cloud, operation)).toEqual([]);
});
