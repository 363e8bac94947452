import {
  CloudError,
  FailedError,
  isAmbiguous,
  isConflict,
  isNotFound,
  isStatedFailure,
  isThrottled,
  OperationError,
  PasswordError,
  SignInError,
  StopError,
} from "../../core/error.ts";
import { kindOf, plainId } from "../../core/krn.ts";
import { formatObjects, type GivenRemedy } from "../../core/remedy.ts";
import type { ResourceState } from "../../core/state.ts";
import type { RequestTracker } from "../../definition/api.ts";
import { hasGivenId } from "../../definition/resource.ts";
import type { RelatedObject } from "../../definition/verb.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import { noteAccount, refuseOtherAccount, requireAccount } from "../account.ts";
import { cancel } from "../cancel.ts";
import { type Resolved, resolveId } from "../create/create.ts";
import { dependentsOf } from "../dependents.ts";
import { idsOf } from "../identity.ts";
import { isLeaving, leave } from "../leaving.ts";
import type { Operation } from "../operation.ts";
import { undeletableReason } from "../plan.ts";
import { isRecorded, requireRecorded } from "../recorded.ts";
import { regionFor, regionIfNotDefault } from "../region.ts";
import { importId, remediesFor, remediesForDelete, stepOf } from "../remediation.ts";
import {
  type Address,
  addressKey,
  addressOf,
  isOnlyListed,
  isRecent,
  isUnsettled,
  noteGone,
  noteWrite,
  ownedByAnother,
  readCurrent,
  scopeKey,
  timingOf,
} from "../state/state.ts";
import { blockedMs, isLastPoll, type Poll, waitFor } from "../wait/wait.ts";
import {
  type Answer,
  betterAnswer,
  isFailedDelete,
  isLastingMiss,
  isSentOnce,
  rawStatus,
  readsDecide,
  waitUntilGone,
} from "./proof.ts";

/** Deletes an object and confirms that it is gone. Throws without confirmation; the state then stays unchanged. */
export async function remove(operation: Operation, state: ResourceState): Promise<void> {
  const { resource, session } = operation;
  if (resource.stateOnly) return;
  noteAccount(operation, state);
  const region = regionFor(session, resource, state.values);
  const { id, isUnseen } = await resolveSettled(operation, state, region);
  if (id === undefined) {
    requireAccount(operation, state);
    if (isUnseen)
      operation.warn({ code: "created-unseen", subject: operation.subject, task: state.task ?? "" });
    return;
  }
  const address = addressOf(resource, id, region, state.values);
  const owned = ownedByAnother(operation, address, state);
  const kept = operation.keptOf?.(id);
  if (owned !== undefined || kept !== undefined) {
    const other = kept === "part" ? "kept-part" : "kept-managed";
    const code = owned?.isAdopted ? "kept-adopted" : other;
    operation.warn({ code, subject: operation.subject, id });
    return;
  }
  const reason = undeletableReason(resource);
  if (reason !== undefined) {
    // No request is sent that would prove the account: only an account that this run has seen, or a configured one, counts.
    refuseOtherAccount(operation, state, "the object stays in the state, as its destroy sends no request");
    const { values } = state;
    session.retained.set(id, { scope: scopeKey(resource, address), values });
    operation.warn({ code: "undeletable", subject: operation.subject, id, reason });
    return;
  }
  const left = leave(operation, address, state.values);
  const began = session.ports.clock.monotonic();
  try {
    if (resource.work !== undefined) return await cancel(operation, state, address);
    await requireRecorded(operation, address, state);
    for (let answer = "missing" as Answer; ; ) {
      const latest = await sendDelete(operation, state, address);
      answer = betterAnswer(answer, latest);
      if (!(await isGoneAfter(operation, address, state, answer))) continue;
      const isLost = answer === "lost" && isUnsettled(operation, state, began) && isSentOnce(resource);
      if (isLost || (answer === "missing" && isOnlyListed(resource))) warnOfLate(operation, address, state);
      // A late listing may still show the object. An id that the user or a parent determines may be used for another object.
      if (!hasGivenId(resource))
        for (const each of idsOf(resource, id, state.values)) noteGone(operation, { ...address, id: each });
      for (const parent of resource.parents ?? [])
        session.childDeletedAt.set(plainId(String(state.values[parent])), session.ports.clock.monotonic());
      return;
    }
  } finally {
    left();
  }
}

