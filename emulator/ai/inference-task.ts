import * as z from "zod";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, isRepeatedDelete, listed, newResource } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import { uuidOf } from "../state/id.ts";
import { isDeleting, type Resource } from "../state/store.ts";
import { startWork, workState } from "../state/work.ts";
import { requireCheckpoint, userHeader } from "./checkpoint.ts";

/** GPU inference tasks (docs/contract.md#12). A task belongs to the user in the `x-user` header of its create. */

export type InferenceTask = Resource & {
  readonly user: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

const taskModel = (cloud: Cloud) => cloud.store.model<InferenceTask>("inference_task");

const taskPath = "/v1/inference/tasks/{task}";

const taskBody = z.strictObject({
  task_name: text.optional(),
  namespace: text.default("gpu-scheduler"),
  priority: z.int().optional(),
  model: text.optional(),
  checkpoint: text.optional(),
  ngpu: z.int().min(1).optional(),
});

const isCancelled = (task: InferenceTask, time: number): boolean =>
  isDeleting(task, time) || (task.goneAt !== undefined && task.goneAt <= time);

/** Returns the status of a task. Its values are an assumption (docs/contract.md#17.7). */
function statusOf(task: InferenceTask, time: number): string {
  if (isCancelled(task, time)) return "cancelled";
  const words = { pending: "queued", processing: "deploying", success: "running", failed: "failed" } as const;
  return words[workState(task.work, time)];
}

/** Returns a task of a user; else 404. The switch `cancelledTaskShown` decides whether a cancelled task is found. */
function requireTask(cloud: Cloud, id: string, user: string): InferenceTask {
  const { cancelledTaskShown } = cloud.settings.assume;
  const task = taskModel(cloud)
    .all()
    .find((candidate) => uuidOf(candidate.krn) === id && candidate.user === user);
  if (task === undefined || (isCancelled(task, cloud.now) && !cancelledTaskShown))
    throw new Refusal(404, `task ${id} not found`);
  return task;
}

const summary = (task: InferenceTask) => ({ name: task.name, id: uuidOf(task.krn) });

const createTask = operation({
  name: "create_inference_task",
  method: "POST",
  path: "/v1/inference/tasks",
  section: "12",
  source: "seed",
  headers: userHeader,
  body: taskBody,
  handle(cloud, { headers, body: { task_name: name = "", checkpoint, ...fields } }) {
    refuseByName(name);
    if (checkpoint !== undefined) requireCheckpoint(cloud, checkpoint, 400);
    const task = taskModel(cloud).insert({
      ...newResource(cloud, "inference", "task", "global"),
      name,
      parents: [],
      work: startWork(cloud.now, cloud.settings.taskMs, failureByName(name)),
      user: headers["x-user"],
      fields: { ...fields, ...(checkpoint !== undefined && { checkpoint }) },
    });
    return { status: 200, body: summary(task) };
  },
});

const listTasks = operation({
  name: "list_inference_tasks",
  method: "GET",
  path: "/v1/inference/tasks",
  section: "12",
  source: "seed",
  headers: userHeader,
  handle(cloud, { headers }) {
    const tasks = taskModel(cloud)
      .all()
      .filter(({ user }) => user === headers["x-user"]);
    return { status: 200, body: listed(cloud, tasks).map(summary) };
  },
});

const getTask = operation({
  name: "get_inference_task",
  method: "GET",
  path: taskPath,
  section: "12",
  source: "seed",
  headers: userHeader,
  handle(cloud, { headers, path: { task: id } }) {
    const task = requireTask(cloud, id, headers["x-user"]);
    const { namespace, priority = 0 } = task.fields;
    const service = `${task.name || "task"}-${id.slice(0, 8)}`;
    return {
      status: 200,
      body: {
        name: task.name,
        namespace,
        id,
        priority: String(priority),
        status: statusOf(task, cloud.now),
        inference_svc_name: service,
        inference_svc_url: `https://${service}.inference.example`,
      },
    };
  },
});

const cancelTask = operation({
  name: "cancel_inference_task",
  method: "GET",
  path: `${taskPath}/cancel`,
  section: "12",
  source: "seed",
  changes: true,
  headers: userHeader,
  handle(cloud, { headers, path: { task: id } }) {
    const task = requireTask(cloud, id, headers["x-user"]);
    const repeated = isRepeatedDelete(cloud, task, `task ${id} not found`);
    if (!repeated) deleteResource(cloud, task, cloud.settings.taskMs);
    return { status: 200 };
  },
});

/** GPU inference tasks. */
export const inferenceTaskKind: ResourceKind = {
  name: "inference_task",
  operations: [createTask, listTasks, getTask, cancelTask],
};
