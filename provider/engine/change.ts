import { CloudError, isAmbiguous, isConflict, isNotFound, isStatedFailure } from "../core/error.ts";
import { plainId } from "../core/krn.ts";
import type { Value, Values } from "../core/value.ts";
import type { RequestTracker } from "../definition/api.ts";
import { sameValue } from "../definition/equality.ts";
import type { Fields } from "../definition/field.ts";
import type { Blocked } from "../definition/verb.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import { requireFree } from "./leaving.ts";
import { echoSeconds, type Operation } from "./operation.ts";
import { isFresh } from "./session.ts";
import {
  type Address,
  addressAfterUpdate,
  driftedFields,
  mayBeUnlisted,
  noteWrite,
  readCurrent,
  statusOf,
  timingOf,
  withAllTags,
} from "./state/state.ts";
import { blockedMs, failureOf, type Poll, waitFor } from "./wait/wait.ts";
import type { WholeObject } from "./whole-object.ts";

/** Outcome of the requests of a change that must not be sent twice. */
export interface ChangeProgress {
  /** Names of the fields that were sent, each with the error of an ambiguous response, or undefined after a clear one. */
  readonly sent: Map<string, CloudError | undefined>;
  /** Values of the computed fields that identify the object, with those that the responses added. */
  readonly identity: Values;
  /** Requests of the other fields, which may be sent again. */
  readonly tracker: RequestTracker;
}

/** A change of an existing object: the inputs, and the values before it. */
export interface Change {
  readonly address: Address;
  readonly prior: Values;
  readonly inputs: Values;
  readonly whole: WholeObject;
}

/**
 * Sends the changes. Fields that must not be sent twice come last, each in a separate request, and are recorded in
 * `progress`.
 */
export async function sendChanges(
  operation: Operation,
  change: Change,
  changed: ReadonlySet<string>,
  progress: ChangeProgress = { sent: new Map(), identity: {}, tracker: { sent: false } },
): Promise<void> {
  const { fields, notReadable: blind } = operation.resource;
  // For an object that no route reads, an ambiguous response cannot be verified either.
  const single = [...changed].filter((name) => blind !== undefined || isOnce(fields[name]));
  const plain = new Set([...changed].filter((name) => !single.includes(name)));
  if (plain.size > 0) await sendShown(operation, change, plain, progress);
  for (const name of single) await sendOnce(operation, change, name, progress);
}

/** Returns the arguments that all calls of the verb `update` share. */
function callOf(operation: Operation, { address, prior, inputs }: Change) {
  const { resource, session } = operation;
  const wanted = withAllTags(resource, inputs, session.settings);
  return {
    ...address,
    inputs: verbInputs(wanted),
    prior: verbInputs(prior),
    ...timingOf(operation, address.id),
  };
}

export const isOnce = (field: Fields[string] | undefined): boolean =>
  field?.kind === "field" && field.options.once === true;

/**
 * Sends a change that must not be repeated. After an ambiguous response it counts as done, since a second request could
 * apply it twice (docs/reliability.md#3.2).
 */