/** Warns that the API did not find an object that only listings show: a late listing may still show it. */
function warnOfLate(operation: Operation, { id, region }: Address, { values }: ResourceState): void {
  const { resource, session, subject } = operation;
  const importedAs = importId(resource, id, values, regionIfNotDefault(session, region));
  const { name } = resource;
  const late = {
    code: "import-if-listed",
    resource: name,
    importId: importedAs,
    isRecreated: false,
  } as const;
  operation.warn({ code: "not-found", subject, id, remedies: [late] });
}

/** Pause in ms between two attempts to find the object of a new task. */
const taskPauseMs = 10_000;

/**
 * Returns the id of the object to delete, as `resolveId` does. Searches again until `settle_seconds` after the create: before
 * that, neither a task without an id nor a listing proves that there is no object.
 */
async function resolveSettled(operation: Operation, state: ResourceState, region: string): Promise<Resolved> {
  for (;;) {
    const began = operation.session.ports.clock.monotonic();
    const resolved = await resolveId(operation, state, region);
    if (resolved.id !== undefined || state.task === undefined || !isUnsettled(operation, state, began))
      return resolved;
    operation.report(`its task ${state.task} shows no ID yet`);
    await operation.session.ports.clock.sleep(taskPauseMs, operation.signal);
  }
}

/** Returns true once the object is proven gone, false if its delete has to be sent again. */
async function isGoneAfter(
  operation: Operation,
  address: Address,
  state: ResourceState,
  answer: Answer,
): Promise<boolean> {
  const { acceptedDeletes } = operation.session;
  const key = addressKey(operation.resource, address);
  if (answer === "accepted") acceptedDeletes.add(key);
  try {
    const isGone = await waitUntilGone(operation, address, state, answer);
    // A 2xx proves the account of the credentials, also for another entry of the object in the state. The API returns a 404
    // for an object of another account too.
    if (isGone && !acceptedDeletes.has(key)) requireAccount(operation, state);
    return isGone;
  } catch (error) {
    if (error instanceof OperationError) throw error;
    if (error instanceof FailedError)
      throw operation.failed(
        "the API accepted the delete, but the delete failed",
        { is: "still exists" },
        remediesFor(error),
        undefined,
        error,
      );
    const step =
      answer === "accepted"
        ? "the API accepted the delete, but still shows the object"
        : "the API reported that the object does not exist, but still shows it";
    throw operation.failed(step, { is: "may exist" }, remediesFor(error), undefined, error);
  }
}

/** A delete in progress, with the outcome of its attempts. */
interface Removal {
  readonly operation: Operation;
  readonly address: Address;
  readonly state: ResourceState;
  /** Monotonic time in ms until which a listing may show content that is already deleted. */
  readonly contentUntil: number;
  /** True once a one-time password was requested. */
  guarded: boolean;
  /** True if the last request has a one-time password. */
  hasPassword?: boolean;
  /** Errors of guarded attempts with an ambiguous response. */
  readonly unanswered: CloudError[];
  /** Error of the last attempt: a conflict, or an ambiguous response. */
  obstacle?: CloudError | undefined;
  /** Monotonic time in ms of the first 404 response to a delete. */
  notFoundSince?: number | undefined;
  /** Monotonic times in ms: of the last read of the objects that use this one, and of the first read with the same ones. */
  blocked?: { readonly readAt: number; readonly since: number };
  /** Consecutive 2xx responses whose body stated a failure. */
  statedFailures: number;
  /** True once a delete had an ambiguous response and may have been executed. */
  isUnclear?: true;
  /** Routes of the requests with an ambiguous response. */
  readonly unclearRoutes: Set<string>;
  /** True if a route returned a 404 and never an ambiguous response: no request to it can have deleted the object. */
  isRefused?: true;
  /** True once a read after an ambiguous response did not find the object, or the delete found nothing to remove. */
  isMissing?: true;
  /** Objects that use this one. */
  users?: readonly RelatedObject[] | undefined;
}

