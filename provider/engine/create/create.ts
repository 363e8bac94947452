import { InputError, OperationError } from "../../core/error.ts";
import { completeId, plainId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { RequestTracker } from "../../definition/api.ts";
import { deferredFields, updatableFields } from "../../definition/field.ts";
import { sendChanges } from "../change.ts";
import { noteWrite } from "../existence/current.ts";
import { recordCreation } from "../existence/owned.ts";
import { matching } from "../existence/row.ts";
import { visibilityOf } from "../existence/visibility.ts";
import type { Operation } from "../operation.ts";
import { parentRegionProblems, regionFor } from "../region.ts";
import { requestStopped, stepOf } from "../remediation.ts";
import { scopeKey } from "../state/address.ts";
import { driftedFields } from "../state/compare.ts";
import { conformToPlan } from "../state/merge.ts";
import { waitUntilReady } from "../wait/wait.ts";
import { newObject } from "../whole-object.ts";
import { adopt } from "./adopt.ts";
import { afterConflict, afterLateConflict } from "./conflict.ts";
import { interruptedCreate, notCreated, unknownOutcome } from "./failure.ts";
import { type Again, type Attempt, type Created, type Next, type Outcome, outcomeOf } from "./outcome.ts";
import { afterDoubt, afterNoAnswer, afterRefusal, onlyId, recoverId } from "./recover.ts";
import { createResult } from "./result.ts";
import {
  addressIn,
  afterParents,
  type CreateContext,
  callOf,
  claim,
  placeholderAddress,
  retained,
  searchBefore,
} from "./search.ts";
import { awaitStatus, isTolerated, keepStarted } from "./started.ts";
import { finishTask, objectIdIn } from "./task.ts";
import { type CreateProgress, unfinishedCreate } from "./unfinished.ts";

/**
 * Creates an object (docs/reliability.md#3.3): searches, sends the request once, records the id before waiting, and
 * recovers from an ambiguous response by search. Throws `OperationError`, after the request with the partial state.
 */
export async function create(operation: Operation, inputs: Values): Promise<ResourceState> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, inputs);
  const elsewhere = parentRegionProblems(resource, inputs, region);
  if (elsewhere.length > 0) throw new InputError(elsewhere);
  const tracker: RequestTracker = { sent: false, searches: true };
  const context: CreateContext = { operation, inputs, region, tracker, before: [] };
  if (resource.stateOnly) return createResult(context);
  const release = claim(context);
  try {
    const retainedId = onlyId(matching(resource, retained(context), inputs));
    if (retainedId !== undefined) return await resume(context, retainedId);
    const { before, same } = await searchBefore(context);
    const searched = { ...context, before };
    return await (same.length > 0 ? adopt(searched, same) : make(searched));
  } finally {
    release();
  }
}

/** Sends the create request, and completes the object. */
async function make(context: CreateContext): Promise<ResourceState> {
  const next = await send(context).catch(async (error: unknown) => {
    throw await unfinishedCreate(context, {}, error);
  });
  if ("existing" in next) return adopt(context, next.existing, next.conflict);
  const { id, task, isFound, once, values } = next.created;
  const inputs = { ...context.inputs, ...(once as Values), ...(values as Values) };
  const created = { ...context, inputs };
  const progress: CreateProgress = { id: completeId(id), task, isFound };
  try {
    progress.id ??= await identify(created, progress);
    const { operation } = context;
    if (progress.isFound)
      operation.warn({ code: "found-by-search", subject: operation.subject, id: progress.id });
    return await awaitStatus(created, await complete(created, progress.id, progress));
  } catch (error) {
    if (error instanceof OperationError) throw error;
    if (progress.id !== undefined && isTolerated(created, error))
      return keepStarted(created, progress.id, error);
    throw await unfinishedCreate(created, progress, error);
  }
}

/**
 * Resumes with an undeletable object that this run removed from the state: the object still exists, so only the drifted
 * fields that can change in place are sent.
 */
async function resume(context: CreateContext, id: string): Promise<ResourceState> {
  const { resource, session } = context.operation;
  session.objects.retained.delete(id);
  try {
    return await complete(context, id, {}, updatableFields(resource.fields));
  } catch (error) {
    throw await unfinishedCreate(context, { id, isReady: true }, error);
  }
}

