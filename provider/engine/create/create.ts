import { backoff, pauseFor } from "../../client/client.ts";
import {
  type CloudError,
  type Existence,
  FailedError,
  InputError,
  isAmbiguous,
  isConflict,
  isNotFound,
  mayHaveExecuted,
  OperationError,
  StopError,
  UndecidedError,
} from "../../core/error.ts";
import { completeId, plainId } from "../../core/krn.ts";
import type { GivenRemedy, Remedy } from "../../core/remedy.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { Fields } from "../../definition/field.ts";
import { deferredFields, updatableFields } from "../../definition/field.ts";
import { hasShownOnce, type Resource, type Work } from "../../definition/resource.ts";
import type { Receipt, Row } from "../../definition/verb.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import { isCancelled } from "../cancel.ts";
import { sendChanges } from "../change.ts";
import { dependentsOf } from "../dependents.ts";
import { untilLeft } from "../leaving.ts";
import { echoSeconds, messageOf, type Operation } from "../operation.ts";
import { nameKey } from "../planned-object.ts";
import { parentRegionProblems, regionFor, regionIfNotDefault } from "../region.ts";
import {
  importId,
  importOneOf,
  remediesBeforeResume,
  remediesFor,
  requestStopped,
  stepOf,
} from "../remediation.ts";
import { isFresh, type Session } from "../session.ts";
import { ever } from "../shared-listing.ts";
import {
  type Address,
  addressOf,
  conformToPlan,
  driftedFields,
  hasDecidingList,
  hasShownAnother,
  isKnownGone,
  mergeState,
  noteWrite,
  partialState,
  readCurrent,
  recordCreation,
  scopeKey,
  unconfirmedChange,
  withAllTags,
} from "../state/state.ts";
import { type Poll, waitFor, waitUntilReady } from "../wait/wait.ts";
import { newObject } from "../whole-object.ts";
import { adopt } from "./adopt.ts";
import {
  findCreated,
  importOfCreated,
  interruptedCreate,
  mayExist,
  newestId,
  newRows,
  nextSearch,
  onlyId,
  pickCreated,
  recoverId,
  searchRemedies,
  unknownOutcome,
} from "./recover.ts";
import { createResult } from "./result.ts";
import {
  type CreateContext,
  claim,
  existingRows,
  isListed,
  matches,
  matching,
  placeholderAddress,
  retained,
  rowsBefore,
} from "./search.ts";
import { awaitStatus, isTolerated, keepStarted } from "./started.ts";
import { finishTask, ownId } from "./task.ts";

export { createdAtOf, isListedWithoutId, matches, matching } from "./search.ts";
export { ownId, type Resolved, resolveId } from "./task.ts";

/**
 * Creates an object (docs/reliability.md#3.3): searches, sends the request once, records the id before waiting, and
 * recovers from an ambiguous response by search. Throws `OperationError`, after the request with the partial state.
 */
export async function create(operation: Operation, inputs: Values): Promise<ResourceState> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, inputs);
  const elsewhere = parentRegionProblems(resource, inputs, region);
  if (elsewhere.length > 0) throw new InputError(elsewhere);
  const context: CreateContext = { operation, inputs, region, tracker: { sent: false, searches: true } };
  if (resource.stateOnly) return createResult(context);
  const release = claim(context);
  try {
    const retainedId = onlyId(matching(resource, retained(context), inputs));
    if (retainedId !== undefined) return await resume(context, retainedId);
    await untilNameLeft(context);
    const existing = async () => {
      const before = await afterParents(context, () => rowsBefore(context));
      return { before, same: await withoutGone(context, matching(resource, before, inputs)) };
    };
    let { before, same } = await existing();
    const isTaken = same.length > 0 && (!session.settings.adoptExisting || isGivenUp(context, same));
    if (isTaken) {
      await untilNameLeft(context, same);
      ({ before, same } = await existing());
    }
    return await (same.length > 0 ? adopt(context, same) : make(context, before));
  } finally {
    release();
  }
}

/** Returns true if another resource of the configuration has one of the objects until this run deletes, replaces or renames it. */
const isGivenUp = ({ operation }: CreateContext, rows: readonly Row<Fields>[]): boolean =>
  rows.some(({ id }) => operation.holderOf?.(id) === "leaving");

