import {
  CloudError,
  FailedError,
  InputError,
  isNotFound,
  OperationError,
  StopError,
  textOf,
  UndecidedError,
} from "../core/error.ts";
import type { GivenRemedy } from "../core/remedy.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { assignment, wording } from "../core/wording.ts";
import type { RequestTracker } from "../definition/api.ts";
import type { Resource } from "../definition/resource.ts";
import { refuseOtherAccount, requireAccount } from "./account.ts";
import { type Change, type ChangeProgress, isOnce, sendAgain, sendChanges } from "./change.ts";
import { resolveId } from "./create/task.ts";
import { changeTime, isYoung, unconfirmedChange } from "./existence/age.ts";
import { readCurrent } from "./existence/current.ts";
import { readUnlessGone } from "./existence/missing.ts";
import { stateWhenInvisible, visibilityOf } from "./existence/visibility.ts";
import { identityOf } from "./identity.ts";
import { leave } from "./leaving.ts";
import type { Operation } from "./operation.ts";
import { changedBy, type FieldChange, selected } from "./plan.ts";
import { isRecorded, requireRecorded, withRecordedIdentity } from "./recorded.ts";
import { regionFor } from "./region.ts";
import { remediesFor, stepOf } from "./remediation.ts";
import { type Address, addressAfterUpdate, addressOf } from "./state/address.ts";
import { followsProvider, withKeptTags } from "./state/default-tags.ts";
import { withRecordedIds } from "./state/mask.ts";
import { asPlanned, conformToPlan, mergeState, withComputed, withPriorComputed } from "./state/merge.ts";
import { statusOf } from "./state/status.ts";
import { waitUntilReady } from "./wait/wait.ts";
import { wholeObject } from "./whole-object.ts";

/** An update in progress. */
interface Update {
  readonly operation: Operation;
  readonly prior: ResourceState;
  readonly changes: readonly FieldChange[];
  /** Names of the fields to send. */
  readonly changed: ReadonlySet<string>;
  readonly id: string;
  readonly change: Change;
  /** Address after the change. */
  readonly moved: Address;
  readonly progress: ChangeProgress;
  /** Records of all requests: those that must not be sent twice have separate ones. */
  readonly trackers: ReadonlySet<RequestTracker>;
}

/**
 * Sends the changes and waits until the API shows them. Without changes it only waits, which resumes an object that an
 * earlier run left in a partial state. Throws `OperationError` with the state after the failure.
 */
export async function update(
  operation: Operation,
  prior: ResourceState,
  written: Values,
  changes: readonly FieldChange[],
): Promise<ResourceState> {
  const { resource, session } = operation;
  const inputs = withKeptTags(resource, written, prior.values, session.settings);
  const region = regionFor(session, resource, prior.values);
  const { id } = await resolveId(operation, prior, region);
  if (id === undefined)
    throw operation.failed("the ID of the object is not known", { is: "may exist" }, [
      "refresh",
      "run-again",
    ]);
  const running = startUpdate(operation, prior, { id, region, inputs, changes });
  const { change, moved, changed } = running;
  const isRenamed = moved.id !== id || changed.has("name");
  const left = isRenamed ? leave(operation, change.address, prior.values, moved.id) : undefined;
  try {
    return await apply(running);
  } catch (error) {
    throw error instanceof OperationError ? error : await updateFailure(running, error);
  } finally {
    left?.();
  }
}

/** Returns an update that has sent nothing yet. */
function startUpdate(
  operation: Operation,
  prior: ResourceState,
  {
    id,
    region,
    inputs,
    changes,
  }: {
    readonly id: string;
    readonly region: string;
    readonly inputs: Values;
    readonly changes: readonly FieldChange[];
  },
): Update {
  const { resource } = operation;
  const address = addressOf(resource, id, region, prior.values);
  const whole = wholeObject(operation, {
    ...{ prior: prior.values, inputs, unread: prior.unread, writtenAt: prior.writtenAt },
    planned: new Set(changes.map(({ path }) => String(path[0]))),
  });
  const tracker: RequestTracker = { sent: false };
  const trackers = new Set([tracker]);
  return {
    operation: {
      ...operation,
      api: (region, other = tracker) => {
        trackers.add(other);
        return operation.api(region, other);
      },
    },
    ...{ prior, changes, id, trackers },
    changed: new Set(changes.filter(({ recordOnly }) => !recordOnly).map(({ path }) => String(path[0]))),
    change: { address, prior: prior.values, inputs, whole },
    moved: addressAfterUpdate(resource, address, inputs),
    progress: { sent: new Map(), identity: {}, tracker },
  };
}

