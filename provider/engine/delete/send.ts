import {
  type CloudError,
  FailedError,
  isAmbiguous,
  isConflict,
  isNotFound,
  isStatedFailure,
  isThrottled,
  OperationError,
  PasswordError,
  StopError,
} from "../../core/error.ts";
import { kindOf } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Poll } from "../../definition/function.ts";
import { requireAccount } from "../account.ts";
import { dependentsOf } from "../dependents.ts";
import { settleMs } from "../existence/age.ts";
import { noteWrite, readCurrent } from "../existence/current.ts";
import { type Answer, isFailedDelete, isLastingMiss, rawStatus, readsDecide } from "../existence/proof.ts";
import { visibilityOf } from "../existence/visibility.ts";
import { isLeaving } from "../leaving.ts";
import type { Operation } from "../operation.ts";
import { isRecorded } from "../recorded.ts";
import type { Address } from "../state/address.ts";
import { blockedMs } from "../wait/wait.ts";
import { isLastPoll, waitFor } from "../wait/waiter.ts";
import { deleteFailure, inUse, unknownIdError } from "./failure.ts";
import { callOf, type Removal, removalOf } from "./removal.ts";

/**
 * Sends the delete until the API accepts it: retries while the object is in use, and reads the object after an
 * ambiguous response. Returns "lost" or "missing" if the object was not found.
 */
export async function sendDelete(
  operation: Operation,
  state: ResourceState,
  address: Address,
): Promise<Answer> {
  const removal = removalOf(operation, state, address);
  const { isReadable } = visibilityOf(operation.resource);
  try {
    const refused = await waitFor(operation, `${operation.resource.name} accepted`, () => attempt(removal));
    const isExecuted =
      refused === undefined || (isAmbiguous(refused) && (await pollBeingDeleted(removal, refused)));
    const missing = removal.evidence.isUnclear === true ? "lost" : "missing";
    if (isExecuted) return removal.evidence.isMissing === true ? missing : "accepted";
    if (isNotFound(refused) && isReadable) return missing;
    throw refused;
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const isHidden = isNotFound(error) && !isReadable;
    if (isHidden && isProof(address)) {
      requireAccount(operation, state);
      return "accepted";
    }
    throw isHidden ? unknownIdError(removal, error) : deleteFailure(removal, error);
  }
}

/**
 * Returns true if a 404 for this id proves the object gone. For an object that cannot be read, the route may not support an
 * id that is not a KRN (docs/contract.md#17.7).
 */
const isProof = ({ id }: Address): boolean => kindOf(id) !== undefined;

/** Error that ends the attempts; undefined if the delete was accepted. */
type Refused = CloudError | undefined;

/**
 * Outcome of an attempt that the API did not accept.
 *
 * - `stopped`: a request that was cancelled at the deadline proves nothing.
 * - `final`: another attempt would use another one-time password.
 * - `out-of-passwords`: after attempts without a clear response.
 * - `in-use`: a conflict.
 * - `content`: a listing, which may be older than the delete of that content, shows content.
 * - `not-found`: a 404.
 * - `unclear`: no clear response, or with a one-time password a 429, which uses up the password too.
 * - `rejected`: any other error.
 */
type Outcome =
  | "stopped"
  | "final"
  | "out-of-passwords"
  | "in-use"
  | "content"
  | "not-found"
  | "unclear"
  | "rejected";

/** Maximum number of one-time passwords used for requests with ambiguous responses. */
const passwordLimit = 3;

function outcomeOf({ operation, password, contentUntil }: Removal, error: unknown): Outcome {
  const { isRequested, unanswered } = password;
  if (error instanceof StopError) return "stopped";
  if (error instanceof PasswordError && unanswered.length > 0) return "out-of-passwords";
  if (isConflict(error)) return isRequested ? "final" : "in-use";
  if (isAmbiguous(error) || (isRequested && isThrottled(error))) {
    // After a failure that the API states, a retry would use another password and fail again.
    const isLast = unanswered.length + 1 === passwordLimit || isStatedFailure(error);
    return isRequested && isLast ? "final" : "unclear";
  }
  if (error instanceof FailedError && contentUntil > operation.session.ports.clock.monotonic())
    return "content";
  return isNotFound(error) ? "not-found" : "rejected";
}

/** The step after each outcome: the end of the attempts, or the reason to wait for another one. */
const steps: {
  readonly [O in Outcome]: (
    removal: Removal,
    error: never,
  ) => Poll<Refused> | Promise<Poll<Refused>> | undefined;
} = {
  stopped: () => undefined,
  rejected: () => undefined,
  final: (_, error) => ({ done: error }),
  "out-of-passwords": ({ password }) => ({ done: password.unanswered.at(-1) }),
  "in-use": whileInUse,
  content: (_, error: FailedError) => ({ pending: error.text }),
  "not-found": whileNotFound,
  unclear: whileUnclear,
};