/** Waits while this run deletes or renames an object with the name; `rows` are the existing objects of that name. */
const untilNameLeft = (context: CreateContext, rows: readonly Row<Fields>[] = []): Promise<boolean> =>
  untilLeft(
    context.operation,
    placeholderAddress(context),
    ({ id, values }) =>
      matches(context.operation.resource, { ...values, id } as unknown as Row<Fields>, context.inputs),
    rows.map(({ id }) => id),
  );

/**
 * Returns the rows without objects that this process deleted, which a late listing may show, and without cancelled work,
 * which listings show for an unknown time (docs/contract.md#12).
 */
async function withoutGone(
  context: CreateContext,
  rows: readonly Row<Fields>[],
): Promise<readonly Row<Fields>[]> {
  const { operation, inputs, region } = context;
  const { resource } = operation;
  if (resource.idField !== undefined) return rows;
  const left = rows.filter(({ id }) => !isKnownGone(operation, addressOf(resource, id, region, inputs)));
  if (resource.work === undefined) return left;
  const running: Row<Fields>[] = [];
  for (const row of left) if (await isRunning(context, resource.work, row)) running.push(row);
  return running;
}

/**
 * Returns true if listed work was not cancelled. A gateway may have sent a 404: a 404 counts if the route has shown another
 * object in this run, or after `settle_seconds` (docs/reliability.md#3.9).
 */
function isRunning(
  { operation, inputs, region }: CreateContext,
  work: Work<string>,
  { id }: Row<Fields>,
): Promise<boolean> {
  const { clock } = operation.session.ports;
  const address = addressOf(operation.resource, id, region, inputs);
  const until = clock.monotonic() + operation.session.settings.settleSeconds * 1000;
  return waitFor(operation, `${operation.resource.name} found`, async (after): Promise<Poll<boolean>> => {
    const seen = await readCurrent(operation, address, after, inputs);
    if (seen !== undefined) return { done: !isCancelled(work, seen) };
    const isGone = hasShownAnother(operation, address) || clock.monotonic() >= until;
    return isGone
      ? { done: false }
      : { still: "an object with this name is listed, but a read does not show it" };
  });
}

/**
 * Sends a request that contains ids of other objects. Retries after a 404 while one of them is new, as the API may not show
 * that one yet: a request with a 404 was not executed.
 */
async function afterParents<T>({ operation, inputs }: CreateContext, ask: () => Promise<T>): Promise<T> {
  const { session, signal } = operation;
  for (let pause = 500; ; pause = Math.min(8_000, pause * 2)) {
    try {
      return await ask();
    } catch (error) {
      if (!isNotFound(error) || !namesFresh(session, inputs)) throw error;
      operation.report(error.said);
      await session.ports.clock.sleep(pause, signal);
    }
  }
}

/** Progress of a create. */
interface CreateProgress {
  id?: string | undefined;
  task?: string | undefined;
  /** Set if only a search found the id. */
  found?: true;
  /** Set once the object was ready: a later failure is not a failed create. */
  ready?: true;
}

async function make(context: CreateContext, before: readonly Row<Fields>[]): Promise<ResourceState> {
  const progress: CreateProgress = {};
  let made = context;
  try {
    const sent = await send(context, before);
    if ("existing" in sent) return await adopt(context, sent.existing, sent.conflict);
    const { id, task, found, once, values } = sent;
    Object.assign(progress, { id: completeId(id), task, found });
    made = { ...context, inputs: { ...context.inputs, ...(once as Values), ...(values as Values) } };
    progress.id ??= await identify(made, before, progress);
    if (progress.found)
      context.operation.warn({
        code: "found-by-search",
        subject: context.operation.subject,
        id: progress.id,
      });
    return await awaitStatus(made, await complete(made, progress.id, progress));
  } catch (error) {
    if (error instanceof OperationError) throw error;
    if (progress.id !== undefined && isTolerated(made, error)) return keepStarted(made, progress.id, error);
    throw await createFailure(made, before, progress, error);
  }
}

/**
 * Resumes with an undeletable object that this run removed from the state: the object still exists, so only the drifted
 * fields that can change in place are sent.
 */