/** Sends the changes, waits until reads show them, and returns the state. */
async function apply(update: Update): Promise<ResourceState> {
  const { operation, prior, changed, change, progress } = update;
  const { resource } = operation;
  const { address, inputs } = change;
  Object.assign(progress.identity, await identityOf(operation, address, prior.values));
  const isRead = changed.size === 0 || (await requireRecorded(operation, address, prior));
  if (changed.size > 0) await sendChanges(operation, change, changed, progress);
  const isGone = changed.size === 0 && (await isKeptWhenGone(operation, prior, address));
  const observed = isGone ? { ...prior.values, ...inputs } : await untilShown(update);
  const values = valuesAfter(update, observed);
  const state: ResourceState = {
    id: update.moved.id,
    task: undefined,
    values: isRead ? values : withRecordedIdentity(resource, values, prior.values, changed),
    unread: unreadAfter(update),
    createdAt: createdAtAfter(update),
    writtenAt: writtenAtAfter(update),
    account: prior.account,
  };
  warnOfKept(update);
  if (isGone && state.values.keepWhenGone !== true) throw noLongerKept(operation, prior, state);
  return state;
}

/** Waits until the object shows the changes. A field whose change no read shows is sent again, unless a request was executed. */
function untilShown({
  operation,
  prior,
  changed,
  change,
  moved,
  progress,
  trackers,
}: Update): Promise<Values> {
  const isActed = () => [...trackers].some(({ acted }) => acted);
  return waitUntilReady(operation, moved, change.inputs, {
    // Without a request no value changes, so the wait for the values is as short as after a create.
    changed: changed.size > 0 ? changed : undefined,
    expected: change.whole.expected,
    before: prior.values,
    identity: progress.identity,
    resend: async (names) => {
      if (!isActed()) await sendAgain(operation, { ...change, address: moved }, names, progress);
    },
    unanswered: isActed() ? unansweredOf(progress) : undefined,
  });
}

/** Returns the error of a change that must not be sent twice and had no clear response; undefined if there is none. */
const unansweredOf = ({ sent }: ChangeProgress): CloudError | undefined =>
  [...sent.values()].find((error) => error !== undefined);

/** Returns the values for the state, in the form that the plan promised. */
function valuesAfter(
  { operation: { resource }, prior, changes, changed, change }: Update,
  observed: Values,
): Values {
  const { fields } = resource;
  const { address, inputs } = change;
  const { region } = address;
  // The planned computed values are those of the state; for groups that an import could not read, those of candidates.
  const planned = { ...prior.values, ...selected(fields, prior, inputs) };
  const computed = withComputed(fields, inputs, planned);
  // The values that an unfinished create left are not those of a plan.
  if (changes.length === 0 && statusOf(resource, prior.values).at !== "ready")
    return conformToPlan(fields, { ...withRecordedIds(observed, prior.values), region }, computed);
  // A change that was made outside stays out of the state: engines reject other values than the planned ones.
  const tags: Values = followsProvider(resource) ? { tagsAll: inputs.tagsAll ?? null } : {};
  const result = { ...asPlanned(fields, observed, inputs), ...tags, region };
  return withPriorComputed(fields, conformToPlan(fields, result, computed), {
    prior: planned,
    inputs,
    changed: new Set([...changed, ...changedBy(fields, changes)]),
  });
}

/** Returns the fields that stay unknown since an import: those that the update did not record. */
function unreadAfter({ prior, changes }: Update): readonly string[] {
  const paths = new Set(changes.map(({ path }) => path.join(".")));
  return prior.unread.filter((path) => !paths.has(path));
}

/** Returns the time of the create to record. Listings may show a renamed object as late as a new one. */
const createdAtAfter = ({ operation, prior, id, moved }: Update): number | undefined =>
  moved.id === id ? changeTime(operation, id, prior) : operation.session.serverClock.time();

/** Returns the time of the last write of the whole object, which may have been executed in spite of an error. */
const writtenAtAfter = ({ operation, prior, change, progress }: Update): number | undefined =>
  change.whole.isUsed() && progress.tracker.sent ? operation.session.serverClock.time() : prior.writtenAt;

function warnOfKept({ operation, id, change }: Update): void {
  const fields = change.whole.kept();
  if (fields.length > 0) operation.warn({ code: "outside-kept", subject: operation.subject, id, fields });
}

