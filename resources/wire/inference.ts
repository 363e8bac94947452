import * as z from "zod/mini";
import { InputError } from "../../provider/core/error.ts";
import type { Api } from "../../provider/definition/api.ts";
import { type Endpoint, endpoint, json } from "../../provider/definition/endpoint.ts";
import { idText, maybe, maybeText } from "../../provider/definition/validator.ts";

/** Inference tasks and checkpoints in responses of the API (docs/contract.md#12). Each belongs to one user. */

const ofUser = { region: false, user: true } as const;

/** Returns an endpoint at the configured path prefix (docs/contract.md#17.7). */
const prefixed = <E extends Endpoint>(api: Api, endpoint: E): E => ({
  ...endpoint,
  path: prefixedPath(endpoint.path, api),
});

/** Returns a path with the configured prefix. */
export const prefixedPath = (path: string, { switches }: Pick<Api, "switches">): string =>
  `${switches.inferencePathPrefix}${path}`;

const taskSummary = z.object({ id: idText, name: maybeText });

/** Body of a create (docs/contract.md#12). */
interface TaskBody {
  readonly task_name: string | undefined;
  readonly namespace: string;
  readonly priority: number | undefined;
  readonly model: string | undefined;
  readonly checkpoint: string | undefined;
  readonly ngpu: number | undefined;
}

/** Routes of inference tasks and checkpoints. */
export const inferenceRoutes = {
  createTask: endpoint("create", "POST /v1/inference/tasks", taskSummary, {
    ...ofUser,
    body: json<TaskBody>(),
  }),
  listTasks: endpoint("read", "GET /v1/inference/tasks", z.array(taskSummary), ofUser),
  getTask: endpoint(
    "read",
    "GET /v1/inference/tasks/{task}",
    z.object({
      id: idText,
      name: maybeText,
      namespace: maybeText,
      priority: maybe(z.union([z.string(), z.number()])),
      status: maybeText,
      inference_svc_name: maybeText,
      inference_svc_url: maybeText,
    }),
    ofUser,
  ),
  cancelTask: endpoint("cancel", "GET /v1/inference/tasks/{task}/cancel", undefined, ofUser),
  listCheckpoints: endpoint(
    "read",
    "GET /v1/inference/checkpoints",
    z.array(z.union([z.string(), z.object({ name: z.string() })])),
    ofUser,
  ),
  deleteCheckpoint: endpoint("cancel", "GET /v1/inference/checkpoints/{checkpoint}/del", undefined, ofUser),
};

/** Creates a task and returns its id. */
export async function createTask(api: Api, body: TaskBody): Promise<string> {
  const { id } = await api.send(prefixed(api, inferenceRoutes.createTask), { body });
  return id;
}

/** Lists the tasks of the user: ids and names only. */
export const listTasks = (api: Api) => api.send(prefixed(api, inferenceRoutes.listTasks));

/** Reads a task; returns undefined for a 404. */
export const findTask = (api: Api, task: string) =>
  api.find(prefixed(api, inferenceRoutes.getTask), { path: { task } });

/** Cancels a task. The request is a GET, but must not be repeated. */
export const cancelTask = (api: Api, task: string) =>
  api.send(prefixed(api, inferenceRoutes.cancelTask), { path: { task } });

/** Lists the names of the checkpoints. Some versions of the API return objects with the names. */
export async function listCheckpoints(api: Api): Promise<string[]> {
  const rows = await api.send(prefixed(api, inferenceRoutes.listCheckpoints));
  return rows.map((row) => (typeof row === "string" ? row : row.name));
}

/** Throws `InputError` at the field if the checkpoint is not listed. */
export async function requireCheckpoint(api: Api, checkpoint: string, field: string): Promise<void> {
  const names = await listCheckpoints(api);
  if (names.includes(checkpoint)) return;
  const problem = `is not the name of a checkpoint. Existing checkpoints: ${names.join(", ") || "none"}`;
  throw new InputError([{ path: [field], problem }]);
}

/** Deletes a checkpoint by its name. The request is a GET, but must not be repeated (docs/contract.md#17.7). */
export const deleteCheckpoint = (api: Api, checkpoint: string) =>
  api.send(prefixed(api, inferenceRoutes.deleteCheckpoint), { path: { checkpoint } });
