import { backoff, pauseFor } from "../../client/client.ts";
import { CloudError, type Existence, type OperationError, StopError } from "../../core/error.ts";
import { comparable, completeId, plainId } from "../../core/krn.ts";
import type { GivenRemedy } from "../../core/remedy.ts";
import type { InterruptedCreate, ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { attributes, type Text, wording } from "../../core/wording.ts";
import { type Fields, identifyingValues } from "../../definition/field.ts";
import type { Poll } from "../../definition/function.ts";
import type { Row } from "../../definition/verb.ts";
import { refuseOtherAccount, requireAccount } from "../account.ts";
import { isKnownGone } from "../existence/absence.ts";
import { readCurrent } from "../existence/current.ts";
import {
  areDated,
  clockToleranceMs,
  createdAtOf,
  hasHiddenName,
  matches,
  matching,
  rowOf,
} from "../existence/row.ts";
import { visibilityOf } from "../existence/visibility.ts";
import { echoSeconds, type Operation, warnOnce } from "../operation.ts";
import { importOneOf, stepOf } from "../remediation.ts";
import { ever } from "../shared-listing.ts";
import { addressKey } from "../state/address.ts";
import { compareFound } from "../state/compare.ts";
import { waitFor } from "../wait/waiter.ts";
import {
  existenceUnlisted,
  importIdFor,
  interruptedCreate,
  mayExist,
  notCreated,
  searchRemedies,
  unknownId,
  unknownOutcome,
} from "./failure.ts";
import type { Attempt, Next } from "./outcome.ts";
import {
  addressIn,
  type CreateContext,
  existingRows,
  isListed,
  namesFresh,
  runningCreates,
} from "./search.ts";

/**
 * The search after a create request without a clear response. A name is no proof: somebody else may create an object of that
 * name at the same time.
 */

/** Returns the step after a request without a clear response: the object is searched for, and nothing is sent again. */
export const afterNoAnswer = async ({ context, error }: Attempt): Promise<Next> =>
  asNext(await stoppable(context, unknownId, recoverId(context, error)));

/** Returns the step after a rejection or failure that does not prove that nothing was created. */
export async function afterDoubt(attempt: Attempt<unknown>): Promise<Next> {
  const { context, error } = attempt;
  const { settleSeconds } = context.operation.session.settings;
  const found = await searchAgain(attempt);
  if (found.rows.length > 0) return picked(context, found, error);
  return { failed: notCreated(context, error, existenceUnlisted(context, settleSeconds)) };
}

/** Returns the step after a 404 or a 429: the request is sent again only if a listing shows no created object. */
export async function afterRefusal(attempt: Attempt): Promise<Next> {
  const { context, error } = attempt;
  const wait = waitAfterRefusal(attempt);
  const pause = await stoppable(context, "the run was stopped before the request was sent again", wait);
  if ("failed" in pause) return pause;
  // A row without an id may be the object, too.
  const found = pause.rows.length > 0 ? await searchAgain(attempt) : nothing;
  if (found.rows.length > 0) return picked(context, found, error);
  const isListDecisive = visibilityOf(context.operation.resource).isListDecisive;
  const existence = existenceUnlisted(context, isListDecisive ? pause.seconds : 0);
  if (mayRepeat(attempt)) {
    warnOfRepeat(context, error, existence);
    return { again: { number: attempt.number + 1, existence } };
  }
  const isUnknown = !isListed(context) && error.failure === "throttled";
  const failed = isUnknown
    ? unknownOutcome(context, stepOf(error), error)
    : notCreated(context, error, existence);
  return { failed };
}

/** Searches for `settle_seconds` for the object of an attempt. */
export const searchAgain = ({ context }: Attempt<unknown>): Promise<Found> =>
  stoppable(context, unknownId, findCreated(context, context.operation.session.settings.settleSeconds));

/** Runs a search or a pause after the request. A stop throws the error of an interrupted create: the next read searches. */
const stoppable = <T>(context: CreateContext, step: string, run: Promise<T>): Promise<T> =>
  run.catch((error: unknown) => {
    throw error instanceof StopError ? interruptedCreate(context, step, error) : error;
  });

/**
 * Waits for the time that the API requests, but at least until a listing shows a created object. Returns the new rows of
 * that listing, which waiting creates share, and the wait in seconds; an error at the deadline.
 */
async function waitAfterRefusal({
  context,
  error,
  number,
}: Attempt): Promise<
  { readonly rows: readonly Row<Fields>[]; readonly seconds: number } | { readonly failed: OperationError }
> {
  const { operation } = context;
  const { clock, random } = operation.session.ports;
  const least = Math.max(echoSeconds * 1000, backoff(random, number, 1_000, 60_000));
  const pause = pauseFor(error.retryAfter, least);
  operation.report(error.reason);
  if (error.failure === "throttled") operation.session.rateLimiter.pause(pause);
  const stop = await clock.sleep(pause, operation.signal).catch((stop: unknown) => stop);
  if (stop instanceof StopError && stop.why === "deadline")
    return { failed: unknownOutcome(context, `${stepOf(error)}: ${stop.message}`, error) };
  if (stop !== undefined) throw stop;
  const rows = newRows(context, await existingRows(context, ever, clock.monotonic()));
  // After a second 429, the listing may have used up the current rate limit.
  if (error.failure === "throttled" && number > 1) operation.session.rateLimiter.pause(1_000);
  return { rows, seconds: Math.floor(pause / 1000) };
}

/** Maximum requests of one create: each but the last returned a 404 or a 429. */
const maxRequests = 20;

/**
 * Returns true if the request may be sent again: a listing would show the object of the first request, or an object that no
 * listing shows has no effect. A 404 is final unless a parent is fresh.
 */
function mayRepeat({ context, error, number }: Attempt): boolean {
  const { session, resource } = context.operation;
  const isHarmless = isListed(context) || visibilityOf(resource).shownThrough !== undefined;
  const mayPass = error.failure === "throttled" || namesFresh(session, context.inputs);
  return isHarmless && mayPass && number < maxRequests && session.rateLimiter.spendRetry(5);
}

/** Warns, once per run and kind, that a create is sent again: the first request may have been executed. */
function warnOfRepeat({ operation }: CreateContext, { status }: CloudError, existence: Existence): void {
  if (existence.is !== "not listed") return;
  const { resource, subject } = operation;
  const { seconds } = existence;
  warnOnce(operation, `${resource.name}: create sent again`, {
    code: "sent-again",
    subject,
    status,
    seconds,
  });
}

/**
 * Returns the id of the created object by search; an error with existence "may exist" if no object is found that is certainly the
 * created one.
 */
export async function recoverId(context: CreateContext, cause?: unknown): Promise<Picked> {
  const { operation } = context;
  const found = await findCreated(context, operation.session.settings.settleSeconds);
  if (found.rows.length > 0) return pickCreated(context, found, cause);
  const newest = isListed(context) ? undefined : await newestId(context);
  if (newest !== undefined) {
    const failed = operation.failed(
      "the API gave no clear response, and the newest object with this name may be the created one",
      mayExist,
      [{ code: "import-if-yours", resource: operation.resource.name, importId: newest }],
      { cause },
    );
    return { failed };
  }
  const step = isListed(context)
    ? "the API gave no clear response, and a search found no new object"
    : visibilityOf(operation.resource).shownThrough === undefined
      ? "the API gave no clear response, and does not list objects of this kind"
      : "the API gave no clear response, and an unattached object cannot be searched for";
  return { failed: unknownOutcome(context, step, cause) };
}

/** Returns the import id of the object created last, if it matches and this process did not create it. */
export async function newestId(context: CreateContext): Promise<string | undefined> {
  const { operation, inputs, region } = context;
  const { resource, session } = operation;
  try {
    const row = await resource.verbs.evidence?.newest?.({ api: operation.api(region), region } as never);
    const id = row === undefined || !matches(resource, row, inputs) ? undefined : completeId(row.id);
    return id === undefined || session.objects.createdAt.has(plainId(id))
      ? undefined
      : importIdFor(context, id);
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    session.log("debug", "the newest object cannot be read", { why: error.text });
    return undefined;
  }
}

/** New objects that match the inputs of a create. */
export interface Found {
  readonly rows: readonly Row<Fields>[];
  /** Fields in which the only object differs from the inputs. */
  readonly other: readonly string[];
  /** Reason why no row is certainly the created object, whatever it shows. */
  readonly doubt?: string | undefined;
}

const nothing: Found = { rows: [], other: [] };

/** The created object, or the error of a search that found none that is certainly it. */
export type Picked = { readonly id: string } | { readonly failed: OperationError };

const asNext = (pick: Picked): Next => ("failed" in pick ? pick : { created: { ...pick, isFound: true } });

/** Returns the step after a search that found objects. */
export const picked = (context: CreateContext, found: Found, cause: unknown): Next =>
  asNext(pickCreated(context, found, cause));

/**
 * Returns the only object found; an error if several match, if the object differs from the inputs, if its id is missing or
 * masked, or if the lost response contained a secret that is shown only once.
 */
function pickCreated(context: CreateContext, { rows, other, doubt }: Found, cause: unknown): Picked {
  const { operation } = context;
  const { resource } = operation;
  const id = onlyId(rows);
  const nameOf = (id: string) => importIdFor(context, id);
  const refused = (step: Text, remedies: readonly GivenRemedy[]) => ({
    failed: operation.failed(step, mayExist, remedies, { cause }),
  });
  if (visibilityOf(resource).isShownOnce)
    return refused("the response with the secret of the new object is lost", [
      { code: "delete-unusable", resource: resource.name, importIds: rows.map(({ id }) => nameOf(id)) },
    ]);
  if (rows.length > 1) return refused("several new objects match", [importOneOf(resource, rows, nameOf)]);
  if (id === undefined)
    return refused("a listing shows it without an ID or with a masked one", searchRemedies(context));
  const difference = doubt ?? (other.length > 0 ? wording`has different ${attributes(other)}` : undefined);
  if (difference === undefined) return { id };
  return refused(
    wording`the only matching new object ${difference}, so it may have been created by someone else`,
    [{ code: "import-if-yours", resource: resource.name, importId: nameOf(id) }],
  );
}

/** Seconds of the timeout of a read that its search leaves for the comparison of the object found. */
const lastSeconds = 10;

/**
 * Searches for the object of an interrupted create until `settle_seconds` after the stop, by the clock of the API. A later
 * read, whether or not the request was executed, may only find an equal object that somebody else created since: it lists
 * once, to name what it finds. Returns undefined, with a warning, if no object is certainly the created one. Throws
 * `OperationError` if the credentials may belong to another account than the state: that account may have an equal object.
 */
export async function findInterrupted(
  operation: Operation,
  state: ResourceState,
  region: string,
  { sentAt, stoppedAt, seenIds, isDated }: InterruptedCreate,
): Promise<string | undefined> {
  const { settings, ports } = operation.session;
  const before = seenIds.map((id) => rowOf(id, {}));
  const context = { operation, inputs: state.values, region, tracker: { sent: true, sentAt }, before };
  const isTimed = sentAt !== undefined && stoppedAt !== undefined;
  const latest = isTimed ? stoppedAt + settings.settleSeconds * 1000 : Number.NEGATIVE_INFINITY;
  const left = (operation.deadline - ports.clock.monotonic()) / 1000 - lastSeconds;
  const seconds = Math.max(0, Math.min(settings.settleSeconds, left));
  const found = await findCreated(context, seconds, { latest, isDated: isDated === true });
  refuseOtherAccount(operation, state);
  const pick = found.rows.length === 0 ? undefined : pickCreated(context, found, undefined);
  if (pick !== undefined && "id" in pick) {
    operation.warn({ code: "found-by-search", subject: operation.subject, id: pick.id });
    return pick.id;
  }
  requireAccount(operation, state);
  const { step: why, remedies } = pick?.failed ?? {
    step: "a search found no new object",
    remedies: searchRemedies(context),
  };
  operation.warn({ code: "may-exist", subject: operation.subject, why, remedies });
  return undefined;
}

/** Recorded facts that limit the search for the object of an interrupted create. */
interface Interruption {
  /** Time of the API in ms since 1970 at which the search ends: an object that appears later is not the created one. */
  readonly latest: number;
  /** True if all rows before the request had a creation time. */
  readonly isDated: boolean;
}

/**
 * Searches for at most `seconds` until a matching object that is not in `before` appears and shows all requested values
 * (docs/reliability.md#3.3). Another listing after the first one that shows the object checks that it is the only one. Time
 * passes without the process while the machine is suspended: an object counts only if it was created, or without a creation
 * time was listed, before the search had to end by the clock of the API.
 */
export async function findCreated(
  context: CreateContext,
  seconds: number,
  interruption?: Interruption,
): Promise<Found> {
  const { operation } = context;
  const { session, resource } = operation;
  if (!isListed(context)) return nothing;
  const { serverClock } = session;
  const { clock } = session.ports;
  const until = clock.monotonic() + seconds * 1000;
  const now = serverClock.known() ?? Number.POSITIVE_INFINITY;
  const latest = interruption?.latest ?? now + seconds * 1000 + clockToleranceMs;
  const { doubtOf, noteListed } = lateness(latest, interruption?.isDated ?? areDated(context.before));
  // Without a name, a new row may belong to another create of the scope, unless that one searches too.
  const others = visibilityOf(resource).isShownOnce ? runningCreates(context) : new Set();
  others.delete(context.inputs);
  const still = "no clear response; searching for the created object";
  operation.report(still);
  let isConfirming = false;
  return waitFor(operation, `${resource.name} settled`, async (after): Promise<Poll<Found>> => {
    // The time of the request counts, as the response may be slow.
    const began = clock.monotonic();
    if (others.size > 0 && began < until) return { pending: still };
    const listed = newRows(context, await existingRows(context, after));
    const isOver =
      began >= until || (interruption !== undefined && (serverClock.known(began) ?? 0) >= latest);
    const shownAt = serverClock.known(interruption === undefined ? began : undefined);
    if ((shownAt ?? Number.POSITIVE_INFINITY) <= latest) noteListed(listed);
    const certain = listed.filter((row) => !hasHiddenName(resource, row) && doubtOf(row) === undefined);
    if (certain.length < listed.length && !isOver) return { pending: still };
    const rows = certain.length > 0 ? certain : listed;
    const [doubt] = rows.some((row) => doubtOf(row) === undefined) ? [] : rows.map(doubtOf);
    if (doubt !== undefined && isOver) return { done: { rows, other: [], doubt } };
    if (!rows.some(({ id }) => id !== "")) return isOver ? { done: { rows, other: [] } } : { pending: still };
    if (!isConfirming) {
      isConfirming = true;
      return { pending: "found one object; searching for others" };
    }
    const { other, missing } = await differences(context, rows, after);
    const isComplete = !hasManyRows(context) && (other.length > 0 || missing.length === 0);
    return isComplete || isOver ? { done: { rows, other: [...other, ...missing] } } : { pending: still };
  });
}

/** Returns functions that tell rows of objects which existed at the time `latest` of the API, in ms since 1970, from later ones. */
function lateness(latest: number, isDated: boolean) {
  /** Ids that a listing showed in time, in the spelling by which they are compared. */
  const listedIds = new Set<string>();
  return {
    noteListed(rows: readonly Row<Fields>[]): void {
      for (const { id } of rows) listedIds.add(comparable(id));
    },
    /** Returns the reason why an object may be a later one; undefined for one that is not. */
    doubtOf(row: Row<Fields>): string | undefined {
      const createdAt = createdAtOf(row);
      if (latest === Number.NEGATIVE_INFINITY) return "cannot be compared with the time of the create";
      if (createdAt === undefined)
        return isDated || !listedIds.has(comparable(row.id)) ? "has no creation time" : undefined;
      return createdAt > latest ? "was created later" : undefined;
    },
  };
}

/**
 * Returns true for an object of several rows, which computed fields identify: while a listing lags, the first rows of
 * somebody else's object can equal the requested object.
 */
const hasManyRows = ({ operation: { resource } }: CreateContext): boolean =>
  Object.keys(identifyingValues(resource.fields)).length > 0;

/**
 * Returns the rows that may be the created object: those that match or have no name, are not in `before`, have no time
 * older than the create request, and were not found gone by this run.
 */
function newRows(context: CreateContext, rows: readonly Row<Fields>[]): readonly Row<Fields>[] {
  const { operation, inputs, tracker, before } = context;
  const { resource, session } = operation;
  const keyOf = ({ id }: Row<Fields>) => addressKey(resource, addressIn(context, id));
  const earlier = new Set(before.map(keyOf));
  const isEarlier = (row: Row<Fields>) =>
    earlier.has(keyOf(row)) || isKnownGone(operation, addressIn(context, row.id));
  // Without a name, any new row may be the object, except the objects that this process created.
  const possible = visibilityOf(resource).isShownOnce
    ? rows.filter(({ id }) => !session.objects.createdAt.has(plainId(id)))
    : [...matching(resource, rows, inputs), ...rows.filter((row) => hasHiddenName(resource, row))];
  const oldest = tracker?.sentAt === undefined ? Number.NEGATIVE_INFINITY : tracker.sentAt - clockToleranceMs;
  return possible.filter(
    (row) => !isEarlier(row) && (createdAtOf(row) ?? Number.POSITIVE_INFINITY) >= oldest,
  );
}

/** Compares the only row with the inputs. For an object that cannot be read yet, `missing` is not empty. */
async function differences(
  context: CreateContext,
  rows: readonly Row<Fields>[],
  after: number,
): Promise<ReturnType<typeof compareFound>> {
  const { operation, inputs } = context;
  const { fields } = operation.resource;
  const id = onlyId(rows);
  if (id === undefined || visibilityOf(operation.resource).isShownOnce) return { other: [], missing: [] };
  const identity = identifyingValues(fields, rows[0]);
  // One request creates an object with one such part; an object with several parts can be two of the same name.
  const several = Object.entries(identity).filter(([, value]) => Array.isArray(value) && value.length > 1);
  if (several.length > 0) return { other: several.map(([name]) => name), missing: [] };
  const known: Values = { ...identity, ...inputs };
  const observed = await readCurrent(operation, addressIn(context, id), { after, known });
  return observed === undefined ? { other: [], missing: ["state"] } : compareFound(fields, observed, inputs);
}

/** Returns the id if exactly one object was found and its id is complete; otherwise undefined. */
export function onlyId(rows: readonly Row<Fields>[]): string | undefined {
  const [row] = rows;
  return rows.length > 1 ? undefined : completeId(row?.id);
}
