import {
  CloudError,
  isAmbiguous,
  isConflict,
  isNotFound,
  OperationError,
  PasswordError,
  StopError,
} from "../core/error.ts";
import { kindOf, matchesMasked } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { verbInputs } from "../definition/check.ts";
import type { Resource } from "../definition/resource.ts";
import { resolveId } from "./create/create.ts";
import { describeDependents } from "./dependents.ts";
import { type Operation, regionFor } from "./operation.ts";
import { undeletableReason } from "./plan.ts";
import { forgetCommand, remedyFor, remedyForDelete } from "./remediation.ts";
import { ever } from "./shared-listing.ts";
import {
  type Address,
  addressOf,
  listIfAuthoritative,
  listingKey,
  missesBeforeGone,
  noteWrite,
  readCurrent,
  statusOf,
} from "./state/state.ts";
import { isLastPoll, type Poll, waitFor } from "./wait/wait.ts";

/** Removes an object and proves that it is gone. Doubt is an error, and the state keeps what it had. */
export async function remove(operation: Operation, held: ResourceState): Promise<void> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, held.values.region);
  const id = await resolveId(operation, held, region);
  if (id === undefined) return;
  if (session.adoptedIds.has(id)) {
    operation.warn(
      "The object was kept, not deleted",
      `${operation.subject} (${id}) was taken over (adopt_existing) by another resource in this run, and stays. To replace it, give the new one another name.`,
    );
    return;
  }
  const stays = undeletableReason(resource);
  if (stays !== undefined) {
    session.retainedIds.add(id);
    operation.warn("Nothing was deleted", `${stays} Nobody manages ${operation.subject} (${id}) any more.`);
    return;
  }
  const address = addressOf(resource, id, region, held.values);
  const taken = await accepted(operation, held, address);
  try {
    await gone(operation, address, held.values, taken);
  } catch (error) {
    const step = taken
      ? "the cloud took the delete, but does not show it gone"
      : "the cloud says that there is no such thing, but still shows it";
    throw operation.failed(step, { is: "may exist" }, remedyFor(error), undefined, error);
  }
}

/** A delete on its way to be taken, and what its tries have come to. */
interface Removal {
  readonly operation: Operation;
  readonly address: Address;
  readonly held: ResourceState;
  /** Whether a one-time password was asked for. */
  guarded: boolean;
  /** What came of guarded tries without a clear answer. */
  readonly unanswered: CloudError[];
  /** What the last try met: something that uses it, or no clear answer. */
  obstacle?: CloudError | undefined;
  /** What uses it, by name. */
  users?: string | undefined;
}

/** What ends the tries of a delete that is not to be sent again; nothing where it was taken. */
type Refused = CloudError | undefined;

/**
 * Sends the delete until the cloud takes it: an object still in use is waited for, an unclear answer is looked up.
 * False where the cloud says that there is nothing to delete.
 */
async function accepted(operation: Operation, held: ResourceState, address: Address): Promise<boolean> {
  const removal: Removal = { operation, address, held, guarded: false, unanswered: [] };
  try {
    const send = sendingOf(removal);
    const refused = await waitFor(operation, `${operation.resource.name} accepted`, () =>
      attempt(removal, send),
    );
    if (refused === undefined || isNotFound(refused)) return refused === undefined;
    if (isAmbiguous(refused) && (await goes(removal))) return true;
    throw refused;
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const isHidden = isNotFound(error) && operation.resource.notReadable !== undefined;
    if (isHidden && isProof(address)) return true;
    throw isHidden ? unknownIdError(removal, error) : stillThere(removal, error);
  }
}

/** The verbs of one delete. */
interface Sending {
  delete(): Promise<unknown>;
  users(): Promise<string | undefined>;
}

function sendingOf(removal: Removal): Sending {
  const { operation, address, held } = removal;
  const { verbs } = operation.resource;
  const call = {
    ...address,
    api: operation.api(address.region),
    prior: verbInputs(held.values),
    otp() {
      removal.guarded = true;
      return operation.session.oneTimePasswords.next(
        `${operation.subject} (${address.id})`,
        operation.signal,
      );
    },
  };
  return {
    delete: async () => typeof verbs.delete === "function" && verbs.delete(call as never),
    users: () => describeDependents(operation, verbs.dependents?.(call as never), removal.users),
  };
}

/** So many passwords a delete takes at most that gets no clear answer, while the object still shows. */
const guardedTries = 3;

/** Sends it once. */
async function attempt(removal: Removal, send: Sending): Promise<Poll<Refused>> {
  const { operation, address, unanswered } = removal;
  try {
    await send.delete();
    return { done: undefined };
  } catch (error) {
    // What is on its way at the deadline says nothing: what was in the way before it still is.
    if (error instanceof StopError) throw error;
    if (error instanceof PasswordError && unanswered.length > 0) return { done: unanswered.at(-1) };
    // Another try takes another password: that is for who runs it to decide.
    if (removal.guarded && isConflict(error)) return { done: error };
    if (removal.guarded && isAmbiguous(error) && unanswered.push(error) === guardedTries)
      return { done: error };
    const wasInUse = isConflict(removal.obstacle);
    removal.obstacle = isConflict(error) || isAmbiguous(error) ? error : undefined;
    if (isConflict(error)) {
      // Asked for whoever stops it, and in the end once more: some of it may have gone.
      if (!wasInUse || isLastPoll(operation)) removal.users = await send.users();
      return { still: error.said };
    }
    // Where no look follows that could prove it, it takes several refusals in a row.
    if (isNotFound(error) && operation.resource.notReadable === undefined) return { done: error };
    if (!isAmbiguous(error)) throw error;
    return (await isGoing(removal)) ? { done: undefined } : { still: error.said };
  } finally {
    noteWrite(operation, address);
  }
}

