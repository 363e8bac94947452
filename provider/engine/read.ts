import type { OperationError } from "../core/error.ts";
import { matchesMasked, sameId, uuidOf } from "../core/krn.ts";
import type { GivenRemedy } from "../core/remedy.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import type { Fields } from "../definition/field.ts";
import { hasShownOnce, type Resource } from "../definition/resource.ts";
import type { Row } from "../definition/verb.ts";
import { noteAccount, refuseOtherAccount, requireAccount } from "./account.ts";
import { createdAtOf, isListedWithoutId, matches, matching, ownId, resolveId } from "./create/create.ts";
import { refuseUnidentified } from "./identity.ts";
import { messageOf, type Operation } from "./operation.ts";
import { regionFor, regionIfNotDefault } from "./region.ts";
import { importId } from "./remediation.ts";
import { ever } from "./shared-listing.ts";
import {
  type Address,
  addressOf,
  confirmed,
  hasDecidingList,
  hasLost,
  isKnownGone,
  isOnlyListed,
  isProvenAbsent,
  isUnsettled,
  listIfAuthoritative,
  mayBeUnlisted,
  mergeState,
  missesBeforeGone,
  missingFields,
  readCurrent,
  stateWhenInvisible,
  statusOf,
  unprovenMs,
} from "./state/state.ts";
import { failureOf } from "./wait/wait.ts";

/** Pauses in ms between the consecutive misses before an object counts as gone; the last one is repeated. */
const pauses = [1_000, 2_000, 4_000, 8_000];

/**
 * Reads an object in the state. Returns undefined only if the object is proven gone (docs/reliability.md#3.9). Throws for a
 * rejection, an HTML page or a truncated body; the state then stays unchanged.
 */
export async function read(operation: Operation, state: ResourceState): Promise<ResourceState | undefined> {
  const { resource, session } = operation;
  if (resource.stateOnly) return state;
  noteAccount(operation, state);
  const region = regionFor(session, resource, state.values);
  const began = session.ports.clock.monotonic();
  const { id, isUnseen } = await resolveId(operation, state, region);
  // Absence of a new object proves nothing, even if `settle_seconds` end before the last response.
  const address = addressOf(resource, id ?? "", region, state.values);
  const isNew = () => isUnsettled(operation, state, began) && !isKnownGone(operation, address);
  const { seen, namesakes = [] }: Sought =
    id === undefined ? {} : await readUnlessGone(operation, address, state, isNew);
  if (id !== undefined && seen !== undefined) {
    warnOfMissing(operation, seen, state.values);
    const values = mergeState(resource.fields, { ...seen, region }, state.values);
    const found = {
      id: ownId(seen, id),
      task: undefined,
      values,
      unread: state.unread,
      candidates: state.candidates,
      createdAt: state.createdAt,
      writtenAt: state.writtenAt,
      unconfirmed:
        state.unconfirmed !== undefined && mayBeUnlisted(operation, state.unconfirmed, began)
          ? state.unconfirmed
          : undefined,
      account: state.account,
    };
    const { at } = statusOf(resource, seen);
    // The create of a late object succeeded with a warning: its failure shows only now.
    if (at === "failed" && resource.lifecycle?.late === "kept")
      return { ...found, failed: messageOf(failureOf(operation, seen), session) };
    return state.failed !== undefined && at !== "ready" ? { ...found, failed: state.failed } : found;
  }
  if (id !== undefined && resource.notReadable !== undefined) {
    if (!session.warnedKinds.has(resource.name))
      operation.warn({ code: "drift-invisible", subject: operation.subject, id });
    session.warnedKinds.add(resource.name);
    return { ...state, id, task: undefined };
  }
  if (id !== undefined && isNew()) {
    refuseOtherAccount(operation, state);
    const by = hasDecidingList(resource) ? "a listing" : "the API";
    const seconds = session.settings.settleSeconds;
    operation.warn({ code: "not-shown-yet", subject: operation.subject, id, seconds, by });
    return { ...state, id, task: undefined };
  }
  if (id === undefined && state.task !== undefined && isNew()) {
    const seconds = session.settings.settleSeconds;
    operation.warn({ code: "task-without-id", subject: operation.subject, seconds, task: state.task });
    return state;
  }
  // The search has warned that the object may exist.
  if (id === undefined && state.task === undefined) return undefined;
  const misses = missesBeforeGone(resource);
  if (id !== undefined && state.values.keepWhenGone === true) {
    operation.warn({ code: "gone-kept", subject: operation.subject, id, misses });
    return { ...state, id, task: undefined };
  }
  requireAccount(operation, state);
  const invisible =
    id === undefined ? undefined : stateWhenInvisible(resource, { ...state, id, task: undefined });
  if (invisible !== undefined) {
    operation.warn({ code: "shown-nowhere", subject: operation.subject, id: invisible.id ?? "" });
    return invisible;
  }
  operation.warn(
    id === undefined
      ? {
          code: isUnseen ? "created-unseen" : "never-created",
          subject: operation.subject,
          task: state.task ?? "",
        }
      : {
          code: "gone",
          subject: operation.subject,
          id,
          misses,
          namesakes,
          billed: resource.billed ?? "",
          canKeep: resource.work !== undefined,
          hasSecret: hasShownOnce(resource),
          remedies: lateRemedies(operation, state, id, region),
        },
  );
  return undefined;
}