async function resume(context: CreateContext, id: string): Promise<ResourceState> {
  context.operation.session.retained.delete(id);
  try {
    return await complete(context, id, {}, updatableFields(context.operation.resource.fields));
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw await createFailure(context, [], { id, ready: true }, error);
  }
}

/** Result of a create request: that of the API, or the id that a search found after an ambiguous response. */
type Sent = (Receipt & { readonly found?: true }) | Existing;

/** Objects created since the search before the request, because of which the API rejected the only request. */
interface Existing {
  readonly existing: readonly Row<Fields>[];
  readonly conflict: CloudError;
}

/**
 * Sends the create request. Recovers from an ambiguous response by search. Sends the request again only after a 404 or a
 * 429, and after a listing that does not show the object.
 */
async function send(context: CreateContext, before: readonly Row<Fields>[]): Promise<Sent> {
  const { operation, inputs, region, tracker } = context;
  const { resource, session } = operation;
  const sent = withAllTags(resource, inputs, session.settings);
  const call = { api: operation.api(region, tracker), region, inputs: verbInputs(sent) };
  /** Runs a search or a pause after the request. A stop throws the error of an interrupted create: the next read searches. */
  const recovering = <T>(step: string, run: Promise<T>): Promise<T> =>
    run.catch((error: unknown) => {
      throw error instanceof StopError ? interruptedCreate(context, before, step, error) : error;
    });
  const { settleSeconds } = session.settings;
  let existence: Existence = { is: "nothing created" };
  for (let nth = 1; ; nth++) {
    try {
      return await afterParents(context, () => resource.verbs.create(call)).finally(() =>
        noteWrite(operation, placeholderAddress(context)),
      );
    } catch (error) {
      // A verb may read other objects before it sends the request.
      if (isAmbiguous(error) && tracker?.sent)
        return { id: await recovering(unknownId, recoverId(context, before, error)), found: true };
      if (isConflict(error) && nth === 1) {
        const isFreed = await untilNameLeft(context);
        const found = await findCreated(context, before, echoSeconds);
        if (found.rows.length > 0 && hasShownOnce(resource)) pickCreated(context, found, error);
        if (found.rows.length > 0) return { existing: found.rows, conflict: error };
        if (isFreed) {
          nth = 0;
          continue;
        }
        const newest = isListed(context) ? undefined : await newestId(context);
        if (newest !== undefined)
          throw operation.failed(
            "an object with this name already exists",
            { is: "exists", id: newest },
            [
              { code: "import-if-unmanaged", resource: resource.name, importId: newest },
              "choose-other-name",
              "if-replaced",
            ],
            undefined,
            error,
          );
        // The create may have been executed in spite of the conflict; the object may then be listed later.
        existence = notListed(context, echoSeconds);
      } else if (isRefusedForNow(error)) {
        const { rows, seconds } = await recovering(
          "the run was stopped before the request was sent again",
          searchAfterRefusal(context, before, error, nth),
        );
        // A row without an id may be the object, too.
        if (rows.length > 0) {
          const found = await recovering(unknownId, findCreated(context, before, settleSeconds));
          if (found.rows.length > 0) return { id: pickCreated(context, found, error), found: true };
        }
        existence = notListed(context, hasDecidingList(resource) ? seconds : 0);
        if (mayRepeat(context, error, nth)) {
          warnOfRepeat(context, error, existence);
          continue;
        }
        if (!isListed(context) && error.failure === "throttled")
          throw unknownOutcome(context, stepOf(error), error);
      } else if (isConflict(error) || mayHaveExecuted(error) || error instanceof FailedError) {
        const found = await recovering(unknownId, findCreated(context, before, settleSeconds));
        if (found.rows.length > 0) return { id: pickCreated(context, found, error), found: true };
        existence = notListed(context, settleSeconds);
      } else if (tracker?.sent) {
        throw error instanceof StopError
          ? interruptedCreate(context, before, requestStopped, error)
          : unknownOutcome(context, stepOf(error), error);
      }
      const conflicts = isConflict(error) ? await conflictsOf(context, before, call) : undefined;
      const remedies: readonly GivenRemedy[] =
        // The objects that explain the conflict are the only useful remedy.
        conflicts !== undefined
          ? [conflicts]
          : [
              ...(isConflict(error) ? (["choose-other-value"] as const) : []),
              ...remediesFor(error),
              ...lateRemedies(context, existence),
            ];
      if (existence.is === "may exist") throw unknownOutcome(context, stepOf(error), error);
      throw operation.failed(stepOf(error), existence, remedies, undefined, error);
    }
  }
}

