import { CloudError, isAmbiguous, isConflict, isNotFound, isStatedFailure } from "../core/error.ts";
import { plainId } from "../core/krn.ts";
import type { Value, Values } from "../core/value.ts";
import { type Text, wording } from "../core/wording.ts";
import type { RequestTracker } from "../definition/api.ts";
import { sameValue } from "../definition/equality.ts";
import type { Fields } from "../definition/field.ts";
import type { Poll } from "../definition/function.ts";
import type { Blocked } from "../definition/verb.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import { ageOf, createdHere, freshMs, settleMs, timingOf } from "./existence/age.ts";
import { noteWrite, readCurrent } from "./existence/current.ts";
import { visibilityOf } from "./existence/visibility.ts";
import { requireFree } from "./leaving.ts";
import { echoSeconds, type Operation } from "./operation.ts";
import { type Address, addressAfterUpdate } from "./state/address.ts";
import { driftedFields } from "./state/compare.ts";
import { withAllTags } from "./state/default-tags.ts";
import { statusOf } from "./state/status.ts";
import { blockedMs, failureOf } from "./wait/wait.ts";
import { waitFor } from "./wait/waiter.ts";
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
  const { fields } = operation.resource;
  const { isReadable } = visibilityOf(operation.resource);
  // For an object that no route reads, an ambiguous response cannot be verified either.
  const single = [...changed].filter((name) => !isReadable || isOnce(fields[name]));
  const plain = new Set([...changed].filter((name) => !single.includes(name)));
  if (plain.size > 0) await sendShown(operation, change, plain, progress);
  for (const name of single) await sendSingle(operation, change, name, progress);
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

/** A change of one field that must not be repeated, in progress. */
interface SingleChange {
  readonly operation: Operation;
  readonly change: Change;
  readonly name: string;
  readonly progress: ChangeProgress;
  /** True if an earlier attempt may have been executed. */
  isRepeated: boolean;
  /** Last conflict, with monotonic times in ms: of its response, and since when a reason blocks the change. */
  refusal?: { readonly at: number; readonly pending: Text; readonly blockedSince: number | undefined };
}

/**
 * Sends a change that must not be repeated. After an ambiguous response it counts as done, since a second request could
 * apply it twice (docs/reliability.md#3.2).
 */
async function sendSingle(
  operation: Operation,
  change: Change,
  name: string,
  progress: ChangeProgress,
): Promise<void> {
  if (await isShownOfEarlierRun(operation, change, name)) return;
  const single: SingleChange = { operation, change, name, progress, isRepeated: false };
  const { clock } = operation.session.ports;
  const failed = await waitFor(
    operation,
    `${operation.resource.name} change accepted`,
    async (): Promise<Poll<CloudError | undefined>> => {
      // The conflict may be the echo of an executed attempt: the change is not sent again before listings can show it.
      const { refusal } = single;
      const isEcho = refusal !== undefined && clock.monotonic() - refusal.at < echoSeconds * 1000;
      return isEcho ? { pending: refusal.pending } : attemptOnce(single);
    },
  );
  if (failed !== undefined) throw failed;
}

/** Outcome of an attempt without a 2xx response. `unsent`: a read before the request failed. */
type Outcome = "unsent" | "conflict" | "fresh-object" | "stated-failure" | "unanswered" | "rejected";

function outcomeOf({ operation, change }: SingleChange, error: unknown, isSent: boolean): Outcome {
  if (isAmbiguous(error) && !isSent) return "unsent";
  if (isConflict(error)) return "conflict";
  if (isUnknownFresh(operation, change, error)) return "fresh-object";
  if (isStatedFailure(error)) return "stated-failure";
  return isAmbiguous(error) ? "unanswered" : "rejected";
}

/** Returns true for a 404 of an object that this process created a moment ago: the route may not know it yet. */
const isUnknownFresh = ({ session }: Operation, { address }: Change, error: unknown): error is CloudError =>
  isNotFound(error) && ageOf(session, createdHere(session, address.id)) <= freshMs;

