import * as z from "zod/mini";
import { field } from "../../provider/definition/field.ts";
import { text } from "../../provider/definition/validator.ts";
import { prefixedPath as path, inferenceRoutes as routes } from "../../resources/wire/inference.ts";
import { operation } from "../operation.ts";
import { optionalNumber, optionalText, requiredText } from "../parameter.ts";

const section = "12";
const taskId = requiredText("ID of the task.");

/** Parameters and request of an operation on a task. */
const ofTask = {
  parameters: { taskId },
  request: (at: { readonly taskId: string }) => ({ path: { task: at.taskId } }),
};

/** Operations of inference tasks and checkpoints. They require the setting `user`. Two of the GETs of this API destroy. */
export const inference = {
  createInferenceTask: operation(routes.createTask, {
    section,
    about: "Starts a task that serves a model on GPUs and is billed until it is cancelled.",
    parameters: {
      taskName: optionalText("Name of the task."),
      namespace: field(z._default(text, "gpu-scheduler"), "Namespace of the task."),
      priority: optionalNumber("Priority of the task."),
      model: optionalText("Name of the model."),
      checkpoint: optionalText("Name of a checkpoint, which `listCheckpoints` lists."),
      ngpu: optionalNumber("Number of GPUs.", 1),
    },
    request: ({ taskName, ...task }) => ({
      body: {
        task_name: taskName,
        namespace: task.namespace,
        priority: task.priority,
        model: task.model,
        checkpoint: task.checkpoint,
        ngpu: task.ngpu,
      },
    }),
    path,
  }),
  listInferenceTasks: operation(routes.listTasks, {
    section,
    about: "Lists IDs and names of the tasks of the user.",
    path,
    listing: { rows: [] },
  }),
  getInferenceTask: operation(routes.getTask, {
    section,
    about: "Returns a task with its status and the URL of its service.",
    ...ofTask,
    path,
  }),
  cancelInferenceTask: operation(routes.cancelTask, {
    section,
    about: "Cancels a task, although the request is a GET.",
    ...ofTask,
    path,
  }),
  listCheckpoints: operation(routes.listCheckpoints, {
    section,
    about: "Lists the names of the fine-tuned checkpoints of the user.",
    path,
    listing: { rows: [] },
  }),
  deleteCheckpoint: operation(routes.deleteCheckpoint, {
    section,
    about: "Deletes a checkpoint, although the request is a GET.",
    parameters: { checkpoint: requiredText("Name of the checkpoint.") },
    request: ({ checkpoint }) => ({ path: { checkpoint } }),
    path,
  }),
};
