import { quoted } from "../../client/client.ts";
import { FailedError, isNotFound } from "../../core/error.ts";
import { completeId, sameId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { Fields } from "../../definition/field.ts";
import type { Poll } from "../../definition/function.ts";
import type { Row, TaskState } from "../../definition/verb.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import { settleMs } from "../existence/age.ts";
import { listingKey, readAlone } from "../existence/current.ts";
import { createdAtOf, matches, rowOf } from "../existence/row.ts";
import type { Operation } from "../operation.ts";
import { importIdIn } from "../remediation.ts";
import { ever } from "../shared-listing.ts";
import { type Address, addressOf } from "../state/address.ts";
import { statusOf } from "../state/status.ts";
import { failureOf } from "../wait/wait.ts";
import { waitFor } from "../wait/waiter.ts";
import { findInterrupted } from "./recover.ts";
import { type CreateContext, existingRows, placeholderAddress, sameNamed } from "./search.ts";

/** Time in ms after the first poll during which a missing task is polled again (docs/contract.md#1.1). */
const visibleMs = 60_000;
/** Time in ms for which the row of a new object may be missing from listings before the task itself is polled. */
const listedMs = 10_000;

/** End of a task that did not fail. */
export interface TaskEnd {
  /** Id of the object; undefined if the task contains none. */
  readonly id: string | undefined;
  /** False if the task is no longer found. */
  readonly succeeded: boolean;
}

/**
 * Polls a task until its object has an id. Writes the id to `progress` as soon as it is known. Throws `FailedError` if the
 * task fails. An object that was listed before the request is that of an earlier task with this id.
 */
export async function finishTask(
  context: CreateContext,
  progress: { id?: string | undefined; task: string },
): Promise<TaskEnd> {
  const { operation } = context;
  const { verbs, name } = operation.resource;
  if (verbs.task === undefined) return { id: undefined, succeeded: false };
  const { clock } = operation.session.ports;
  const began = clock.monotonic();
  const isEarlier = (id: string) => context.before.some((row) => sameId(row.id, id));
  const poll = async (after: number): Promise<Poll<TaskEnd>> => {
    // A task that was just accepted appears in the next shared listing.
    if (verbs.whole && after === ever) return { pending: "accepted" };
    // If rows are complete, the shared listing decides; the task is the fallback.
    const rows = verbs.whole ? await existingRows(context, after) : [];
    const row = rows.find(({ id, task }) => task === progress.task && !isEarlier(id));
    if (row) return ofRow(operation, row, progress);
    if (verbs.whole && clock.monotonic() - began < listedMs) return { pending: "not listed yet" };
    const state = await ask(context, progress.task);
    if (state === undefined && clock.monotonic() - began < visibleMs)
      return { pending: "the task is not visible yet" };
    if (state === undefined) return { done: { id: progress.id, succeeded: false } };
    const id = completeId(state.id);
    if (id !== undefined && !isEarlier(id)) progress.id = id;
    if (state.status === "running") return { pending: state.detail ?? "running" };
    if (state.status === "failed")
      throw new FailedError(`the API reports: ${quoted(state.detail ?? "failed", operation.session.redact)}`);
    return { done: { id: progress.id, succeeded: true } };
  };
  return waitFor(
    operation,
    `${name} task`,
    poll,
    listingKey(operation.resource, placeholderAddress(context)),
  );
}

/** Reads the task; undefined if it is not found. */
const ask = ({ operation, inputs, region }: CreateContext, task: string): Promise<TaskState | undefined> =>
  Promise.resolve(
    operation.resource.verbs.task?.({
      api: operation.api(region),
      region,
      task,
      inputs: verbInputs(inputs),
    }),
  ).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });

/** Returns the result of a poll from a row. Until the object has an id, the row has the id of the task or none. */
function ofRow(
  operation: Operation,
  row: Row<Fields>,
  progress: { id?: string | undefined; task: string },
): Poll<TaskEnd> {
  const observed = row as unknown as Values;
  const { at, text } = statusOf(operation.resource, observed);
  const id = completeId(row.id);
  const isFinal = id !== undefined && id !== progress.task;
  if (isFinal || (at === "failed" && id !== undefined)) progress.id = id;
  if (at === "failed") throw failureOf(operation, observed);
  return isFinal ? { done: { id, succeeded: true } } : { pending: text };
}

/**
 * Returns the object's own id if it was read by the id of its task (docs/contract.md#6); else `id`.
 */
export const objectIdIn = (observed: Values, id: string): string =>
  (observed.task === id && typeof observed.id === "string" ? completeId(observed.id) : undefined) ?? id;

/** Result of `resolveId`. */
export interface Resolved {
  readonly id: string | undefined;
  /** True if the task succeeded without naming an id, and no listing shows an object of the name. */
  readonly isUnseen?: boolean;
}

/**
 * Returns the id of an object in the state; without one from its task, or by search after an interrupted create.
 * The id is undefined if the task created nothing or, with a warning, if the search finds no object that is certainly the
 * created one. A name is no proof: after a failed task only a row with this task is accepted. Throws `OperationError` if an
 * object of the same name may be the created one.
 */
export async function resolveId(
  operation: Operation,
  state: ResourceState,
  region: string,
): Promise<Resolved> {
  if (state.id !== undefined) return { id: state.id };
  // A plan without a refresh does not pass what the state of a tainted object records of its create.
  if (state.interrupted !== undefined || state.task === undefined)
    return { id: await findInterrupted(operation, state, region, state.interrupted ?? { seenIds: [] }) };
  const { resource } = operation;
  const progress: { id?: string; task: string } = { task: state.task };
  let isUnseen = false;
  try {
    const context = { operation, inputs: state.values, region, before: [] };
    isUnseen = (await finishTask(context, progress)).succeeded;
  } catch (error) {
    if (!(error instanceof FailedError)) throw error;
  }
  if (progress.id !== undefined) {
    await refuseOther(operation, state, addressOf(resource, progress.id, region, state.values));
    return { id: progress.id };
  }
  const rows = await sameNamed(operation, state, region);
  const [row] = rows;
  if (row === undefined) return { id: undefined, isUnseen };
  if (row.id === "")
    throw operation.failed("a listing shows an object with this name without an ID", { is: "may exist" }, [
      "run-again-later",
      "delete-object",
    ]);
  if (rows.length === 1 && row.task === state.task) return { id: row.id };
  const importId = importIdIn(operation.session, resource, { id: row.id, values: state.values, region });
  throw operation.failed(
    "the task of the create names no ID, and nothing shows whether the object with this name is the created one",
    { is: "exists", id: row.id },
    [{ code: "import-listed", resource: resource.name, importId }],
  );
}

/**
 * Throws `OperationError` if a read shows an object under the id that the task of the create names which has another name
 * and was not created during that create: the API may have given the id of the task to a later one.
 */
async function refuseOther(operation: Operation, state: ResourceState, address: Address): Promise<void> {
  const { resource, session } = operation;
  const observed = await readAlone(operation, address, { recorded: state.values, names: ["name"] });
  if (observed === undefined) return;
  const { id, region } = address;
  const row = rowOf(id, observed);
  if (matches(resource, row, state.values) || isOfCreate(operation, row, state)) return;
  const importId = importIdIn(session, resource, { id, values: state.values, region });
  throw operation.failed(
    `its task ${state.task} names ${id}, which is an object with another name: the API may have used the ID of the task again`,
    { is: "unknown" },
    [{ code: "import-listed", resource: resource.name, importId }],
  );
}

/** Returns true if an object was created during the create whose end the state records, by the clock of the API. */
function isOfCreate(
  { resource, session }: Operation,
  row: Row<Fields>,
  { createdAt }: ResourceState,
): boolean {
  const shown = createdAtOf(row);
  if (shown === undefined || createdAt === undefined) return false;
  return shown >= createdAt - resource.timeouts.create * 1000 && shown <= createdAt + settleMs(session);
}