/** Returns an import as remedy for an object that only listings show, as a late listing may show it; otherwise none. */
function lateRemedies(
  { resource, session }: Operation,
  { values }: ResourceState,
  id: string,
  region: string,
): readonly GivenRemedy[] {
  if (!isOnlyListed(resource)) return [];
  const importedAs = importId(resource, id, values, regionIfNotDefault(session, region));
  return [{ code: "import-if-listed", resource: resource.name, importId: importedAs, isRecreated: true }];
}

/** Result of `readUnlessGone`. */
interface Sought {
  /** Values of the object; undefined if it is proven gone. */
  readonly seen?: Values;
  /** Ids of listed objects that have the name of an object that is gone. */
  readonly namesakes?: readonly string[];
}

/**
 * Reads an object. Returns no values if it is proven gone: by several reads with pauses and, if available, a complete
 * listing. For a new object (`isNew`, called after each response) the lack of values is no such proof.
 */
export async function readUnlessGone(
  operation: Operation,
  address: Address,
  state: ResourceState,
  isNew: () => boolean,
): Promise<Sought> {
  const { ports, listings, settings } = operation.session;
  const mine = state.values;
  let after = ever;
  // For an object that no route reads, more than one attempt proves nothing.
  const reads = operation.resource.notReadable === undefined ? missesBeforeGone(operation.resource) : 1;
  let since = ports.clock.monotonic();
  for (let [nth, last] = [1, since]; ; nth++) {
    const seen = await readCurrent(operation, address, after, mine);
    const now = ports.clock.monotonic();
    since += unprovenMs(last, now);
    last = now;
    after = listings.mark();
    if (seen !== undefined)
      return {
        seen: await withoutDoubt(operation, seen, mine, () => readCurrent(operation, address, after, mine)),
      };
    // The caller keeps a new object in the state, so it needs no proof.
    if (nth >= reads && (isNew() || (await isProvenAbsent(operation, address, since)))) break;
    if (nth >= reads && now - since >= 2 * settings.settleSeconds * 1000) throw listedOnly(operation);
    await ports.clock.sleep(pauses[Math.min(nth, pauses.length) - 1] ?? 0, operation.signal);
  }
  const rows = await listIfAuthoritative(operation, address, after);
  if (rows !== undefined && isListedWithoutId(operation.resource, rows, mine))
    throw operation.failed(
      "a listing shows an object without an ID, which may be this one",
      { is: "unknown" },
      ["run-again-later"],
    );
  if (rows?.some(({ id }) => matchesMasked(id, address.id))) throw listedOnly(operation);
  if (isNew()) return {};
  const other = rows?.find((row) => isPossibly(operation.resource, row, address, mine));
  if (other !== undefined)
    throw operation.failed(
      `a listing shows ${other.id}, which may be the object with the recorded ID ${address.id}`,
      { is: "unknown" },
      [
        {
          code: "import-listed",
          resource: operation.resource.name,
          importId: importId(
            operation.resource,
            other.id,
            mine,
            regionIfNotDefault(operation.session, address.region),
          ),
        },
      ],
    );
  await refuseUnidentified(operation, address, state);
  const { resource } = operation;
  return Object.hasOwn(resource.fields, "name") && rows !== undefined
    ? { namesakes: matching(resource, rows, mine).map(({ id }) => id) }
    : {};
}

/**
 * Returns true if a row with another id can be the recorded object: it has the same UUID, or the same name and creation
 * time. Any other object of the name is another object.
 */
function isPossibly(resource: Resource, row: Row<Fields>, { id }: Address, mine: Values): boolean {
  if (row.id === "" || sameId(row.id, id)) return false;
  const recorded = uuidOf(id);
  if (recorded !== undefined && uuidOf(row.id) === recorded) return true;
  const createdAt = createdAtOf({ createdAt: mine.createdAt } as Row<Fields>);
  return createdAt !== undefined && createdAtOf(row) === createdAt && matches(resource, row, mine);
}

/** Returns the error for an object that a listing shows and reads do not find. */
const listedOnly = (operation: Operation): OperationError =>
  operation.failed("a listing shows it, but it cannot be read", { is: "unknown" }, ["run-again-later"]);

/** Returns the values of a read. Reads again if a recorded value is missing that an object can lose. */
async function withoutDoubt(
  { resource: { fields } }: Operation,
  seen: Values,
  mine: Values,
  again: () => Promise<Values | undefined>,
): Promise<Values> {
  if (!hasLost(fields, seen, mine)) return seen;
  const later = await again();
  return later === undefined ? seen : confirmed(fields, seen, later, mine);
}

/** Warns, once per run and kind of resource, of fields that every complete response contains and this one lacks. */
function warnOfMissing(operation: Operation, seen: Values, mine: Values): void {
  const { resource, session } = operation;
  const missing = missingFields(resource.fields, seen, mine);
  const key = `${resource.name}: missing`;
  if (missing.length === 0 || session.warnedKinds.has(key)) return;
  session.warnedKinds.add(key);
  operation.warn({
    code: "incomplete-kept",
    subject: operation.subject,
    missing: missing.map(({ path }) => path),
  });
}
