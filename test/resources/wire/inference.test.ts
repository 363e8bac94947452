import { expect, test } from "@jest/globals";
import { explain, pathOf } from "../../../provider/core/error.ts";
import { failure, requests } from "../../support/cloud.ts";
import { openTasks, running } from "../../support/inference-task.ts";

test("an unknown checkpoint is an error at its attribute, and no task is started", async () => {
  const { cloud, create } = openTasks();
  const error = await failure(create({ checkpoint: "chat-large" }));
  expect(pathOf(error)).toEqual(["checkpoint"]);
  expect(explain(error).detail).toContain(
    "is not the name of a checkpoint. Existing checkpoints: chat-small-001",
  );
  expect(explain(error).detail).toContain("Nothing was created.");
  expect(requests(cloud, "create_inference_task")).toEqual([]);
});

test("a numeric id beyond 2^53 is an unreadable answer: no other task is recorded in its place", async () => {
  const { cloud, create, fault } = openTasks({}, { settleSeconds: 5 });
  fault("create_inference_task", "big-id");
  const { id } = await create();
  expect(running(cloud)[0]?.krn.split(":").at(-1)).toBe(id);
  await cloud.run(cloud.session.ports.clock.sleep(10_000)); // Until no listing of the first create is shared.
  fault("list_inference_tasks", "big-id", { from: 2 });
  const failed = await failure(create({ name: "other" }));
  expect([failed.existence.is, failed.state]).toEqual(["may exist", undefined]);
  expect(explain(failed).detail).toContain("the field 0.id");
});

test("the path prefix precedes every inference path", async () => {
  const { cloud, create, destroy } = openTasks(
    { assume: { inferencePrefix: "/api" } },
    { inferencePathPrefix: "/api" },
  );
  await destroy(await create());
  expect(requests(cloud, "cancel_inference_task")).toHaveLength(1);
});