const unknownId = "the ID of the new object is not known";

/** Maximum requests of one create: each but the last returned a 404 or a 429. */
const maxRequests = 20;

/** Returns true for a 404 or a 429: a later request may succeed, and the create may have been executed. */
const isRefusedForNow = (error: unknown): error is CloudError =>
  mayHaveExecuted(error) && (error.failure === "throttled" || error.status === 404);

/**
 * Waits for the time that the API requests, but at least until a listing shows a created object. Returns the new rows of
 * that listing, which waiting creates share, and the wait in seconds. Throws `OperationError` at the deadline.
 */
async function searchAfterRefusal(
  context: CreateContext,
  before: readonly Row<Fields>[],
  error: CloudError,
  nth: number,
): Promise<{ readonly rows: readonly Row<Fields>[]; readonly seconds: number }> {
  const { operation } = context;
  const { clock, random } = operation.session.ports;
  const pause = pauseFor(error.retryAfter, Math.max(echoSeconds * 1000, backoff(random, nth, 1_000, 60_000)));
  operation.report(error.said);
  if (error.failure === "throttled") operation.session.rateLimiter.pause(pause);
  await clock.sleep(pause, operation.signal).catch((stop: unknown) => {
    if (!(stop instanceof StopError) || stop.why === "stop") throw stop;
    throw unknownOutcome(context, `${stepOf(error)}: ${stop.message}`, error);
  });
  const rows = newRows(context, before, await existingRows(context, ever, clock.monotonic()));
  // After a second 429, the listing may have used up the current rate limit.
  if (error.failure === "throttled" && nth > 1) operation.session.rateLimiter.pause(1_000);
  return { rows, seconds: Math.floor(pause / 1000) };
}

/**
 * Returns the existence of an object that a search did not find `seconds` after the request: a listing may lag. A gateway
 * may have sent the 404 of a read: a 404 proves that nothing was created only after `settle_seconds` of polls, or if the
 * route has shown another object (docs/reliability.md#3.9).
 */
function notListed(context: CreateContext, seconds: number): Existence {
  const { operation } = context;
  if (!isListed(context)) return { is: "nothing created" };
  if (hasDecidingList(operation.resource)) return { is: "not listed", seconds };
  const isProven =
    seconds >= operation.session.settings.settleSeconds ||
    hasShownAnother(operation, placeholderAddress(context));
  return isProven ? { is: "nothing created" } : mayExist;
}

/** Returns the remedy for an object that a later listing may show; empty for any other existence. */
function lateRemedies(context: CreateContext, { is }: Existence): readonly GivenRemedy[] {
  if (is !== "not listed") return [];
  const { resource } = context.operation;
  return [
    hasShownOnce(resource)
      ? "delete-if-listed"
      : {
          code: "import-if-listed",
          resource: resource.name,
          importId: importOfCreated(context),
          isRecreated: true,
        },
  ];
}

/** Warns, once per run and kind, that a create is sent again: the first request may have been executed. */
function warnOfRepeat({ operation }: CreateContext, error: CloudError, existence: Existence): void {
  const { resource, session, subject } = operation;
  const key = `${resource.name}: create sent again`;
  if (existence.is !== "not listed" || session.warnedKinds.has(key)) return;
  session.warnedKinds.add(key);
  operation.warn({ code: "sent-again", subject, status: error.status, seconds: existence.seconds });
}

/**
 * Returns true if the request may be sent again: a listing would show the object of the first request, or an object that no
 * listing shows has no effect. A 404 is final unless a parent is new.
 */
function mayRepeat({ operation, inputs }: CreateContext, error: CloudError, nth: number): boolean {
  const { session, resource } = operation;
  const isHarmless = isListed({ operation, inputs }) || resource.visibleThrough !== undefined;
  const mayPass = error.failure === "throttled" || namesFresh(session, inputs);
  return isHarmless && mayPass && nth < maxRequests && session.rateLimiter.spendRetry(5);
}

