import { CloudError, OperationError, type StopError } from "../../core/error.ts";
import { comparable, completeId, plainId } from "../../core/krn.ts";
import { type GivenRemedy, type Remedy, remediesOf } from "../../core/remedy.ts";
import type { InterruptedCreate, ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { attribute } from "../../core/wording.ts";
import { type Fields, identifyingValues } from "../../definition/field.ts";
import { hasShownOnce, idIn, type Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { refuseOtherAccount, requireAccount } from "../account.ts";
import type { Operation } from "../operation.ts";
import { regionIfNotDefault } from "../region.ts";
import { importId, importOneOf } from "../remediation.ts";
import {
  addressKey,
  addressOf,
  compareFound,
  isKnownGone,
  partialState,
  readCurrent,
} from "../state/state.ts";
import { type Poll, waitFor } from "../wait/wait.ts";
import {
  areDated,
  type CreateContext,
  clockToleranceMs,
  createdAtOf,
  existingRows,
  isListed,
  isUnnamed,
  matches,
  matching,
  runningCreates,
} from "./search.ts";

/**
 * Finds the object of a create whose response was lost, or reports that the object may exist. A name is no proof: somebody
 * else may create an object of that name at the same time.
 */

export const mayExist = { is: "may exist" } as const;
/** Existence after a billed request whose result neither a read nor a listing shows. */
const mayBeBilled = { is: "may be billed" } as const;

/**
 * Returns the id of the created object by search. Throws `OperationError` with existence "may exist" if no object is found
 * that is certainly the created one.
 */
export async function recoverId(
  context: CreateContext,
  before: readonly Row<Fields>[],
  cause?: unknown,
): Promise<string> {
  const { operation } = context;
  const found = await findCreated(context, before, operation.session.settings.settleSeconds);
  if (found.rows.length > 0) return pickCreated(context, found, cause);
  const step = isListed(context)
    ? "the API gave no clear response, and a search found no new object"
    : operation.resource.visibleThrough === undefined
      ? "the API gave no clear response, and does not list objects of this kind"
      : "the API gave no clear response, and an unattached object cannot be searched for";
  const newest = isListed(context) ? undefined : await newestId(context);
  if (newest !== undefined)
    throw operation.failed(
      "the API gave no clear response, and the newest object with this name may be the created one",
      mayExist,
      [{ code: "import-if-yours", resource: operation.resource.name, importId: newest }],
      undefined,
      cause,
    );
  throw unknownOutcome(context, step, cause);
}

/** Returns the import id of the object created last, if it matches and this process did not create it. */
export async function newestId({ operation, inputs, region }: CreateContext): Promise<string | undefined> {
  const { resource, session } = operation;
  try {
    const row = await resource.verbs.newest?.({ api: operation.api(region), region } as never);
    const id = row === undefined || !matches(resource, row, inputs) ? undefined : completeId(row.id);
    if (id === undefined || session.createdAt.has(plainId(id))) return undefined;
    return importId(resource, id, inputs, regionIfNotDefault(session, region));
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    session.log("debug", "the newest object cannot be read", { why: error.message });
    return undefined;
  }
}

/** Returns the error of a create that may have been executed and whose object no search found. */
export function unknownOutcome(context: CreateContext, step: string, cause: unknown): OperationError {
  const { operation } = context;
  const isMetered = operation.resource.billed !== undefined && !isListed(context);
  return isMetered
    ? operation.failed(step, mayBeBilled, ["next-is-billed"], undefined, cause)
    : operation.failed(step, mayExist, searchRemedies(context), undefined, cause);
}

/**
 * Returns the error of a create that may have been executed before it was interrupted. After a stop by the user the error
 * has a state from which the next read searches, if objects of this kind can be found by search and the time of the API is
 * known. Only Terraform stores a state without an id.
 */
export function interruptedCreate(
  context: CreateContext,
  before: readonly Row<Fields>[],
  step: string,
  cause: StopError,
): OperationError {
  const { operation, inputs, region, tracker } = context;
  const { resource, session } = operation;
  const sentAt = tracker?.sentAt;
  const stoppedAt = session.serverClock.known();
  const isFindable = isListed(context) && !hasShownOnce(resource);
  if (cause.why !== "stop" || !isFindable || sentAt === undefined || stoppedAt === undefined)
    return unknownOutcome(context, step, cause);
  const interrupted: InterruptedCreate = {
    sentAt,
    stoppedAt,
    seenIds: before.map(({ id }) => id),
    ...(areDated(before) ? { isDated: true } : {}),
  };
  const state = { ...partialState(resource, inputs, region, {}), interrupted, createdAt: stoppedAt };
  return operation.failed(step, mayExist, nextSearch(context), state, cause);
}

/** New objects that match the inputs of a create. */
export interface Found {
  readonly rows: readonly Row<Fields>[];
  /** Fields in which the only object differs from the inputs. */
  readonly other: readonly string[];
  /** Reason why no row is certainly the created object, whatever it shows. */
  readonly doubt?: string | undefined;
}

/**
 * Returns the id of the only object found. Throws `OperationError` if several match, if the object differs from the inputs,
 * if its id is missing or masked, or if the lost response contained a secret that is shown only once.
 */
export function pickCreated(context: CreateContext, { rows, other, doubt }: Found, cause: unknown): string {
  const { operation, inputs, region } = context;
  const { resource, session } = operation;
  const id = onlyId(rows);
  const nameOf = (id: string) => importId(resource, id, inputs, regionIfNotDefault(session, region));
  const notAccepted = (step: string, remedies: readonly GivenRemedy[]) =>
    operation.failed(step, mayExist, remedies, undefined, cause);
  if (hasShownOnce(resource))
    throw notAccepted("the response with the secret of the new object is lost", [
      { code: "delete-unusable", resource: resource.name, importIds: rows.map(({ id }) => nameOf(id)) },
    ]);
  if (rows.length > 1) throw notAccepted("several new objects match", [importOneOf(resource, rows, nameOf)]);
  if (id === undefined)
    throw notAccepted("a listing shows it without an ID or with a masked one", searchRemedies(context));
  const difference =
    doubt ?? (other.length > 0 ? `has different ${other.map(attribute).join(", ")}` : undefined);
  if (difference !== undefined)
    throw notAccepted(
      `the only matching new object ${difference}, so it may have been created by someone else`,
      [{ code: "import-if-yours", resource: resource.name, importId: nameOf(id) }],
    );
  return id;
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
  const context = { operation, inputs: state.values, region, tracker: { sent: true, sentAt } };
  const before = seenIds.map((id) => ({ id }) as Row<Fields>);
  const isTimed = sentAt !== undefined && stoppedAt !== undefined;
  const latest = isTimed ? stoppedAt + settings.settleSeconds * 1000 : Number.NEGATIVE_INFINITY;
  const left = (operation.deadline - ports.clock.monotonic()) / 1000 - lastSeconds;
  const seconds = Math.max(0, Math.min(settings.settleSeconds, left));
  const found = await findCreated(context, before, seconds, { latest, isDated: isDated === true });
  refuseOtherAccount(operation, state);
  const warn = (why: string, remedies: readonly GivenRemedy[]) => {
    requireAccount(operation, state);
    operation.warn({ code: "may-exist", subject: operation.subject, why, remedies });
  };
  if (found.rows.length === 0) {
    warn("a search found no new object", searchRemedies(context));
    return undefined;
  }
  try {
    const id = pickCreated(context, found, undefined);
    operation.warn({ code: "found-by-search", subject: operation.subject, id });
    return id;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    warn(error.step, error.remedies);
    return undefined;
  }
}

/** Returns the remedies for an object that may exist. */
export function searchRemedies(context: CreateContext): readonly GivenRemedy[] {
  const { resource } = context.operation;
  // No listing shows it, and unattached it has no effect (docs/reliability.md#3.5).
  if (resource.visibleThrough !== undefined) return ["next-creates-another"];
  // An import is useless for an object that no route reads, and for one whose secret is lost.
  if (resource.notReadable !== undefined || hasShownOnce(resource)) return ["delete-if-exists"];
  return [
    { code: "import-if-exists", resource: resource.name, importId: importOfCreated(context) },
    "set-adopt-existing",
  ];
}

/**
 * Returns the remedies for an object whose state has no id: the next Terraform run searches for the object; Pulumi stores
 * no such state.
 */
export const nextSearch = (context: CreateContext): readonly GivenRemedy[] => [
  { code: "next-searches", only: "terraform" },
  ...remediesOf(searchRemedies(context)).map((remedy): Remedy => ({ ...remedy, only: "pulumi" })),
];

/** Returns the import id of the object of a create: with the name if that is enough, otherwise with a placeholder. */
export function importOfCreated({ operation, inputs, region }: CreateContext): string {
  const { resource, session } = operation;
  return importId(resource, ownId(resource, inputs), inputs, regionIfNotDefault(session, region));
}

/** Returns the value that identifies the object in an import id, or the placeholder `ID`. */
function ownId(resource: Resource, inputs: Values): string {
  const { importedBy = [] } = resource;
  const [field, ...more] = importedBy;
  const value = field === undefined || more.length > 0 ? undefined : inputs[field];
  return typeof value === "string" ? value : (idIn(resource, inputs) ?? "ID");
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
  before: readonly Row<Fields>[],
  seconds: number,
  interruption?: Interruption,
): Promise<Found> {
  const { operation, inputs } = context;
  const { session, resource } = operation;
  if (!isListed(context)) return { rows: [], other: [] };
  const { serverClock } = session;
  const { clock } = session.ports;
  const until = clock.monotonic() + seconds * 1000;
  const isDated = interruption?.isDated ?? areDated(before);
  const now = serverClock.known() ?? Number.POSITIVE_INFINITY;
  const latest = interruption?.latest ?? now + seconds * 1000 + clockToleranceMs;
  /** Ids that a listing showed in time, in the spelling by which they are compared. */
  const listedIds = new Set<string>();
  const doubtOf = (row: Row<Fields>): string | undefined => {
    const createdAt = createdAtOf(row);
    if (latest === Number.NEGATIVE_INFINITY) return "cannot be compared with the time of the create";
    if (createdAt === undefined)
      return isDated || !listedIds.has(comparable(row.id)) ? "has no creation time" : undefined;
    return createdAt > latest ? "was created later" : undefined;
  };
  // An object with a secret shown only once has no name: while other creates run, a new row may belong to one of them.
  const others = hasShownOnce(resource) ? runningCreates(context) : undefined;
  others?.delete(inputs);
  const still = "no clear response; searching for the created object";
  operation.report(still);
  let isSeen = false;
  return waitFor(operation, `${resource.name} settled`, async (after): Promise<Poll<Found>> => {
    // The time of the request counts, as the response may be slow.
    const began = clock.monotonic();
    if (others !== undefined && others.size > 0 && began < until) return { still };
    const found = newRows(context, before, await existingRows(context, after));
    const isOver =
      began >= until || (interruption !== undefined && (serverClock.known(began) ?? 0) >= latest);
    const shownAt = serverClock.known(interruption === undefined ? began : undefined);
    if ((shownAt ?? Number.POSITIVE_INFINITY) <= latest)
      for (const { id } of found) listedIds.add(comparable(id));
    const clear = found.filter((row) => !hasHiddenName(resource, row) && doubtOf(row) === undefined);
    if (clear.length < found.length && !isOver) return { still };
    const rows = clear.length > 0 ? clear : found;
    const [doubt] = rows.some((row) => doubtOf(row) === undefined) ? [] : rows.map(doubtOf);
    if (doubt !== undefined && isOver) return { done: { rows, other: [], doubt } };
    if (!rows.some(({ id }) => id !== "")) return isOver ? { done: { rows, other: [] } } : { still };
    if (!isSeen) {
      isSeen = true;
      return { still: "found one object; searching for others" };
    }
    const { other, missing } = await differences(context, rows, after);
    const isComplete = !hasManyRows(resource) && (other.length > 0 || missing.length === 0);
    return isComplete || isOver ? { done: { rows, other: [...other, ...missing] } } : { still };
  });
}

/**
 * Returns true for an object of several rows, which computed fields identify: while a listing lags, the first rows of
 * somebody else's object can equal the requested object.
 */
const hasManyRows = ({ fields }: Resource): boolean => Object.keys(identifyingValues(fields)).length > 0;

/**
 * Returns the rows that may be the created object: those that match or have no name, are not in `before`, have no time
 * older than the create request, and were not found gone by this run.
 */
export function newRows(
  { operation, inputs, region, tracker }: CreateContext,
  before: readonly Row<Fields>[],
  rows: readonly Row<Fields>[],
): readonly Row<Fields>[] {
  const { resource, session } = operation;
  const at = ({ id }: Row<Fields>) => addressOf(resource, id, region, inputs);
  const old = new Set(before.map((row) => addressKey(resource, at(row))));
  const isOld = (row: Row<Fields>) =>
    old.has(addressKey(resource, at(row))) || isKnownGone(operation, at(row));
  // Without a name, any new row may be the object, except the objects that this process created.
  const found = hasShownOnce(resource)
    ? rows.filter(({ id }) => !session.createdAt.has(plainId(id)))
    : [...matching(resource, rows, inputs), ...rows.filter((row) => hasHiddenName(resource, row))];
  const oldest = tracker?.sentAt === undefined ? Number.NEGATIVE_INFINITY : tracker.sentAt - clockToleranceMs;
  return found.filter((row) => !isOld(row) && (createdAtOf(row) ?? Number.POSITIVE_INFINITY) >= oldest);
}

/** Returns true for a row that does not show its name, if objects of its kind are found by name. */
const hasHiddenName = (resource: Resource, row: Row<Fields>): boolean =>
  resource.verbs.matches === undefined && isUnnamed(resource, row);

/** Compares the only row with the inputs. For an object that cannot be read yet, `missing` is not empty. */
async function differences(
  { operation, inputs, region }: CreateContext,
  rows: readonly Row<Fields>[],
  after: number,
): Promise<ReturnType<typeof compareFound>> {
  const { resource } = operation;
  const id = onlyId(rows);
  if (id === undefined || hasShownOnce(resource)) return { other: [], missing: [] };
  const identity = identifyingValues(resource.fields, rows[0]);
  // One request creates a batch with one job; a batch with several jobs can be two batches of the same name.
  const several = Object.entries(identity).filter(([, value]) => Array.isArray(value) && value.length > 1);
  if (several.length > 0) return { other: several.map(([name]) => name), missing: [] };
  const known = { ...identity, ...inputs };
  const seen = await readCurrent(operation, addressOf(resource, id, region, inputs), after, known);
  return seen === undefined ? { other: [], missing: ["state"] } : compareFound(resource.fields, seen, inputs);
}

/** Returns the id if exactly one object was found and its id is complete; otherwise undefined. */
export function onlyId(found: readonly Row<Fields>[]): string | undefined {
  const [row] = found;
  return found.length > 1 ? undefined : completeId(row?.id);
}