/** For what no read shows, and the cloud knows nothing under its id. */
const unknownIdError = ({ operation, address }: Removal, error: unknown): OperationError =>
  operation.failed(
    `nothing is there under ${address.id}, which may be no id that the cloud takes`,
    { is: "unknown" },
    `Remove ${operation.subject} where the cloud shows it, then take it out of the state (${forgetCommand(operation.resource)})`,
    undefined,
    error,
  );

function stillThere({ operation, guarded, obstacle, users }: Removal, error: unknown): OperationError {
  const next = (cause: unknown) =>
    guarded ? guardedRemedy(operation.resource, cause) : remedyForDelete(operation.resource, cause);
  const still = { is: "still exists" } as const;
  if (obstacle === undefined || !(error instanceof StopError))
    return operation.failed("it could not be removed", still, next(error), undefined, error);
  const step = `it could not be removed: ${error.message}`;
  const cleared = isConflict(obstacle) ? clearing(users) : next(obstacle);
  return operation.failed(step, still, cleared, undefined, obstacle);
}

/** Whether a delete without a clear answer was taken, as far as it can be seen. */
async function isGoing({ operation, address, held }: Removal): Promise<boolean> {
  const { resource, session } = operation;
  const seen = await readCurrent(operation, address, session.listings.mark(), held.values);
  // What is shown nowhere is not proven gone: its delete is sent again until an answer says so.
  if (seen === undefined) return resource.visibleThrough === undefined && resource.notReadable === undefined;
  return /delet/i.test(statusOf(resource, seen).word);
}

/** The same of a delete that is not to be sent again, for as long as what it did may take to be seen. */
function goes(removal: Removal): Promise<boolean> {
  const { operation } = removal;
  const { ports, settings } = operation.session;
  const until = ports.clock.monotonic() + settings.settleSeconds * 1000;
  return waitFor(operation, `${operation.resource.name} settled`, async (): Promise<Poll<boolean>> => {
    const began = ports.clock.monotonic();
    if (await isGoing(removal)) return { done: true };
    return began >= until ? { done: false } : { still: "no clear answer; looking whether it goes" };
  });
}

/** What to do about what is in the way. */
const clearing = (users: string | undefined): string =>
  users === undefined
    ? "Remove what it names first, then run again"
    : `Remove or detach first what uses it, then run again: ${users}`;

const withAnother =
  "with a new one-time password: in SERVICE_OTP for one delete, or from otp_command for each";

/** What to do after a guarded delete. A refusal may be of the password, which cannot be told from the others. */
function guardedRemedy(
  { emptyHint = "Remove what it names or wait until it is done" }: Resource,
  error: unknown,
) {
  if (error instanceof PasswordError) return `Run again ${withAnother}`;
  if (isConflict(error)) return `${emptyHint}, then run again ${withAnother}`;
  const isSpent = error instanceof CloudError && (error.failure === "auth" || error.failure === "rejected");
  return isSpent
    ? `The password was tried once and is spent: correct what it names, then run again ${withAnother}`
    : `${remedyFor(error)}, ${withAnother}`;
}

/**
 * Of what nobody can read, an id that routes are not known to take may name nothing though it stands
 * (docs/contract.md#17.7).
 */
const isProof = ({ id }: Address): boolean => kindOf(id) !== undefined;

/**
 * Proof: it cannot be read, and a complete listing begun after the delete does not hold it. Where no listing decides and
 * no delete was `taken`, several looks have to agree.
 */
async function gone(operation: Operation, address: Address, mine: Values, taken: boolean): Promise<void> {
  const { resource, session } = operation;
  const sent = session.listings.mark();
  let due = taken ? 1 : missesBeforeGone(resource);
  const look = async (after: number): Promise<Poll<undefined>> => {
    // What takes a task is not gone at once: the next listing, which all share, is soon enough.
    if (resource.verbs.task && resource.verbs.whole && after === ever) return { still: "accepted" };
    const since = Math.max(after, sent);
    const seen = await readCurrent(operation, address, since, mine);
    if (seen !== undefined) return { still: statusOf(resource, seen).word };
    const rows = await listIfAuthoritative(operation, address, since);
    if (rows?.some(({ id }) => matchesMasked(id, address.id))) return { still: "still listed" };
    due -= 1;
    return rows === undefined && due > 0 ? { still: "not there, says the cloud" } : { done: undefined };
  };
  await waitFor(operation, `${resource.name} gone`, look, listingKey(resource, address));
}
