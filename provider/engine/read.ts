import type { OperationError } from "../core/error.ts";
import { matchesMasked } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { applyCommand, assignment, attribute } from "../core/wording.ts";
import { hasShownOnce } from "../definition/resource.ts";
import { noteAccount, refuseOtherAccount, requireAccount } from "./account.ts";
import { isListedWithoutId, ownId, resolveId } from "./create/create.ts";
import { refuseUnidentified } from "./identity.ts";
import { messageOf, type Operation, regionFor, regionIfNotDefault } from "./operation.ts";
import { importCommand, importId } from "./remediation.ts";
import { ever } from "./shared-listing.ts";
import {
  type Address,
  addressOf,
  completed,
  hasDecidingList,
  hasLost,
  isOnlyListed,
  isProvenAbsent,
  isUnsettled,
  listIfAuthoritative,
  mergeState,
  missesBeforeGone,
  missingFields,
  readCurrent,
  stateWhenInvisible,
  statusOf,
} from "./state/state.ts";
import { failureOf } from "./wait/wait.ts";

/** Pauses in ms between the consecutive reads that must find nothing before an object counts as gone; the last repeats. */
const pauses = [1_000, 2_000, 4_000, 8_000];
/** Time in ms between two reads that counts as absence at most: a pause that a 429 asks for proves nothing. */
const longestGapMs = 15_000;
const inWords: Readonly<Record<number, string>> = { 3: "three", 5: "five" };

/**
 * Reads an object in state; undefined only if it is proven gone (docs/reliability.md#3.9). A rejection, an HTML page or
 * a truncated body is an error, and the state stays unchanged.
 */
export async function read(operation: Operation, state: ResourceState): Promise<ResourceState | undefined> {
  const { resource, session } = operation;
  if (resource.stateOnly) return state;
  noteAccount(operation, state);
  const region = regionFor(session, resource, state.values.region);
  const wasUnsettled = isUnsettled(operation, state);
  const id = await resolveId(operation, state, region);
  // Absence of a new object proves nothing, even if `settle_seconds` end before the last response.
  const isNew = wasUnsettled && (id === undefined || !session.goneIds.has(id));
  const seen =
    id === undefined
      ? undefined
      : await readUnlessGone(operation, addressOf(resource, id, region, state.values), state, isNew);
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
      unconfirmed: state.unconfirmed,
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
      operation.warn(
        "Drift is not visible",
        `The cloud does not show ${operation.subject} (${id}), nor others of its kind: what is recorded of them stands.`,
      );
    session.warnedKinds.add(resource.name);
    return { ...state, id, task: undefined };
  }
  if (id !== undefined && isNew) {
    refuseOtherAccount(operation, state);
    operation.warn(
      hasDecidingList(resource) ? "An object is not listed yet" : "An object is not shown yet",
      `${operation.subject} (${id}) was created less than ${session.settings.settleSeconds} s ago, and ${hasDecidingList(resource) ? "a listing" : "the cloud"} may not show it yet. It stays in the state. If it was deleted outside, a refresh after that time removes it.`,
    );
    return { ...state, id, task: undefined };
  }
  if (id === undefined && state.task !== undefined && isNew) {
    operation.warn(
      "An object may exist",
      `${operation.subject} was created less than ${session.settings.settleSeconds} s ago, and its task ${state.task} shows no id yet, nor does a listing show it. It stays in the state. A refresh after that time records its id or removes it.`,
    );
    return state;
  }
  // The search has warned that the object may exist.
  if (id === undefined && state.interrupted !== undefined) return undefined;
  const looks = `${inWords[missesBeforeGone(resource)]} looks found nothing`;
  if (id !== undefined && state.values.keepWhenGone === true) {
    operation.warn(
      "An object is gone, and is kept in the state",
      `${operation.subject} (${id}) was deleted outside: ${looks}. It stays in the state, as ${attribute("keepWhenGone")} asks for.`,
    );
    return { ...state, id, task: undefined };
  }
  requireAccount(operation, state);
  const invisible =
    id === undefined ? undefined : stateWhenInvisible(resource, { ...state, id, task: undefined });
  if (invisible !== undefined) {
    operation.warn(
      "An object is shown nowhere",
      `${operation.subject} (${id}) was detached or deleted outside. The next ${applyCommand} deletes what may be left of it and makes it again.`,
    );
    return invisible;
  }
  const bill = resource.billed === undefined ? "" : ` ${resource.billed}`;
  const keep =
    resource.work === undefined
      ? ""
      : ` To keep what is recorded instead, set ${assignment("keepWhenGone", true)} before that.`;
  operation.warn(
    "An object is gone",
    id === undefined
      ? `${operation.subject} was never made: its task ${state.task} came to nothing. The next ${applyCommand} makes it.`
      : `${operation.subject} (${id}) was deleted outside: ${looks}. The next ${applyCommand} makes it again.${bill}${keep}${lateHint(operation, state, id, region)}`,
  );
  return undefined;
}