/** Sends the delete once. Throws an error without a step, which the wait judges. */
async function attempt(removal: Removal): Promise<Poll<Refused>> {
  const { operation, address, password, tracker } = removal;
  const { verbs } = operation.resource;
  tracker.sent = false;
  try {
    if (typeof verbs.delete === "function") await verbs.delete(callOf(removal) as never);
    // A delete that finds nothing to remove sends no request, so no response proves the account.
    if (!tracker.sent) removal.evidence.isMissing = true;
    return { done: undefined };
  } catch (error) {
    const outcome = outcomeOf(removal, error);
    if (password.isRequested && (isAmbiguous(error) || isThrottled(error))) password.unanswered.push(error);
    if (!["stopped", "final", "out-of-passwords"].includes(outcome))
      removal.obstacle = outcome === "in-use" || outcome === "unclear" ? (error as CloudError) : undefined;
    const step = await steps[outcome](removal, error as never);
    if (step === undefined) throw error;
    return step;
  } finally {
    noteWrite(operation, address);
  }
}

async function whileInUse(removal: Removal, error: CloudError): Promise<Poll<Refused>> {
  return (await isBlocked(removal)) ? { done: error } : { pending: inUse(removal, error) };
}

function whileNotFound({ operation, state, evidence }: Removal, error: CloudError): Poll<Refused> {
  // An unclear response to another request of the delete, such as a detach, does not explain the 404.
  if (!evidence.unclearRoutes.has(error.route)) evidence.isRefused = true;
  evidence.notFoundSince ??= operation.session.ports.clock.monotonic();
  const mayRemain = evidence.isRefused === true || evidence.isUnclear === true;
  return isLastingMiss(operation, state, evidence.notFoundSince, mayRemain)
    ? { done: error }
    : { pending: error.reason };
}

/** Consecutive 2xx responses with a stated failure that end a delete. */
const maxStatedFailures = 3;

async function whileUnclear(removal: Removal, error: CloudError): Promise<Poll<Refused>> {
  const { evidence } = removal;
  // A request that the API did not execute, or states as failed, does not explain a later 404.
  const isStated: boolean = isStatedFailure(error);
  const isRefused: boolean = isThrottled(error);
  if (!isRefused) evidence.isUnclear = true;
  if (!isStated && !isRefused) evidence.unclearRoutes.add(error.route);
  evidence.statedFailures = isStated ? evidence.statedFailures + 1 : 0;
  if (evidence.statedFailures === maxStatedFailures) return { done: error };
  return (await isBeingDeleted(removal)) ? { done: undefined } : { pending: error.reason };
}

/** Interval in ms between two reads of the objects that use this one. */
const usersMs = 30_000;

/**
 * Reads the objects that use this one at the first conflict, every `usersMs` and at the last poll. Returns true if the
 * conflict cannot clear: the same objects have used this one for `blockedMs`, and this run deletes none of them. Returns
 * false if the user set a timeout.
 */
async function isBlocked(removal: Removal): Promise<boolean> {
  const { operation } = removal;
  const now = operation.session.ports.clock.monotonic();
  const { use: before } = removal;
  const isDue = before === undefined || now - before.readAt >= usersMs || isLastPoll(operation);
  const use = isDue ? await readUse(removal, now) : before;
  removal.use = use;
  if (use.objects === undefined || operation.hasOwnLimit) return false;
  const isClearing = use.objects.some(({ id }) => isLeaving(operation.session, id));
  return !isClearing && now - use.since >= blockedMs;
}

async function readUse(removal: Removal, now: number): Promise<NonNullable<Removal["use"]>> {
  const { operation, use } = removal;
  const blocking = operation.resource.verbs.dependents?.(callOf(removal) as never);
  const objects = await dependentsOf(operation, blocking, use?.objects);
  const ids = (some: typeof objects = []) => some.map(({ id }) => id).join();
  const isSame = use !== undefined && ids(objects) === ids(use.objects);
  return { objects, readAt: now, since: isSame ? use.since : now };
}

/** Returns true if a read shows that a delete with an ambiguous response was executed. */
async function isBeingDeleted(removal: Removal): Promise<boolean> {
  const { operation, address, state, evidence } = removal;
  const { resource, session } = operation;
  const observed = await readCurrent(operation, address, {
    after: session.listings.mark(),
    known: state.values,
  });
  // Otherwise the delete is sent again until a response is clear.
  if (observed === undefined && readsDecide(operation, state, removal.password.isRequested)) {
    evidence.isMissing = true;
    return true;
  }
  if (observed === undefined) return false;
  if (!isRecorded(resource, observed, state.values))
    throw operation.failed(
      "the API gave no clear response, and the object with this name may be another one now",
      { is: "unknown" },
      ["run-again"],
      { cause: removal.obstacle },
    );
  return /delet/i.test(rawStatus(resource, observed)) && !isFailedDelete(resource, observed);
}

/** Polls `isBeingDeleted` for `settleSeconds` after a delete that is not sent again: its effect may become visible late. */
function pollBeingDeleted(removal: Removal, refused: CloudError): Promise<boolean> {
  if (isStatedFailure(refused)) return isBeingDeleted(removal);
  const { operation } = removal;
  const { clock } = operation.session.ports;
  const until = clock.monotonic() + settleMs(operation.session);
  return waitFor(operation, `${operation.resource.name} settled`, async (): Promise<Poll<boolean>> => {
    const began = clock.monotonic();
    if (await isBeingDeleted(removal)) return { done: true };
    return began >= until ? { done: false } : { pending: "no clear response; waiting for the delete" };
  });
}
