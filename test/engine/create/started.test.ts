import { expect, test } from "@jest/globals";
import { inWordsOf, type Text } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { requests } from "../../support/cloud.ts";
import { openTasks, task } from "../../support/inference-task.ts";

/** Tests creates whose object runs and is billed even if the wait fails. */

test("a create waits for the statuses that the user names", async () => {
  const { cloud, create } = openTasks({ taskMs: 60_000 });
  const state = await create({ waitFor: ["RUNNING"] });
  expect(state.values.status).toBe("running");
  expect(cloud.elapsed()).toBeGreaterThanOrEqual(60_000);
  expect(cloud.warnings).toEqual([]);
});

test("a failed status and a deadline are warnings, and the task keeps running", async () => {
  const { cloud, create, read } = openTasks({ taskMs: 30_000 });
  const failed = await create({ name: "chat-fails", waitFor: ["running"] });
  expect(failed.values.status).toBe("failed");
  expect(failed.failed).toBeUndefined();
  const late = await create({ name: "slow", waitFor: ["ready"] });
  expect(late.values.status).toBe("running");
  expect(cloud.warnings.map(({ summary }) => summary)).toEqual([
    'The inference task "chat-fails" has a failed status',
    'The inference task "slow" is not ready yet',
  ]);
  expect(cloud.warnings[1]?.detail).toBe(
    `The last status of the inference task "slow" (${late.id}) was running, not ready: the timeout of 1200 s expired. It stays in the state.`,
  );
  expect(requests(cloud, "cancel_inference_task")).toEqual([]);
  const { inputs } = engine.check(task, { name: "chat-fails", waitFor: ["running"] });
  const seen = await read(failed);
  expect(engine.plan(task, seen, inputs, cloud.session).action).toBe("none");
});

test("once the id is known, an error of a read does not fail the create", async () => {
  const { cloud, create, fault } = openTasks();
  fault("get_inference_task", "403");
  const state = await create();
  expect(state.values).toMatchObject({ name: "chat", namespace: "gpu-scheduler", status: null });
  expect(cloud.warnings.map(({ summary }) => summary)).toEqual([
    'The status of the inference task "chat" is unknown',
  ]);
});

test("a task whose status could not be read stays in the state while neither a read nor a listing shows it", async () => {
  const { cloud, create, read, fault } = openTasks();
  fault("get_inference_task", "403", { times: 1 });
  const state = await create();
  fault("get_inference_task", "404");
  cloud.emulator.configure({ listingLagMs: 60_000 });
  expect(await read(state)).toMatchObject({ id: state.id });
  expect(cloud.warnings.map(({ summary }) => summary)).toEqual([
    'The status of the inference task "chat" is unknown',
    'The inference task "chat" is not shown yet',
  ]);
});

test("the progress of a task without a status says that there is none", async () => {
  const { cloud, fault } = openTasks({ taskMs: 30_000 });
  fault("get_inference_task", "missing-field", { field: "status", from: 2, times: 1 });
  const reports: string[] = [];
  const { inputs } = engine.check(task, { name: "chat", waitFor: ["running"] });
  const call = { ...cloud.call, report: (status: Text) => reports.push(inWordsOf("terraform", status)) };
  await cloud.run(engine.create(cloud.session, task, inputs, call));
  expect(reports).toContain("no status, 0 s");
});