/** Returns a sentence with the import command of an object that only listings show: a late one may show it again. */
function lateHint(
  { resource, session }: Operation,
  { values }: ResourceState,
  id: string,
  region: string,
): string {
  if (!isOnlyListed(resource)) return "";
  const command = importCommand(
    resource,
    importId(resource, id, values, regionIfNotDefault(session, region)),
  );
  const lost = hasShownOnce(resource) ? "; what the response to its create showed is lost" : "";
  return ` Only listings show it: if one does later, import it (${command}) before that${lost}.`;
}

/**
 * Reads an object; undefined if it is proven gone: by several reads with pauses and, if available, a complete listing.
 */
export async function readUnlessGone(
  operation: Operation,
  address: Address,
  state: ResourceState,
  isNew: boolean,
): Promise<Values | undefined> {
  const { ports, listings, settings } = operation.session;
  const mine = state.values;
  let after = ever;
  // If a read is no proof, several are none either.
  const looks = operation.resource.notReadable === undefined ? missesBeforeGone(operation.resource) : 1;
  let since = ports.clock.monotonic();
  for (let [nth, last] = [1, since]; ; nth++) {
    const seen = await readCurrent(operation, address, after, mine);
    const now = ports.clock.monotonic();
    since += Math.max(0, now - last - longestGapMs);
    last = now;
    after = listings.mark();
    if (seen !== undefined)
      return confirmed(operation, seen, mine, () => readCurrent(operation, address, after, mine));
    // A new object stays in the state without a proof that it is gone.
    if (nth >= looks && (isNew || (await isProvenAbsent(operation, address, since)))) break;
    if (nth >= looks && now - since >= 2 * settings.settleSeconds * 1000) throw listedOnly(operation);
    await ports.clock.sleep(pauses[Math.min(nth, pauses.length) - 1] ?? 0, operation.signal);
  }
  const rows = await listIfAuthoritative(operation, address, after);
  if (rows !== undefined && isListedWithoutId(operation.resource, rows, mine))
    throw operation.failed(
      "an object of that name is listed without an id",
      { is: "unknown" },
      "Run again once it has one",
    );
  if (rows?.some(({ id }) => matchesMasked(id, address.id))) throw listedOnly(operation);
  if (!isNew) await refuseUnidentified(operation, address, state);
  return undefined;
}

/** Returns the error for an object that a listing shows and that reads do not find. */
const listedOnly = (operation: Operation): OperationError =>
  operation.failed("a listing shows it, but it cannot be read", { is: "unknown" }, "Run again in a minute");

/** Returns what a read showed; another read decides where it lacks a recorded value that an object may lose. */
async function confirmed(
  { resource: { fields } }: Operation,
  seen: Values,
  mine: Values,
  again: () => Promise<Values | undefined>,
): Promise<Values> {
  if (!hasLost(fields, seen, mine)) return seen;
  const later = await again();
  return later === undefined ? seen : completed(fields, seen, later);
}

/** Warns, once a run and kind, of fields that every complete response shows and this one lacks. */
function warnOfMissing(operation: Operation, seen: Values, mine: Values): void {
  const { resource, session } = operation;
  const missing = missingFields(resource.fields, seen, mine);
  const key = `${resource.name}: missing`;
  if (missing.length === 0 || session.warnedKinds.has(key)) return;
  session.warnedKinds.add(key);
  operation.warn(
    "An answer was incomplete",
    `The cloud did not show ${missing.map(({ path }) => attribute(path)).join(", ")} of ${operation.subject}: what is recorded stands.`,
  );
}
