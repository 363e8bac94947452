import { quoted } from "../../client/client.ts";
import { FailedError, isNotFound } from "../../core/error.ts";
import { completeId, sameId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { Fields } from "../../definition/field.ts";
import type { Row, TaskState } from "../../definition/verb.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import type { Operation } from "../operation.ts";
import { regionIfNotDefault } from "../region.ts";
import { importId } from "../remediation.ts";
import { ever } from "../shared-listing.ts";
import { type Address, addressOf, listingKey, readAlone, statusOf } from "../state/state.ts";
import { failureOf, type Poll, waitFor } from "../wait/wait.ts";
import { findInterrupted } from "./recover.ts";
import {
  type CreateContext,
  createdAtOf,
  existingRows,
  matches,
  placeholderAddress,
  sameNamed,
} from "./search.ts";

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
 * task fails.
 *
 * @param before rows that were listed before the request: an object among them is that of an earlier task with this id
 */
export async function finishTask(
  context: CreateContext,
  progress: { id?: string | undefined; task: string },
  before: readonly Row<Fields>[] = [],
): Promise<TaskEnd> {
  const { operation } = context;
  const { verbs, name } = operation.resource;
  if (verbs.task === undefined) return { id: undefined, succeeded: false };
  const { clock } = operation.session.ports;
  const began = clock.monotonic();
  const isOld = (id: string) => before.some((row) => sameId(row.id, id));
  const poll = async (after: number): Promise<Poll<TaskEnd>> => {
    // A task that was just accepted appears in the next shared listing.
    if (verbs.whole && after === ever) return { still: "accepted" };
    // If rows are complete, the shared listing decides; the task is the fallback.
    const rows = verbs.whole ? await existingRows(context, after) : [];
    const row = rows.find(({ id, task }) => task === progress.task && !isOld(id));
    if (row) return ofRow(operation, row, progress);
    if (verbs.whole && clock.monotonic() - began < listedMs) return { still: "not listed yet" };
    const state = await ask(context, progress.task);
    if (state === undefined && clock.monotonic() - began < visibleMs)
      return { still: "the task is not visible yet" };
    if (state === undefined) return { done: { id: progress.id, succeeded: false } };
    const id = completeId(state.id);
    if (id !== undefined && !isOld(id)) progress.id = id;
    if (state.status === "running") return { still: state.detail ?? "running" };
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
  const seen = row as unknown as Values;
  const { at, word } = statusOf(operation.resource, seen);
  const id = completeId(row.id);
  const named = id !== undefined && id !== progress.task;
  if (named || (at === "failed" && id !== undefined)) progress.id = id;
  if (at === "failed") throw failureOf(operation, seen);
  return named ? { done: { id, succeeded: true } } : { still: word };
}

/**
 * Returns the object's own id if it was read by the id of its task (docs/contract.md#6); else `id`.
 */
export const ownId = (seen: Values, id: string): string =>
  (seen.task === id && typeof seen.id === "string" ? completeId(seen.id) : undefined) ?? id;

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
    isUnseen = (await finishTask({ operation, inputs: state.values, region }, progress)).succeeded;
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
  const id = importId(resource, row.id, state.values, regionIfNotDefault(operation.session, region));
  throw operation.failed(
    "the task of the create names no ID, and nothing shows whether the object with this name is the created one",
    { is: "exists", id: row.id },
    [{ code: "import-listed", resource: resource.name, importId: id }],
  );
}

/**
 * Throws `OperationError` if a read shows an object under the id that the task of the create names which has another name
 * and was not created during that create: the API may have given the id of the task to a later one.
 */
async function refuseOther(operation: Operation, state: ResourceState, address: Address): Promise<void> {
  const { resource, session } = operation;
  const seen = await readAlone(operation, address, state.values, ["name"]);
  if (seen === undefined) return;
  const { id, region } = address;
  const row = { ...seen, id } as unknown as Row<Fields>;
  if (matches(resource, row, state.values) || isOfCreate(operation, row, state)) return;
  const importedAs = importId(resource, id, state.values, regionIfNotDefault(session, region));
  throw operation.failed(
    `its task ${state.task} names ${id}, which is an object with another name: the API may have used the ID of the task again`,
    { is: "unknown" },
    [{ code: "import-listed", resource: resource.name, importId: importedAs }],
  );
}

/** Returns true if an object was created during the create whose end the state records, by the clock of the API. */
function isOfCreate(
  { resource, session }: Operation,
  row: Row<Fields>,
  { createdAt }: ResourceState,
): boolean {
  const madeAt = createdAtOf(row);
  if (madeAt === undefined || createdAt === undefined) return false;
  const since = createdAt - resource.timeouts.create * 1000;
  return madeAt >= since && madeAt <= createdAt + session.settings.settleSeconds * 1000;
}