/** Sends the change. Throws an error without a step, which the wait judges. */
async function attemptOnce(single: SingleChange): Promise<Poll<CloudError | undefined>> {
  const { operation, change, name, progress, isRepeated } = single;
  const { address, inputs, whole } = change;
  const tracker: RequestTracker = { sent: false };
  let isUnanswered = false;
  try {
    const added = await operation.resource.verbs.update?.({
      ...callOf(operation, change),
      changed: new Set([name]),
      repeated: isRepeated,
      ...whole.begin(operation.api(address.region, tracker), address),
    } as never);
    Object.assign(progress.identity, added);
    progress.sent.set(name, undefined);
    return { done: undefined };
  } catch (error) {
    const outcome = outcomeOf(single, error, tracker.sent);
    single.isRepeated ||= outcome !== "unsent";
    isUnanswered = tracker.sent && (outcome === "unanswered" || outcome === "rejected");
    if (isUnanswered) progress.sent.set(name, outcome === "unanswered" ? (error as CloudError) : undefined);
    const step = await steps[outcome](single, error as CloudError);
    if (step === undefined) throw error;
    return step;
  } finally {
    if (tracker.sent)
      operation.session.objects.sentOnce.set(plainId(address.id), {
        at: operation.session.ports.clock.monotonic(),
        values: (inputs[name] ?? null) === null ? {} : { [name]: inputs[name] as Value },
        ...(isUnanswered && { isUnanswered }),
      });
    noteWrite(operation, address);
  }
}

/** The step after each outcome: the end of the attempts, or the reason to wait for another one. */
const steps: {
  readonly [O in Outcome]: (
    single: SingleChange,
    error: CloudError,
  ) => Poll<CloudError | undefined> | Promise<Poll<CloudError | undefined>> | undefined;
} = {
  unsent: () => undefined,
  rejected: () => undefined,
  conflict: whileRefused,
  "fresh-object": (_, { reason }) => ({ pending: reason }),
  "stated-failure": (_, error) => ({ done: error }),
  unanswered({ operation, name }) {
    const { resource, subject } = operation;
    // A field that the API shows needs no warning: the wait that follows checks its value.
    if (!visibilityOf(resource).isReadable || isBlind(resource.fields[name]))
      operation.warn({ code: "change-unconfirmed", subject, field: name });
    return { done: undefined };
  },
};

/** Waits after a conflict, unless its reason has blocked the change for `blockedMs`. */
async function whileRefused(single: SingleChange, error: CloudError): Promise<Poll<CloudError>> {
  const { operation, change, name, refusal } = single;
  const blocked = await reasonOfConflict(operation, change, name);
  const now = operation.session.ports.clock.monotonic();
  const blockedSince = blocked === undefined ? undefined : (refusal?.blockedSince ?? now);
  single.refusal = { at: now, pending: blocked?.reason ?? error.reason, blockedSince };
  const isLasting = !operation.hasOwnLimit && now - (blockedSince ?? now) >= blockedMs;
  return isLasting
    ? {
        done: new CloudError({
          ...error,
          ...blocked,
          reason: wording`${error.reason}; ${blocked?.reason ?? ""}`,
        }),
      }
    : { pending: single.refusal.pending };
}

/**
 * Returns true if a read shows a change that an earlier run sent and could not confirm. Polls until `settle_seconds` after
 * that request, as a listing may lag. Returns false at once if the earlier run sent another value or none.
 */
async function isShownOfEarlierRun(
  operation: Operation,
  { address, inputs }: Change,
  name: string,
): Promise<boolean> {
  const { unconfirmed, session } = operation;
  const sent = unconfirmed?.values[name] ?? null;
  const field = operation.resource.fields[name];
  if (unconfirmed === undefined || field === undefined || sent === null) return false;
  if (!sameValue(field, sent, inputs[name] ?? null)) return false;
  return waitFor(operation, `${operation.resource.name} change shown`, async () => {
    const began = session.ports.clock.monotonic();
    const observed = await readCurrent(operation, address, { after: session.listings.mark(), known: inputs });
    if (observed !== undefined && notYetShown(operation, observed, inputs, new Set([name])).size === 0)
      return { done: true };
    return ageOf(session, { recorded: unconfirmed.sentAt }, began) < settleMs(session)
      ? { pending: `${name} was sent by an earlier run, and is not shown yet` }
      : { done: false };
  });
}

