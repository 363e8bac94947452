import {
  FailedError,
  isAmbiguous,
  isConflict,
  isNotFound,
  mayHaveExecuted,
  OperationError,
  StopError,
} from "../../core/error.ts";
import { completeId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { RequestTracker } from "../../definition/api.ts";
import { verbInputs } from "../../definition/check.ts";
import type { Fields } from "../../definition/field.ts";
import { deferredFields } from "../../definition/field.ts";
import type { Receipt, Row } from "../../definition/verb.ts";
import { sendChanges } from "../change.ts";
import { describeDependents } from "../dependents.ts";
import { echoSeconds, type Operation, regionFor } from "../operation.ts";
import { remedyFor, stepOf, toRunAgain } from "../remediation.ts";
import { isFresh } from "../session.ts";
import { ever } from "../shared-listing.ts";
import {
  type Address,
  addressOf,
  conformToPlan,
  driftedFields,
  mergeState,
  noteWrite,
  partialState,
  scopeKey,
  withAllTags,
} from "../state/state.ts";
import { waitUntilReady } from "../wait/wait.ts";
import { adopt } from "./adopt.ts";
import {
  type CreateContext,
  claim,
  existingRows,
  findCreated,
  matching,
  mayExist,
  onlyId,
  pickCreated,
  placeholderAddress,
  recoverId,
  searchHint,
} from "./recover.ts";
import { finishTask, ownId } from "./task.ts";

export { ownId, resolveId } from "./task.ts";

/**
 * The create protocol (docs/reliability.md#3.3): search, send once, keep the identity before waiting, settle an unclear
 * answer by search. Whatever goes wrong after the request has left says what exists and carries it home.
 */
export async function create(operation: Operation, inputs: Values): Promise<ResourceState> {
  const { resource, session } = operation;
  const making = { operation, inputs, region: regionFor(session, resource, inputs.region) };
  const release = claim(making);
  try {
    const before = await afterParents(making, () => existingRows(making, ever));
    const same = matching(resource, before, inputs);
    const left = onlyId(same.filter(({ id }) => session.retainedIds.has(id)));
    if (left !== undefined) return await resume(making, left);
    return await (same.length > 0 ? adopt(making, same) : make(making, before));
  } finally {
    release();
  }
}

/**
 * Asks about the inside of a parent, or for what stands on others. One of them that this process made a moment ago
 * may not be known to the cloud yet: then nothing was done, and it is asked again until it is.
 */
async function afterParents<T>({ operation, inputs }: CreateContext, ask: () => Promise<T>): Promise<T> {
  const { session, signal } = operation;
  const others = Object.values(inputs).flat();
  for (let pause = 500; ; pause = Math.min(8_000, pause * 2)) {
    try {
      return await ask();
    } catch (error) {
      const mayCome = others.some((value) => typeof value === "string" && isFresh(session, value));
      if (!isNotFound(error) || !mayCome) throw error;
      operation.report(error.said);
      await session.ports.clock.sleep(pause, signal);
    }
  }
}

/** What is known so far of what a create makes. */
interface CreateProgress {
  id?: string | undefined;
  task?: string | undefined;
  /** Once it was ready, whatever fails later is no failure of its making. */
  ready?: true;
}

async function make(making: CreateContext, before: readonly Row<Fields>[]): Promise<ResourceState> {
  const known: CreateProgress = {};
  let made = making;
  try {
    const { id, task, once } = await send(making, before);
    Object.assign(known, { id: completeId(id), task });
    made = { ...making, inputs: { ...making.inputs, ...(once as Values | undefined) } };
    known.id ??= await identify(made, before, known);
    return await complete(made, known.id, known);
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw await createFailure(made, before, known, error);
  }
}

/** Goes on with what stayed when it was let go of: nothing is to be made, but all that comes after it. */
async function resume(making: CreateContext, id: string): Promise<ResourceState> {
  making.operation.session.retainedIds.delete(id);
  try {
    return await complete(making, id, {});
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw await createFailure(making, [], { id, ready: true }, error);
  }
}

/** Sends the one request. An unclear answer is settled by search and never by sending again. */
async function send(making: CreateContext, before: readonly Row<Fields>[]): Promise<Receipt> {
  const { operation, inputs, region } = making;
  const { resource, session } = operation;
  const departure: RequestTracker = { sent: false };
  const sent = withAllTags(resource, inputs, session.settings);
  const call = { api: operation.api(region, departure), region, inputs: verbInputs(sent) };
  try {
    return await afterParents(making, () => resource.verbs.create(call)).finally(() =>
      noteWrite(operation, placeholderAddress(making)),
    );
  } catch (error) {
    if (isAmbiguous(error))
      return { id: await recoverId(making, before, session.settings.settleSeconds, error) };
    // Both may be the echo of an attempt of our own that was executed (docs/reliability.md#4.3).
    if (isConflict(error) || mayHaveExecuted(error) || error instanceof FailedError) {
      const seconds = isConflict(error) ? echoSeconds : session.settings.settleSeconds;
      const found = await findCreated(making, before, seconds);
      if (found.length > 0) return { id: pickCreated(making, found, error) };
    } else if (departure.sent) {
      const step = error instanceof StopError ? "stopped while the request was on its way" : stepOf(error);
      throw operation.failed(step, mayExist, searchHint(making), undefined, error);
    }
    const next = isConflict(error)
      ? conflictRemedy(await describeDependents(operation, resource.verbs.conflicts?.(call)))
      : remedyFor(error);
    throw operation.failed(stepOf(error), { is: "nothing created" }, next, undefined, error);
  }
}

/** What to do where something has what was asked for. */
const conflictRemedy = (taken: string | undefined): string =>
  taken === undefined
    ? "Ask for another, or remove what it names or wait until it is done, then run again"
    : `Remove or detach first what is in the way, or ask for another, then run again: ${taken}`;

/** Turns what the answer gave into an id: a task is asked until it names one, an empty answer is settled. */
async function identify(
  making: CreateContext,
  before: readonly Row<Fields>[],
  known: Receipt,
): Promise<string> {
  const { operation } = making;
  if (known.task !== undefined) {
    const id = await finishTask(making, known as { id?: string; task: string }, before);
    if (id !== undefined) return id;
  }
  return recoverId(making, before, operation.session.settings.settleSeconds);
}

async function complete(making: CreateContext, id: string, known: CreateProgress): Promise<ResourceState> {
  const { operation, inputs, region } = making;
  const { resource, session } = operation;
  const address = addressOf(resource, id, region, inputs);
  session.listings.named(scopeKey(resource, address), placeholderAddress(making).id, id);
  session.createdAt.set(id, session.ports.clock.monotonic());
  const seen = await applyDeferredFields(operation, address, inputs, known);
  const own = ownId(seen, id);
  session.createdAt.set(own, session.ports.clock.monotonic());
  return {
    id: own,
    task: undefined,
    values: conformToPlan(resource.fields, { ...seen, region }, inputs),
    unread: [],
  };
}

/**
 * Waits until it is ready, then sends what is no part of the create and is not shown yet. What has no stages is taken
 * for ready at once.
 */
async function applyDeferredFields(
  operation: Operation,
  address: Address,
  inputs: Values,
  known: CreateProgress,
): Promise<Values> {
  const { fields, lifecycle, notReadable } = operation.resource;
  const deferred = deferredFields(fields).filter((name) => (inputs[name] ?? null) !== null);
  if (deferred.length === 0) return waitUntilReady(operation, address, inputs);
  const made = Object.fromEntries(Object.entries(inputs).filter(([name]) => !deferred.includes(name)));
  const seen =
    lifecycle === undefined
      ? ((notReadable ?? {}) as Values)
      : await waitUntilReady(operation, address, made);
  if (lifecycle !== undefined) known.ready = true;
  known.id = ownId(seen, address.id);
  const own = { ...address, id: known.id };
  const other = driftedFields(fields, seen, inputs);
  const missing = new Set(deferred.filter((name) => other.includes(name)));
  if (missing.size > 0) await sendChanges(operation, own, { ...made, ...seen }, inputs, missing);
  else if (lifecycle !== undefined) return seen;
  return waitUntilReady(operation, own, inputs, missing);
}

/** After the request left, an error never comes alone: id or task go with it, or the words "may exist". */
async function createFailure(
  making: CreateContext,
  before: readonly Row<Fields>[],
  known: CreateProgress,
  error: unknown,
): Promise<OperationError> {
  const { operation, inputs, region } = making;
  const { settleSeconds } = operation.session.settings;
  const failed = error instanceof FailedError && known.ready !== true;
  // A failed create may leave an object that its task does not name. A search that fails tells nothing.
  const found =
    failed && known.id === undefined
      ? await findCreated(making, before, settleSeconds).catch(() => undefined)
      : [];
  const id = known.id ?? onlyId(found ?? []);
  const made = partialState(operation.resource, inputs, region, { ...known, id });
  const failure = failed && !operation.resource.repairable ? { failed: error.message } : {};
  const held = failed && id !== undefined ? asSeen(making, { ...made, ...failure }, error) : made;
  if (id !== undefined) {
    const left = failed ? "makes it anew" : "takes it up or replaces it";
    const next = `${toRunAgain(error)}: the next run ${operation.resource.repairable ? "makes what is missing" : left}`;
    return operation.failed(
      known.ready
        ? "it was made, but what comes after it was not done"
        : "it was made but did not become ready",
      { is: "recorded", id },
      next,
      held,
      error,
    );
  }
  if (failed && found?.length === 0)
    return operation.failed(stepOf(error), { is: "nothing created" }, remedyFor(error), undefined, error);
  const { task } = known;
  if (task === undefined)
    return operation.failed("its id is not known", mayExist, searchHint(making), undefined, error);
  const next = searchHint(making, "Run again, which asks its task for it; where nothing was recorded, look");
  return operation.failed(`its id is not known; the task is ${task}`, mayExist, next, held, error);
}

/** With all that the cloud showed of a failed object, so that what is recorded says why. */
const asSeen = (
  { operation, inputs, region }: CreateContext,
  held: ResourceState,
  { seen }: FailedError,
): ResourceState =>
  seen === undefined
    ? held
    : { ...held, values: mergeState(operation.resource.fields, { ...seen, region }, inputs) };
