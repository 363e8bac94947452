import {
  CloudError,
  FailedError,
  InputError,
  isNotFound,
  OperationError,
  StopError,
  UndecidedError,
} from "../core/error.ts";
import type { GivenRemedy } from "../core/remedy.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { assignment } from "../core/wording.ts";
import type { RequestTracker } from "../definition/api.ts";
import type { Resource } from "../definition/resource.ts";
import { requireAccount } from "./account.ts";
import { type Change, type ChangeProgress, isOnce, sendAgain, sendChanges } from "./change.ts";
import { resolveId } from "./create/create.ts";
import { identityOf } from "./identity.ts";
import { leave } from "./leaving.ts";
import type { Operation } from "./operation.ts";
import { changedBy, type FieldChange, selected } from "./plan.ts";
import { readUnlessGone } from "./read.ts";
import { isRecorded, requireRecorded, withRecordedIdentity } from "./recorded.ts";
import { regionFor } from "./region.ts";
import { remediesFor, stepOf } from "./remediation.ts";
import {
  type Address,
  addressAfterUpdate,
  addressOf,
  asPlanned,
  changeTime,
  conformToPlan,
  followsProvider,
  isUnsettled,
  mergeState,
  readCurrent,
  stateWhenInvisible,
  statusOf,
  unconfirmedChange,
  withComputed,
  withKeptTags,
  withPriorComputed,
  withRecordedIds,
} from "./state/state.ts";
import { waitUntilReady } from "./wait/wait.ts";
import { wholeObject } from "./whole-object.ts";

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
  const address = addressOf(resource, id, region, prior.values);
  const moved = addressAfterUpdate(resource, address, inputs);
  const changed = new Set(changes.filter(({ recordOnly }) => !recordOnly).map(({ path }) => String(path[0])));
  const sent: ChangeProgress["sent"] = new Map();
  const whole = wholeObject(operation, {
    ...{ prior: prior.values, inputs, unread: prior.unread, writtenAt: prior.writtenAt },
    planned: new Set(changes.map(({ path }) => String(path[0]))),
  });
  const change: Change = { address, prior: prior.values, inputs, whole };
  const tracker: RequestTracker = { sent: false };
  const progress: ChangeProgress = { sent, identity: {}, tracker };
  // Requests that must not be sent twice have separate trackers.
  const trackers = new Set([tracker]);
  const isRenamed = moved.id !== address.id || changed.has("name");
  const left = isRenamed ? leave(operation, address, prior.values, moved.id) : undefined;
  const watched: Operation = {
    ...operation,
    api: (region, own = tracker) => {
      trackers.add(own);
      return operation.api(region, own);
    },
  };
  /** Returns the time of the last write of the whole object, which may have been executed in spite of an error. */
  const writeTime = () => (whole.isUsed() && tracker.sent ? session.serverClock.time() : prior.writtenAt);
  const warnOfKept = () => {
    const fields = whole.kept();
    if (fields.length > 0) operation.warn({ code: "outside-kept", subject: operation.subject, id, fields });
  };
  const unanswered = () => [...sent.values()].find((error) => error !== undefined);
  try {
    Object.assign(progress.identity, await identityOf(operation, address, prior.values));
    const isRead = changed.size === 0 || (await requireRecorded(operation, address, prior));
    if (changed.size > 0) await sendChanges(watched, change, changed, progress);
    // Without a request no value changes, so the wait for the values is as short as after a create.
    const awaited = changed.size > 0 ? changed : undefined;
    const acted = () => [...trackers].some(({ acted }) => acted);
    const resend = (names: ReadonlySet<string>) =>
      acted() ? Promise.resolve() : sendAgain(watched, { ...change, address: moved }, names, progress);
    const isGone = changed.size === 0 && (await isKeptWhenGone(operation, prior, address));
    const seen = isGone
      ? { ...prior.values, ...inputs }
      : await waitUntilReady(operation, moved, inputs, {
          changed: awaited,
          expected: whole.expected,
          before: prior.values,
          identity: progress.identity,
          resend,
          unanswered: acted() ? unanswered() : undefined,
        });
    const recorded = new Set(changes.map(({ path }) => path.join(".")));
    // The planned computed values are those of the state; for groups that an import could not read, those of candidates.
    const planned = { ...prior.values, ...selected(resource.fields, prior, inputs) };
    // The values that an unfinished create left are not those of a plan.
    const isResumed = changes.length === 0 && statusOf(resource, prior.values).at !== "ready";
    // A change that was made outside stays out of the state: engines reject other values than the planned ones.
    const tags: Values = followsProvider(resource) ? { tagsAll: inputs.tagsAll ?? null } : {};
    const result = isResumed
      ? withRecordedIds(seen, prior.values)
      : { ...asPlanned(resource.fields, seen, inputs), ...tags };
    const shown = conformToPlan(
      resource.fields,
      { ...result, region },
      withComputed(resource.fields, inputs, planned),
    );
    const known = new Set([...changed, ...changedBy(resource.fields, changes)]);
    const values = isResumed ? shown : withPriorComputed(resource.fields, shown, planned, inputs, known);
    const state: ResourceState = {
      id: moved.id,
      task: undefined,
      values: isRead ? values : withRecordedIdentity(resource, values, prior.values, changed),
      unread: prior.unread.filter((path) => !recorded.has(path)),
      // Listings may show a renamed object as late as a new one.
      createdAt: moved.id === address.id ? changeTime(operation, id, prior) : session.serverClock.time(),
      writtenAt: writeTime(),
      account: prior.account,
    };
    warnOfKept();
    if (isGone && state.values.keepWhenGone !== true) throw noLongerKept(operation, prior, state);
    return state;
  } catch (error) {
    if (error instanceof OperationError) throw error;
    if (tracker.sent) warnOfKept();
    const done: Values = Object.fromEntries([...sent.keys()].map((name) => [name, inputs[name] ?? null]));
    const values = { ...prior.values, ...progress.identity, ...done };
    const createdAt = changeTime(operation, id, prior);
    const unconfirmed = unconfirmedChange(operation, id, prior.unconfirmed);
    const attempted = {
      ...prior,
      id,
      task: undefined,
      values,
      createdAt,
      writtenAt: writeTime(),
      unconfirmed,
    };
    // A rejected request that must not be sent twice changed nothing: its value is not awaited any more.
    const unsent = [...changed].filter((name) => isOnce(resource.fields[name]) && !sent.has(name));
    const priorValues: Values = Object.fromEntries(unsent.map((name) => [name, prior.values[name] ?? null]));
    const state = await stateAfterFailure(
      operation,
      attempted,
      { ...progress.identity, ...inputs, ...priorValues },
      address,
      tracker.sent ? moved : address,
    );
    const isUnanswered = error instanceof FailedError && error.mayRecover && unanswered() !== undefined;
    const next: readonly GivenRemedy[] = isUnanswered ? ["run-again"] : remediesAfter(resource, error);
    const isRefused = error instanceof CloudError || error instanceof InputError;
    if (isRefused && !isLost(resource, error) && !tracker.sent && sent.size === 0)
      throw operation.failed(stepOf(error), { is: "nothing changed" }, next, state, error);
    const existence = isLost(resource, error) ? "unknown" : "half changed";
    throw operation.failed("the API did not confirm the change", { is: existence }, next, state, error);
  } finally {
    left?.();
  }
}