async function sendOnce(
  operation: Operation,
  change: Change,
  name: string,
  { sent, identity }: ChangeProgress,
): Promise<void> {
  const { address, prior, inputs, whole } = change;
  if (await isShownOfEarlierRun(operation, address, inputs, name)) return;
  const { update } = operation.resource.verbs;
  const call = { ...callOf(operation, change), changed: new Set([name]) };
  const { clock } = operation.session.ports;
  let repeated = false;
  let refused: { readonly at: number; readonly still: string } | undefined;
  let blockedSince: number | undefined;
  const failed = await waitFor(
    operation,
    `${operation.resource.name} change accepted`,
    async (): Promise<Poll<CloudError | undefined>> => {
      // The conflict may be the echo of an executed attempt: the change is not sent again before listings can show it.
      if (refused !== undefined && clock.monotonic() - refused.at < echoSeconds * 1000) return refused;
      const tracker: RequestTracker = { sent: false };
      let isUnanswered = false;
      try {
        const added = await update?.({
          ...call,
          repeated,
          ...timingOf(operation, address.id),
          ...whole.begin(operation.api(address.region, tracker), address),
        } as never);
        Object.assign(identity, added);
        sent.set(name, undefined);
        return { done: undefined };
      } catch (error) {
        // A read before the request failed: nothing was sent.
        if (isAmbiguous(error) && !tracker.sent) throw error;
        repeated = true;
        if (isConflict(error)) {
          const blocked = await reasonOfConflict(operation, address, prior, call);
          const now = clock.monotonic();
          refused = { at: now, still: blocked?.reason ?? error.said };
          blockedSince = blocked === undefined ? undefined : (blockedSince ?? now);
          if (!operation.hasOwnLimit && now - (blockedSince ?? now) >= blockedMs)
            return {
              done: new CloudError({ ...error, ...blocked, said: `${error.said}; ${blocked?.reason}` }),
            };
          return refused;
        }
        if (isNotFound(error) && isFresh(operation.session, address.id)) return { still: error.said };
        if (isStatedFailure(error)) return { done: error };
        if (tracker.sent) sent.set(name, isAmbiguous(error) ? error : undefined);
        isUnanswered = tracker.sent;
        if (!isAmbiguous(error)) throw error;
        // A field that the API shows needs no warning: the wait that follows checks its value.
        if (operation.resource.notReadable !== undefined || isBlind(operation.resource.fields[name]))
          operation.warn({ code: "change-unconfirmed", subject: operation.subject, field: name });
        return { done: undefined };
      } finally {
        if (tracker.sent)
          operation.session.sentOnce.set(plainId(address.id), {
            at: clock.monotonic(),
            values: (inputs[name] ?? null) === null ? {} : { [name]: inputs[name] as Value },
            ...(isUnanswered && { isUnanswered }),
          });
        noteWrite(operation, address);
      }
    },
  );
  if (failed !== undefined) throw failed;
}

/**
 * Returns true if a read shows a change that an earlier run sent and could not confirm. Polls until `settle_seconds` after
 * that request, as a listing may lag. Returns false at once if the earlier run sent another value or none.
 */
async function isShownOfEarlierRun(
  operation: Operation,
  address: Address,
  inputs: Values,
  name: string,
): Promise<boolean> {
  const { unconfirmed, session } = operation;
  const sent = unconfirmed?.values[name] ?? null;
  const field = operation.resource.fields[name];
  if (unconfirmed === undefined || field === undefined || sent === null) return false;
  if (!sameValue(field, sent, inputs[name] ?? null)) return false;
  return waitFor(operation, `${operation.resource.name} change shown`, async () => {
    const began = session.ports.clock.monotonic();
    const seen = await readCurrent(operation, address, session.listings.mark(), inputs);
    if (seen !== undefined && notYetShown(operation, seen, inputs, new Set([name])).size === 0)
      return { done: true };
    return mayBeUnlisted(operation, unconfirmed, began)
      ? { still: `${name} was sent by an earlier run, and is not shown yet` }
      : { done: false };
  });
}

/** Reads the object and returns the reason of a conflict that does not clear by itself; undefined if there is none. */
async function reasonOfConflict(
  operation: Operation,
  address: Address,
  prior: Values,
  call: { readonly inputs: Values; readonly changed: ReadonlySet<string> },
): Promise<Blocked | undefined> {
  const { changeBlocked } = operation.resource.verbs;
  if (changeBlocked === undefined) return undefined;
  const seen = await readCurrent(operation, address, operation.session.listings.mark(), prior);
  return seen === undefined ? undefined : changeBlocked({ ...call, seen } as never);
}

/**
 * Sends the changes, and retries while the object is busy or an operation on it is in progress. Each retry sends only
 * the fields that the API does not show yet, also after an ambiguous response (docs/reliability.md#3.2).
 */
