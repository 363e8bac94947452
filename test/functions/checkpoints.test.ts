import { expect, test } from "@jest/globals";
import { checkpointDelete, checkpoints } from "../../functions/checkpoints.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, requests } from "../support/cloud.ts";
import { openTasks } from "../support/inference-task.ts";

/** Checkpoints: names, and a delete by a GET that must not be repeated. */

test("a checkpoint is deleted once its name is repeated", async () => {
  const { cloud } = openTasks();
  const names = async () =>
    (await cloud.run(engine.lookup(cloud.reopen(), checkpoints, {}, cloud.call))).checkpoints;
  const invoke = (name: string, confirmName = name) =>
    cloud.run(engine.invoke(cloud.session, checkpointDelete, { name, confirmName }, cloud.call));
  expect(await names()).toEqual(["chat-small-001", "chat-small-002", "vision-base-001"]);
  await expect(invoke("chat-small-001", "chat-small-002")).rejects.toThrow("confirmName: must repeat");
  await expect(invoke("chat")).rejects.toThrow(
    "name: is not the name of a checkpoint. Existing checkpoints: chat-small-001",
  );
  expect(requests(cloud, "delete_checkpoint")).toEqual([]);
  await invoke("chat-small-001");
  expect(await names()).toEqual(["chat-small-002", "vision-base-001"]);
  expect(requests(cloud, "delete_checkpoint")).toHaveLength(1);
});

test.each(["reset", "409", "429", "502"])(
  "a delete of a checkpoint is not repeated after %s",
  async (kind) => {
    const { cloud, fault } = openTasks();
    fault("delete_checkpoint", kind);
    const name = "chat-small-001";
    const work = engine.invoke(cloud.session, checkpointDelete, { name, confirmName: name }, cloud.call);
    await failure(cloud.run(work));
    expect(requests(cloud, "delete_checkpoint")).toHaveLength(1);
  },
);
