import * as z from "zod/mini";
import { lookupCode, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text, wholeNumber } from "../provider/definition/validator.ts";
import { local, unreadable } from "./fields/option.ts";
import { cancelTask, createTask, findTask, listTasks, requireCheckpoint } from "./wire/inference.ts";

export const inferenceTask = defineResource({
  name: "inference-task",
  category: "ai",
  about:
    "An inference task, which serves a model on GPUs. It is billed until it ends or is cancelled; deleting the resource cancels it.",
  timeouts: { create: 1200, read: 120, update: 120, delete: 300 },
  regional: false,
  requires: ["user"],
  billed: "An inference task is billed for its GPUs while it runs.",
  interrupts: true,
  replaceReason: "The running task is cancelled.",
  work: {
    status: "status",
    waitFor: "waitFor",
    waitFailed: "waitFailed",
    cancelled: ["cancelled", "canceled"],
  },
  fields: {
    name: field(text, "Name of the task, unique among the tasks of the user."),
    namespace: field(z._default(text, "gpu-scheduler"), "Namespace in which the task is scheduled."),
    priority: field(z.optional(z.number().check(z.int())), "Priority of the task in the queue.", {
      computed: true,
      usage: "Default: chosen by the API.",
    }),
    model: field(z.optional(text), "Name of the model that the task serves.", unreadable),
    checkpoint: field(
      z.optional(text),
      wording`Name of the fine-tuned checkpoint that the task serves, as listed by ${lookupCode("checkpoints")}.`,
      unreadable,
    ),
    ngpu: field(z.optional(wholeNumber(1)), "Number of GPUs.", unreadable),
    waitFor: field(
      z.optional(z.array(text)),
      'Statuses at which a new task is ready, such as `["running"]`; case is ignored. Default: the create does not wait.',
      local,
    ),
    waitFailed: field(
      z._default(z.array(text), ["failed", "error", "cancelled"]),
      "Statuses that end the wait with a warning; case is ignored.",
      local,
    ),
    status: computed(z.string(), "Status reported by the API."),
    serviceName: computed(z.string(), "Name of the service through which the model is called."),
    serviceUrl: computed(z.string(), "URL of the service through which the model is called."),
  },
})({
  list: ({ api }) => listTasks(api),

  async create({ api, inputs: { name, namespace, priority, model, checkpoint, ngpu } }) {
    if (checkpoint !== undefined) await requireCheckpoint(api, checkpoint, "checkpoint");
    return { id: await createTask(api, { task_name: name, namespace, priority, model, checkpoint, ngpu }) };
  },

  async read({ api, id, region }) {
    const task = await findTask(api, id);
    if (task === undefined) return undefined;
    return {
      name: task.name,
      namespace: task.namespace,
      priority: task.priority === undefined ? undefined : Number(task.priority),
      status: task.status,
      serviceName: task.inference_svc_name,
      serviceUrl: task.inference_svc_url,
      region,
    };
  },

  async delete({ api, id }) {
    await cancelTask(api, id);
  },
});