/** Returns true if the inputs name an object that this process created a moment ago. */
const namesFresh = (session: Session, inputs: Values): boolean =>
  Object.values(inputs)
    .flat()
    .some((value) => typeof value === "string" && isFresh(session, value));

/**
 * Returns the remedy that names the objects with which a create conflicts; undefined if none are known. If the definition
 * finds none, these are the existing objects of the same name: `matches` does not accept them, but the API may require
 * unique names.
 */
async function conflictsOf(
  { operation, inputs }: CreateContext,
  before: readonly Row<Fields>[],
  call: Parameters<NonNullable<Resource["verbs"]["conflicts"]>>[0],
): Promise<Remedy | undefined> {
  const { name: kind, verbs } = operation.resource;
  const conflicts = await dependentsOf(operation, verbs.conflicts?.(call));
  if (conflicts !== undefined) return { code: "remove-conflicts", objects: conflicts, by: "value" };
  const own = nameKey(inputs);
  const same = before.filter((row) => own !== "" && nameKey(row as unknown as Values) === own);
  const objects = same.map(({ id }) => ({ kind, id, name: own }));
  return objects.length === 0 ? undefined : { code: "remove-conflicts", objects, by: "name" };
}

/**
 * Returns the id of the created object: polls the task until it shows an id, or searches if neither the response nor the
 * task contains one. After a successful task the only new object is the created one.
 */
async function identify(
  context: CreateContext,
  before: readonly Row<Fields>[],
  progress: CreateProgress,
): Promise<string> {
  const { task } = progress;
  const end =
    task === undefined ? undefined : await finishTask(context, Object.assign(progress, { task }), before);
  if (end?.id !== undefined) return end.id;
  if (end?.succeeded !== true) progress.found = true;
  return recoverId(context, before);
}

async function complete(
  context: CreateContext,
  id: string,
  progress: CreateProgress,
  later = deferredFields(context.operation.resource.fields),
): Promise<ResourceState> {
  const { operation, inputs, region } = context;
  const { resource, session } = operation;
  const address = addressOf(resource, id, region, inputs);
  session.listings.named(scopeKey(resource, address), placeholderAddress(context).id, id);
  session.createdAt.set(plainId(id), session.ports.clock.monotonic());
  const seen = await applyLaterFields(operation, address, inputs, progress, later);
  const own = ownId(seen, id);
  session.createdAt.set(plainId(own), session.ports.clock.monotonic());
  return {
    id: own,
    task: undefined,
    values: conformToPlan(resource.fields, { ...seen, region }, inputs),
    unread: [],
    createdAt: recordCreation(operation, { ...address, id: own }),
  };
}

/**
 * Waits until the object is ready, then sends the fields in `later` that the object does not show yet. A resource without
 * a lifecycle counts as ready at once.
 */
async function applyLaterFields(
  operation: Operation,
  address: Address,
  inputs: Values,
  progress: CreateProgress,
  later: readonly string[],
): Promise<Values> {
  const { fields, lifecycle, notReadable } = operation.resource;
  const deferred = later.filter((name) => (inputs[name] ?? null) !== null);
  if (deferred.length === 0) return waitUntilReady(operation, address, inputs);
  const made = Object.fromEntries(Object.entries(inputs).filter(([name]) => !deferred.includes(name)));
  const seen =
    lifecycle === undefined
      ? ((notReadable ?? {}) as Values)
      : await waitUntilReady(operation, address, made);
  if (lifecycle !== undefined) progress.ready = true;
  progress.id = ownId(seen, address.id);
  const own = { ...address, id: progress.id };
  const other = driftedFields(fields, seen, inputs);
  const missing = new Set(deferred.filter((name) => other.includes(name)));
  const prior = { ...made, ...seen };
  const whole = newObject(operation, inputs);
  if (missing.size === 0) return lifecycle === undefined ? waitUntilReady(operation, own, inputs) : seen;
  await sendChanges(operation, { address: own, prior, inputs, whole }, missing);
  const sent = Object.keys(inputs).filter((name) => (inputs[name] ?? null) !== null);
  return waitUntilReady(operation, own, inputs, { changed: new Set(sent) });
}