/** Error that ends the attempts; undefined if the delete was accepted. */
type Refused = CloudError | undefined;

/**
 * Sends the delete until the API accepts it: retries while the object is in use, and reads the object after an
 * ambiguous response. Returns "lost" or "missing" if the object was not found.
 */
async function sendDelete(operation: Operation, state: ResourceState, address: Address): Promise<Answer> {
  const removal: Removal = {
    operation,
    address,
    state,
    contentUntil: contentUntil(operation, address),
    guarded: false,
    statedFailures: 0,
    unanswered: [],
    unclearRoutes: new Set(),
  };
  try {
    const verbs = boundVerbs(removal);
    const refused = await waitFor(operation, `${operation.resource.name} accepted`, () =>
      attempt(removal, verbs),
    );
    const isExecuted =
      refused === undefined || (isAmbiguous(refused) && (await pollBeingDeleted(removal, refused)));
    const missing = removal.isUnclear === true ? "lost" : "missing";
    if (isExecuted) return removal.isMissing === true ? missing : "accepted";
    if (isNotFound(refused) && operation.resource.notReadable === undefined) return missing;
    throw refused;
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const isHidden = isNotFound(error) && operation.resource.notReadable !== undefined;
    if (isHidden && isProof(address)) {
      requireAccount(operation, state);
      return "accepted";
    }
    throw isHidden ? unknownIdError(removal, error) : deleteFailure(removal, error);
  }
}

/** Verbs of one delete, bound to its arguments. */
interface BoundVerbs {
  /** Sends the requests of a delete. Returns true if the API executed one that may change something. */
  delete(): Promise<boolean>;
  users(): Promise<readonly RelatedObject[] | undefined>;
}

function boundVerbs(removal: Removal): BoundVerbs {
  const { operation, address, state } = removal;
  const { verbs } = operation.resource;
  const tracker: RequestTracker = { sent: false };
  const call = {
    ...address,
    api: operation.api(address.region, tracker),
    prior: verbInputs(state.values),
    ...timingOf(operation, address.id),
    isRecent: () => isRecent(operation, address.id, operation.session.ports.clock.monotonic()),
    async otp() {
      removal.guarded = true;
      const object = `${operation.subject} (${address.id})`;
      const password = await operation.session.oneTimePasswords.next(object, operation.signal);
      removal.hasPassword = password !== undefined;
      return password;
    },
  };
  return {
    async delete() {
      tracker.sent = false;
      if (typeof verbs.delete === "function") await verbs.delete(call as never);
      return tracker.sent;
    },
    users: () => dependentsOf(operation, verbs.dependents?.(call as never), removal.users),
  };
}

/** Time in ms during which content in a listing does not end a delete. */
const contentMs = 30_000;

/** Returns the monotonic time in ms from which content in a listing ends a delete: later if this process deleted content. */
function contentUntil({ session }: Operation, { id }: Address): number {
  const { ports, settings, childDeletedAt } = session;
  const deletedAt = childDeletedAt.get(plainId(id)) ?? Number.NEGATIVE_INFINITY;
  return Math.max(ports.clock.monotonic() + contentMs, deletedAt + settings.settleSeconds * 1000);
}

/** Maximum number of one-time passwords used for requests with ambiguous responses. */
const guardedTries = 3;