/** The step after each outcome of a request without a receipt. */
const steps: { readonly [O in Outcome]: (attempt: Attempt<never>) => Next | Promise<Next> } = {
  unanswered: afterNoAnswer,
  conflict: afterConflict,
  "late-conflict": afterLateConflict,
  refused: afterRefusal,
  doubtful: afterDoubt,
  interrupted: ({ context, error }) => ({ failed: interruptedCreate(context, requestStopped, error) }),
  unclear: ({ context, error }) => ({ failed: unknownOutcome(context, stepOf(error), error) }),
  unsent: ({ context, error, existence }) => ({ failed: notCreated(context, error, existence) }),
};

const nothingCreated = { is: "nothing created" } as const;

/** Sends the create request until a step ends the create: again only if no object of an earlier request can appear. */
async function send(
  context: CreateContext,
): Promise<Extract<Next, { created: Created } | { existing: unknown }>> {
  for (let again: Again = { number: 1, existence: nothingCreated }; ; ) {
    const next = await sendRequest(context, again);
    if ("failed" in next) throw next.failed;
    if (!("again" in next)) return next;
    again = next.again;
  }
}

/** Sends the create request once. Returns the receipt, or the step after its outcome. */
async function sendRequest(context: CreateContext, again: Again): Promise<Next> {
  const { operation } = context;
  const call = callOf(context);
  try {
    const created: Created = await afterParents(context, () => operation.resource.verbs.create(call)).finally(
      () => noteWrite(operation, placeholderAddress(context)),
    );
    return { created };
  } catch (error) {
    const attempt = { context, error, ...again };
    return steps[outcomeOf(attempt)](attempt as Attempt<never>);
  }
}

/**
 * Returns the id of the created object: polls the task until it shows an id, or searches if neither the response nor the
 * task contains one. After a successful task the only new object is the created one.
 */
async function identify(context: CreateContext, progress: CreateProgress): Promise<string> {
  const { task } = progress;
  const end = task === undefined ? undefined : await finishTask(context, Object.assign(progress, { task }));
  if (end?.id !== undefined) return end.id;
  if (end?.succeeded !== true) progress.isFound = true;
  const pick = await recoverId(context);
  if ("failed" in pick) throw pick.failed;
  return pick.id;
}

/** Waits for the object and sends its later fields. Returns its state. */
async function complete(
  context: CreateContext,
  id: string,
  progress: CreateProgress,
  later = deferredFields(context.operation.resource.fields),
): Promise<ResourceState> {
  const { operation, inputs, region } = context;
  const { resource, session } = operation;
  const scope = scopeKey(resource, addressIn(context, id));
  session.listings.named(scope, placeholderAddress(context).id, id);
  session.objects.createdAt.set(plainId(id), session.ports.clock.monotonic());
  const observed = await applyLaterFields(context, id, progress, later);
  const objectId = objectIdIn(observed, id);
  session.objects.createdAt.set(plainId(objectId), session.ports.clock.monotonic());
  return {
    id: objectId,
    task: undefined,
    values: conformToPlan(resource.fields, { ...observed, region }, inputs),
    unread: [],
    createdAt: recordCreation(operation, addressIn(context, objectId)),
  };
}

/**
 * Waits until the object is ready, then sends the fields in `later` that the object does not show yet. A resource without
 * a lifecycle counts as ready at once.
 */
async function applyLaterFields(
  context: CreateContext,
  id: string,
  progress: CreateProgress,
  later: readonly string[],
): Promise<Values> {
  const { operation, inputs } = context;
  const { fields, lifecycle } = operation.resource;
  const isSet = (name: string) => (inputs[name] ?? null) !== null;
  const deferred = later.filter(isSet);
  if (deferred.length === 0) return waitUntilReady(operation, addressIn(context, id), inputs);
  const early = Object.fromEntries(Object.entries(inputs).filter(([name]) => !deferred.includes(name)));
  const observed =
    lifecycle === undefined
      ? visibilityOf(operation.resource).initialValues
      : await waitUntilReady(operation, addressIn(context, id), early);
  if (lifecycle !== undefined) progress.isReady = true;
  progress.id = objectIdIn(observed, id);
  const address = addressIn(context, progress.id);
  const drifted = driftedFields(fields, observed, inputs);
  const missing = new Set(deferred.filter((name) => drifted.includes(name)));
  if (missing.size === 0)
    return lifecycle === undefined ? waitUntilReady(operation, address, inputs) : observed;
  const change = { address, prior: { ...early, ...observed }, inputs, whole: newObject(operation, inputs) };
  await sendChanges(operation, change, missing);
  const sent = new Set(Object.keys(inputs).filter(isSet));
  return waitUntilReady(operation, address, inputs, { changed: sent });
}