/** Returns true if `keep_when_gone` keeps an object in the state that is proven gone. */
async function isKeptWhenGone(
  operation: Operation,
  prior: ResourceState,
  address: Address,
): Promise<boolean> {
  if (prior.values.keepWhenGone !== true) return false;
  const began = operation.session.ports.clock.monotonic();
  const isNew = () => isUnsettled(operation, prior, began);
  return (await readUnlessGone(operation, address, prior, isNew)).seen === undefined && !isNew();
}

/** Returns the error after a change that unset `keep_when_gone` of a gone object. A refresh then removes the object. */
function noLongerKept(operation: Operation, prior: ResourceState, state: ResourceState): OperationError {
  requireAccount(operation, prior);
  return operation.failed(
    `it stayed in the state only because of ${assignment("keepWhenGone", true)}`,
    { is: "gone" },
    ["refresh", "run-again"],
    state,
  );
}

/** Returns true for a 404 of an object that no route reads: no read can verify that it is gone. */
const isLost = ({ notReadable }: Resource, error: unknown): boolean =>
  notReadable !== undefined && isNotFound(error);

function remediesAfter(resource: Resource, error: unknown): readonly GivenRemedy[] {
  if (error instanceof FailedError) return error.remedies ?? ["check-object", "replace"];
  if (isLost(resource, error)) return ["check-object", "replace"];
  const refused =
    resource.notReadable !== undefined && error instanceof StopError && error.why === "deadline";
  // The API may reject a change because the object already has the requested value, which no read shows
  // (docs/contract.md#17.7).
  return refused ? [...remediesFor(error), "restore-value"] : remediesFor(error);
}

/**
 * Returns the state after a failed change, part of which may have been applied: the values that the API shows, or
 * `prior` if the object cannot be read.
 */
async function stateAfterFailure(
  operation: Operation,
  prior: ResourceState,
  wanted: Values,
  address: Address,
  moved: Address,
): Promise<ResourceState> {
  const { session, resource } = operation;
  try {
    const read = (place: Address) => readCurrent(operation, place, session.listings.mark(), wanted);
    const renamed = moved.id === address.id ? undefined : await read(moved);
    const isRenamed = renamed !== undefined && isRecorded(resource, renamed, prior.values);
    const original = isRenamed ? undefined : await read(address);
    const seen = original ?? renamed;
    if (seen !== undefined) {
      const values = mergeState(resource.fields, { ...seen, region: address.region }, prior.values);
      return { ...prior, id: original === undefined ? moved.id : address.id, values };
    }
    return stateWhenInvisible(resource, prior) ?? prior;
  } catch (error) {
    const isKnown = [CloudError, StopError, UndecidedError].some((kind) => error instanceof kind);
    if (!isKnown) throw error;
    session.log("debug", "not readable after a failed change", { why: (error as Error).message });
    return prior;
  }
}