/** Sends the delete once. */
async function attempt(removal: Removal, verbs: BoundVerbs): Promise<Poll<Refused>> {
  const { operation, address, unanswered } = removal;
  try {
    // A delete that finds nothing to remove sends no request, so no response proves the account.
    if (!(await verbs.delete())) removal.isMissing = true;
    return { done: undefined };
  } catch (error) {
    // A request cancelled at the deadline proves nothing: the last obstacle remains.
    if (error instanceof StopError) throw error;
    if (error instanceof PasswordError && unanswered.length > 0) return { done: unanswered.at(-1) };
    // Another attempt would use another password: the user decides.
    if (removal.guarded && isConflict(error)) return { done: error };
    // A 429 uses up the password too.
    const isUnclear = isAmbiguous(error) || (removal.guarded && isThrottled(error));
    // After a failure that the API states, a retry would use another password and fail again.
    if (removal.guarded && isUnclear && (unanswered.push(error) === guardedTries || isStatedFailure(error)))
      return { done: error };
    removal.obstacle = isConflict(error) || isUnclear ? error : undefined;
    if (isConflict(error)) {
      return (await isBlocked(removal, verbs))
        ? { done: error }
        : { still: inUse(error.said, removal.users) };
    }
    // The listing that shows content may be older than the delete of that content.
    if (error instanceof FailedError && removal.contentUntil > operation.session.ports.clock.monotonic())
      return { still: error.message };
    if (isNotFound(error)) {
      // An unclear response to another request of the delete, such as a detach, does not explain the 404.
      if (!removal.unclearRoutes.has(error.route)) removal.isRefused = true;
      removal.notFoundSince ??= operation.session.ports.clock.monotonic();
      const { state, notFoundSince } = removal;
      const mayRemain = removal.isRefused === true || removal.isUnclear === true;
      return isLastingMiss(operation, state, notFoundSince, mayRemain)
        ? { done: error }
        : { still: error.said };
    }
    if (!isUnclear) throw error;
    // A request that the API did not execute, or states as failed, does not explain a later 404.
    const isStated: boolean = isStatedFailure(error);
    const isRefused: boolean = isThrottled(error);
    if (!isRefused) removal.isUnclear = true;
    if (error instanceof CloudError && !isStated && !isRefused) removal.unclearRoutes.add(error.route);
    removal.statedFailures = isStated ? removal.statedFailures + 1 : 0;
    if (removal.statedFailures === maxStatedFailures) return { done: error as CloudError };
    return (await isBeingDeleted(removal)) ? { done: undefined } : { still: error.said };
  } finally {
    noteWrite(operation, address);
  }
}

const idsIn = (objects: readonly RelatedObject[] = []): string => objects.map(({ id }) => id).join();

/** Interval in ms between two reads of the objects that use this one. */
const usersMs = 30_000;

const inUse = (said: string, users: readonly RelatedObject[] | undefined): string =>
  users === undefined ? said : `in use by ${formatObjects(users)}`;

/**
 * Reads the objects that use this one at the first conflict, every `usersMs` and at the last poll. Returns true if the
 * conflict cannot clear: the same objects have used this one for `blockedMs`, and this run deletes none of them. Returns
 * false if the user set a timeout.
 */
async function isBlocked(removal: Removal, verbs: BoundVerbs): Promise<boolean> {
  const { operation, blocked } = removal;
  const { session } = operation;
  const now = session.ports.clock.monotonic();
  if (blocked === undefined || now - blocked.readAt >= usersMs || isLastPoll(operation)) {
    const users = await verbs.users();
    const isSame = blocked !== undefined && idsIn(users) === idsIn(removal.users);
    removal.users = users;
    removal.blocked = { readAt: now, since: isSame ? blocked.since : now };
  }
  const { users } = removal;
  if (users === undefined || operation.hasOwnLimit) return false;
  const isClearing = users.some(({ id }) => isLeaving(session, id));
  return !isClearing && now - (removal.blocked?.since ?? now) >= blockedMs;
}

/** Consecutive 2xx responses with a stated failure that end a delete. */
const maxStatedFailures = 3;

/** Returns the error for an object that no route reads and whose id the delete route does not find. */
function unknownIdError({ operation, address, state }: Removal, error: unknown): OperationError {
  const { name: kind } = operation.resource;
  const { name } = state.values;
  const object = { kind, id: address.id, ...(typeof name === "string" && { name }) };
  return operation.failed(
    `the API does not find ${address.id}, which may not be an ID of the object`,
    { is: "unknown" },
    [{ code: "remove-from-state", resource: operation.resource.name, object }],
    undefined,
    error,
  );
}

/** Returns the failed step of a delete, by its cause. */
function stepOfDelete({ guarded }: Removal, cause: unknown): string {
  // A 401 does not show whether the one-time password or the API key was rejected.
  if (guarded && cause instanceof CloudError && cause.failure === "auth" && !(cause instanceof SignInError))
    return "the API rejected the request";
  if (isConflict(cause)) return "the object is in use, or another operation on it is running";
  if (cause instanceof PasswordError) return "no one-time password is available";
  return cause instanceof FailedError ? "the object could not be deleted" : stepOf(cause);
}