async function sendShown(
  operation: Operation,
  change: Change,
  changed: ReadonlySet<string>,
  { tracker }: ChangeProgress,
): Promise<void> {
  const { update } = operation.resource.verbs;
  const { address, inputs, whole } = change;
  const call = callOf(operation, change);
  const moved = addressAfterUpdate(operation.resource, address, inputs);
  const renamed = [...changed].filter(
    (name) => moved.id !== address.id && name === operation.resource.idField,
  );
  let shownAt = address;
  let rest: ReadonlySet<string> | undefined;
  let refused: CloudError | undefined;
  await waitFor(operation, `${operation.resource.name} change accepted`, async () => {
    if (rest !== undefined) {
      const place = tracker.sent ? moved : address;
      const seen = await readCurrent(operation, place, operation.session.listings.mark(), inputs);
      const { at, word } = seen === undefined ? unseen : statusOf(operation.resource, seen);
      // An operation is in progress; it may be this change.
      if (at === "pending") return { still: word };
      shownAt = seen === undefined ? address : place;
      // An object with the new id is not known to be this one: the verb compares it.
      if (seen !== undefined)
        rest = new Set([...renamed, ...notYetShown(operation, seen, whole.expected(), rest)]);
    }
    rest ??= changed;
    if (rest.size === 0) return { done: undefined };
    if (refused !== undefined) throw refused;
    // Only after an own rename that may have been executed, an object with the new id can be this one.
    if (renamed.length > 0 && !tracker.sent) await requireFree(operation, address, moved);
    try {
      const begun = whole.begin(operation.api(address.region, tracker), shownAt);
      await update?.({ ...call, ...begun, repeated: tracker.sent, changed: rest } as never);
      return { done: undefined };
    } catch (error) {
      if (isConflict(error) || (isNotFound(error) && isFresh(operation.session, address.id)))
        return { still: error.said };
      const isRefused = error instanceof CloudError && error.failure === "rejected" && error.status !== 404;
      // An ambiguous response counts as one failed poll.
      if (!isRefused) throw error;
      // A stopped run may have sent the change before, so a read decides.
      refused = error;
      return { still: error.said };
    } finally {
      noteWrite(operation, address);
    }
  });
}

/**
 * Sends a change again whose effect no read shows: the first response may have come from a gateway. Logs a failure without
 * throwing it: the failure may be the echo of the first request, and the caller continues to wait for the values.
 */
export async function sendAgain(
  operation: Operation,
  change: Change,
  changed: ReadonlySet<string>,
  { identity }: Pick<ChangeProgress, "identity">,
): Promise<void> {
  const { resource, session } = operation;
  const { address, whole } = change;
  const call = {
    ...callOf(operation, change),
    ...whole.begin(operation.api(address.region), address),
    changed,
    repeated: true,
  };
  try {
    Object.assign(identity, await resource.verbs.update?.(call as never));
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    session.log("warn", "a repeated change was rejected", { why: error.message });
  } finally {
    noteWrite(operation, address);
  }
}

const unseen = { at: "unknown", word: "not visible" } as const;

/**
 * Returns the changed fields that the API does not show yet, and those that it never shows. Throws `FailedError` for a
 * failed object.
 */
function notYetShown(
  operation: Operation,
  seen: Values,
  inputs: Values,
  changed: ReadonlySet<string>,
): ReadonlySet<string> {
  const { fields } = operation.resource;
  // A failed object rejects every change: a retry would not help.
  if (statusOf(operation.resource, seen).at === "failed") throw failureOf(operation, seen);
  const other = new Set(driftedFields(fields, seen, inputs, changed).map((path) => path.split(".")[0]));
  return new Set([...changed].filter((name) => other.has(name) || isBlind(fields[name])));
}

const isBlind = (field: Fields[string] | undefined): boolean =>
  field !== undefined && field.kind !== "computed" && field.options.unreadable === true;