/** Reads the object and returns the reason of a conflict that does not clear by itself; undefined if there is none. */
async function reasonOfConflict(
  operation: Operation,
  change: Change,
  name: string,
): Promise<Blocked | undefined> {
  const { changeBlocked } = operation.resource.verbs;
  if (changeBlocked === undefined) return undefined;
  const { address, prior } = change;
  const observed = await readCurrent(operation, address, {
    after: operation.session.listings.mark(),
    known: prior,
  });
  if (observed === undefined) return undefined;
  return changeBlocked({ ...callOf(operation, change), changed: new Set([name]), observed } as never);
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
  const { resource } = operation;
  const { address, inputs, whole } = change;
  const moved = addressAfterUpdate(resource, address, inputs);
  const renamed = [...changed].filter((name) => moved.id !== address.id && name === resource.idField);
  const rest = shownRest(operation, change, { changed, renamed, moved, tracker });
  let refused: CloudError | undefined;
  await waitFor(operation, `${resource.name} change accepted`, async (): Promise<Poll<undefined>> => {
    const left = await rest();
    if ("pending" in left) return left;
    if (left.names.size === 0) return { done: undefined };
    if (refused !== undefined) throw refused;
    // Only after a rename of this run that may have been executed, an object with the new id can be this one.
    if (renamed.length > 0 && !tracker.sent) await requireFree(operation, address, moved);
    try {
      const begun = whole.begin(operation.api(address.region, tracker), left.place);
      const call = { ...callOf(operation, change), ...begun, repeated: tracker.sent, changed: left.names };
      await resource.verbs.update?.(call as never);
      return { done: undefined };
    } catch (error) {
      if (isConflict(error) || isUnknownFresh(operation, change, error)) return { pending: error.reason };
      const isRefused = error instanceof CloudError && error.failure === "rejected" && error.status !== 404;
      // An ambiguous response counts as one failed poll.
      if (!isRefused) throw error;
      // A stopped run may have sent the change before, so a read decides.
      refused = error;
      return { pending: error.reason };
    } finally {
      noteWrite(operation, address);
    }
  });
}

/** Fields to send, and the address under which the object was read. */
interface Rest {
  readonly names: ReadonlySet<string>;
  readonly place: Address;
}

/**
 * Returns a function that returns the fields to send: at first all changed ones, later those that a read does not show yet, or the
 * status of an operation in progress, which may be this change.
 */
function shownRest(
  operation: Operation,
  { address, inputs, whole }: Change,
  {
    changed,
    renamed,
    moved,
    tracker,
  }: {
    readonly changed: ReadonlySet<string>;
    readonly renamed: readonly string[];
    readonly moved: Address;
    readonly tracker: RequestTracker;
  },
): () => Promise<Rest | { readonly pending: Text }> {
  const { resource, session } = operation;
  let rest: Rest | undefined;
  return async () => {
    if (rest === undefined) {
      rest = { names: changed, place: address };
      return rest;
    }
    const place = tracker.sent ? moved : address;
    const observed = await readCurrent(operation, place, { after: session.listings.mark(), known: inputs });
    if (observed === undefined) rest = { names: rest.names, place: address };
    else {
      const { at, text } = statusOf(resource, observed);
      if (at === "pending") return { pending: text };
      // An object with the new id is not known to be this one: the verb compares it.
      const unshown = notYetShown(operation, observed, whole.expected(), rest.names);
      rest = { names: new Set([...renamed, ...unshown]), place };
    }
    return rest;
  };
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
    session.log("warn", "a repeated change was rejected", { why: error.text });
  } finally {
    noteWrite(operation, address);
  }
}

/**
 * Returns the changed fields that the API does not show yet, and those that it never shows. Throws `FailedError` for a
 * failed object.
 */
function notYetShown(
  operation: Operation,
  observed: Values,
  inputs: Values,
  changed: ReadonlySet<string>,
): ReadonlySet<string> {
  const { fields } = operation.resource;
  // A failed object rejects every change: a retry would not help.
  if (statusOf(operation.resource, observed).at === "failed") throw failureOf(operation, observed);
  const other = new Set(driftedFields(fields, observed, inputs, changed).map((path) => path.split(".")[0]));
  return new Set([...changed].filter((name) => other.has(name) || isBlind(fields[name])));
}

const isBlind = (field: Fields[string] | undefined): boolean =>
  field !== undefined && field.kind !== "computed" && field.options.unreadable === true;