/** Returns the error for an object that could not be deleted. The last obstacle explains an error at the deadline. */
function deleteFailure(removal: Removal, error: unknown): OperationError {
  const { operation, guarded, obstacle, users } = removal;
  const next = (cause: unknown) =>
    guarded ? guardedRemedies(removal, cause) : remediesForDelete(operation.resource, cause);
  const still = { is: "still exists" } as const;
  if (isConflict(error) && !guarded)
    return operation.failed(stepOfDelete(removal, error), still, clearing(users), undefined, error);
  if (obstacle === undefined || !(error instanceof StopError))
    return operation.failed(stepOfDelete(removal, error), still, next(error), undefined, error);
  const step = `${stepOfDelete(removal, obstacle)}: ${error.message}`;
  const cleared = isConflict(obstacle) ? clearing(users) : next(obstacle);
  return operation.failed(step, still, cleared, undefined, obstacle);
}

/** Returns true if a read shows that a delete with an ambiguous response was executed. */
async function isBeingDeleted(removal: Removal): Promise<boolean> {
  const { operation, address, state } = removal;
  const { resource, session } = operation;
  const seen = await readCurrent(operation, address, session.listings.mark(), state.values);
  // Otherwise the delete is sent again until a response is clear.
  if (seen === undefined && readsDecide(operation, state, removal.guarded)) {
    removal.isMissing = true;
    return true;
  }
  if (seen === undefined) return false;
  if (!isRecorded(resource, seen, state.values))
    throw operation.failed(
      "the API gave no clear response, and the object with this name may be another one now",
      { is: "unknown" },
      ["run-again"],
      undefined,
      removal.obstacle,
    );
  return /delet/i.test(rawStatus(resource, seen)) && !isFailedDelete(resource, seen);
}

/** Polls `isBeingDeleted` for `settleSeconds` after a delete that is not sent again: its effect may become visible late. */
function pollBeingDeleted(removal: Removal, refused: CloudError): Promise<boolean> {
  if (isStatedFailure(refused)) return isBeingDeleted(removal);
  const { operation } = removal;
  const { ports, settings } = operation.session;
  const until = ports.clock.monotonic() + settings.settleSeconds * 1000;
  return waitFor(operation, `${operation.resource.name} settled`, async (): Promise<Poll<boolean>> => {
    const began = ports.clock.monotonic();
    if (await isBeingDeleted(removal)) return { done: true };
    return began >= until ? { done: false } : { still: "no clear response; waiting for the delete" };
  });
}

/** Returns the remedies for a conflict; `users` are the objects that use this one. */
const clearing = (users: readonly RelatedObject[] | undefined): readonly GivenRemedy[] =>
  users === undefined ? ["resolve-conflict", "run-again"] : [{ code: "remove-dependents", objects: users }];

/**
 * Returns the remedies after a delete with a one-time password. The API does not distinguish a rejected password from other
 * rejections.
 */
function guardedRemedies(removal: Removal, error: unknown): readonly GivenRemedy[] {
  const renewed = { code: "new-password", isSpent: isPasswordSpent(removal, error) } as const;
  if (error instanceof PasswordError) return [renewed];
  if (isConflict(error)) return [...(error.remedies ?? ["resolve-conflict"]), renewed];
  const isRejected =
    error instanceof CloudError && (error.failure === "auth" || error.failure === "rejected");
  if (isRejected) return ["correct-request", renewed];
  const again: readonly GivenRemedy[] = ["run-again", "run-again-later"];
  return [...remediesFor(error).filter((remedy) => !again.includes(remedy)), renewed];
}

/** Returns true if a request with a one-time password has reached the API: each password is accepted once. */
const isPasswordSpent = ({ hasPassword = false, unanswered }: Removal, error: unknown): boolean =>
  hasPassword &&
  (unanswered.length > 0 ||
    (error instanceof CloudError && !(error instanceof SignInError) && error.failure !== "unsent"));

/**
 * Returns true if a 404 for this id proves the object gone. For an object that cannot be read, the route may not support an
 * id that is not a KRN (docs/contract.md#17.7).
 */
const isProof = ({ id }: Address): boolean => kindOf(id) !== undefined;