/**
 * Returns the error of a create whose request was sent, with the partial state or with existence "may exist". The state
 * does not mark an object as failed that only a search found, since the next run would delete an object that may belong to
 * somebody else. It does not mark an object either that the API does not report as failed: the next run reads it again,
 * unless the engine replaces it.
 */
async function createFailure(
  context: CreateContext,
  before: readonly Row<Fields>[],
  progress: CreateProgress,
  error: unknown,
): Promise<OperationError> {
  const { operation, inputs, region } = context;
  const { resource, session } = operation;
  const failed = error instanceof FailedError && progress.ready !== true;
  if (error instanceof UndecidedError) {
    const rows = error.ids.map((id) => ({ id }) as Row<Fields>);
    const nameOf = (id: string) => importId(resource, id, inputs, regionIfNotDefault(session, region));
    return operation.failed(unknownId, mayExist, [importOneOf(resource, rows, nameOf)], undefined, error);
  }
  const { id, isFound, isNone } = await identifyFailed(context, before, progress, failed);
  const made = {
    ...partialState(resource, inputs, region, { ...progress, id }),
    // The API may not show a task at first, so its state needs a time too.
    createdAt:
      id === undefined
        ? session.serverClock.time()
        : recordCreation(operation, addressOf(resource, id, region, inputs)),
    unconfirmed: id === undefined ? undefined : unconfirmedChange(operation, id),
  };
  if (id !== undefined && isFound) {
    const importedBy = importId(resource, id, inputs, regionIfNotDefault(session, region));
    return operation.failed(
      progress.ready ? afterReady : notReady,
      { is: "found", id },
      [
        "check-object",
        { code: "import", resource: resource.name, importId: importedBy, only: "terraform" },
        { code: "delete-object", only: "terraform" },
        { code: "run-again", only: "pulumi" },
      ],
      { ...made, foundBySearch: true },
      error,
    );
  }
  if (id !== undefined) {
    const isFinal = failed && !error.mayRecover;
    const failure = isFinal && !resource.repairable ? { failed: messageOf(error, session) } : {};
    const state = failed ? asSeen(context, { ...made, ...failure }, error) : made;
    const next = isFinal && !resource.repairable ? "next-replaces" : "next-resumes";
    return operation.failed(
      progress.ready ? afterReady : notReady,
      { is: "recorded", id },
      [...remediesBeforeResume(error), next],
      state,
      error,
    );
  }
  if (isNone) {
    const existence = notListed(context, session.settings.settleSeconds);
    const remedies = [...remediesFor(error), ...lateRemedies(context, existence)];
    return operation.failed(stepOf(error), existence, remedies, undefined, error);
  }
  const { task } = progress;
  if (task === undefined)
    return operation.failed(unknownId, mayExist, searchRemedies(context), undefined, error);
  return operation.failed(`${unknownId}; its task is ${task}`, mayExist, nextSearch(context), made, error);
}

const afterReady = "the object was created, but a later step failed";
const notReady = "the object was created but did not become ready";

/**
 * Returns the id of an object whose create did not finish. A failed create may leave an object whose id the task does not
 * contain: a row without an id may be that object, even if such a row was listed before. A failed search proves nothing.
 */
async function identifyFailed(
  context: CreateContext,
  before: readonly Row<Fields>[],
  { id, found }: CreateProgress,
  failed: boolean,
): Promise<{ id: string | undefined; isFound: boolean; isNone: boolean }> {
  if (id !== undefined || !failed) return { id, isFound: found === true, isNone: false };
  const identified = before.filter((row) => row.id !== "");
  const { settleSeconds } = context.operation.session.settings;
  const search = await findCreated(context, identified, settleSeconds).catch(() => undefined);
  const isSame = search?.other.length === 0 && search.doubt === undefined;
  return { id: isSame ? onlyId(search.rows) : undefined, isFound: true, isNone: search?.rows.length === 0 };
}

/** Returns the state with the values that the API showed of a failed object, such as the reason of the failure. */
const asSeen = (
  { operation, inputs, region }: CreateContext,
  state: ResourceState,
  { seen }: FailedError,
): ResourceState =>
  seen === undefined
    ? state
    : { ...state, values: mergeState(operation.resource.fields, { ...seen, region }, inputs) };