/** Returns the error of an update that did not finish, with the state that a read shows. */
async function updateFailure(update: Update, error: unknown): Promise<OperationError> {
  const { operation, progress } = update;
  const { resource } = operation;
  const { sent, tracker } = progress;
  if (tracker.sent) warnOfKept(update);
  const state = await stateAfterFailure(update);
  const isUnanswered =
    error instanceof FailedError && error.mayRecover && unansweredOf(progress) !== undefined;
  const remedies: readonly GivenRemedy[] = isUnanswered ? ["run-again"] : remediesAfter(resource, error);
  const isRefused = error instanceof CloudError || error instanceof InputError;
  if (isNotFound(error) && !tracker.sent && sent.size === 0) refuseOtherAccount(operation, update.prior);
  if (isRefused && !isLost(resource, error) && !tracker.sent && sent.size === 0)
    return operation.failed(stepOf(error), { is: "nothing changed" }, remedies, { state, cause: error });
  const existence = isLost(resource, error) ? "unknown" : "half changed";
  return operation.failed("the API did not confirm the change", { is: existence }, remedies, {
    state,
    cause: error,
  });
}

/** Returns true if `keep_when_gone` keeps an object in the state that is proven gone. */
async function isKeptWhenGone(
  operation: Operation,
  prior: ResourceState,
  address: Address,
): Promise<boolean> {
  if (prior.values.keepWhenGone !== true) return false;
  const began = operation.session.ports.clock.monotonic();
  const sought = await readUnlessGone(operation, address, prior, () => isYoung(operation, prior, began));
  return sought.is === "gone";
}

/** Returns the error after a change that unset `keep_when_gone` of a gone object. A refresh then removes the object. */
function noLongerKept(operation: Operation, prior: ResourceState, state: ResourceState): OperationError {
  requireAccount(operation, prior);
  return operation.failed(
    wording`it stayed in the state only because of ${assignment("keepWhenGone", true)}`,
    { is: "gone" },
    ["refresh", "run-again"],
    { state },
  );
}

/** Returns true for a 404 of an object that no route reads: no read can verify that it is gone. */
const isLost = (resource: Resource, error: unknown): boolean =>
  !visibilityOf(resource).isReadable && isNotFound(error);

function remediesAfter(resource: Resource, error: unknown): readonly GivenRemedy[] {
  if (error instanceof FailedError) return error.remedies ?? ["check-object", "replace"];
  if (isLost(resource, error)) return ["check-object", "replace"];
  const isRefused =
    !visibilityOf(resource).isReadable && error instanceof StopError && error.why === "deadline";
  // The API may reject a change because the object already has the requested value, which no read shows
  // (docs/contract.md#17.7).
  return isRefused ? [...remediesFor(error), "restore-value"] : remediesFor(error);
}

/**
 * Returns the state after a failed change, part of which may have been applied: the values that the API shows, or
 * those that were sent if the object cannot be read.
 */
async function stateAfterFailure(update: Update): Promise<ResourceState> {
  const { operation, prior, id, changed, change, moved, progress } = update;
  const { session, resource } = operation;
  const { address, inputs } = change;
  const { sent, identity, tracker } = progress;
  const valuesIn = (values: Values, names: Iterable<string>): Values =>
    Object.fromEntries([...names].map((name) => [name, values[name] ?? null]));
  const attempted: ResourceState = {
    ...prior,
    ...{ id, task: undefined },
    values: { ...prior.values, ...identity, ...valuesIn(inputs, sent.keys()) },
    createdAt: changeTime(operation, id, prior),
    writtenAt: writtenAtAfter(update),
    unconfirmed: unconfirmedChange(operation, id, prior.unconfirmed),
  };
  // A rejected request that must not be sent twice changed nothing: its value is not awaited any more.
  const unsent = [...changed].filter((name) => isOnce(resource.fields[name]) && !sent.has(name));
  const wanted = { ...identity, ...inputs, ...valuesIn(prior.values, unsent) };
  const read = (place: Address) =>
    readCurrent(operation, place, { after: session.listings.mark(), known: wanted });
  try {
    const renamed = tracker.sent && moved.id !== id ? await read(moved) : undefined;
    const isRenamed = renamed !== undefined && isRecorded(resource, renamed, attempted.values);
    const original = isRenamed ? undefined : await read(address);
    const observed = original ?? renamed;
    if (observed === undefined) return stateWhenInvisible(resource, attempted) ?? attempted;
    const values = mergeState(resource.fields, { ...observed, region: address.region }, attempted.values);
    return { ...attempted, id: original === undefined ? moved.id : id, values };
  } catch (error) {
    const isKnown = [CloudError, StopError, UndecidedError].some((kind) => error instanceof kind);
    if (!isKnown) throw error;
    session.log("debug", "not readable after a failed change", { why: textOf(error as Error) });
    return attempted;
  }
}
