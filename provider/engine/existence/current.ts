import { quoted } from "../../client/client.ts";
import { StopError } from "../../core/error.ts";
import { completeId, inOtherRegion, matchesMasked, sameId } from "../../core/krn.ts";
import type { Values } from "../../core/value.ts";
import type { RequestTracker } from "../../definition/api.ts";
import { isUnset } from "../../definition/equality.ts";
import { computedWith, type Fields, identifyingValues } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import type { Operation, Work } from "../operation.ts";
import type { ListingRequest } from "../shared-listing.ts";
import { type Address, scopeKey } from "../state/address.ts";
import { confirmed, hasLost, withoutZeros } from "../state/compare.ts";
import { withAllTags, withOwnTags } from "../state/default-tags.ts";
import { withRecordedIds } from "../state/mask.ts";
import { isGone } from "../state/status.ts";
import { noteGone, noteShown } from "./absence.ts";
import { timingOf } from "./age.ts";
import { visibilityOf } from "./visibility.ts";

/** Joins or starts a shared listing. Lists again if the operation that started the listing was stopped. */
export async function shareListing<T>(
  { session, signal }: Work,
  listing: ListingRequest,
  list: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await session.listings.share(listing, list);
    } catch (error) {
      if (!(error instanceof StopError) || signal.aborted) throw error;
    }
  }
}

/**
 * Lists all existing objects in the scope of `address`; a shared listing is used if it is recent enough, and began at
 * the monotonic time `since` in ms or later. Returns undefined if the resource cannot be listed.
 */
export async function listExisting(
  operation: Operation,
  address: Address,
  after: number,
  since?: number,
): Promise<Row<Fields>[] | undefined> {
  const { resource } = operation;
  const { list } = resource.verbs;
  if (list === undefined) return undefined;
  const { id, ...scope } = address;
  const listed = async () => {
    const rows = await list({ api: operation.api(address.region), ...scope } as never);
    // The listing may contain rows of other regions (docs/contract.md#2.1).
    const here = rows.filter(({ id }) => !inOtherRegion(id, address.region));
    return here.filter((row) => {
      const isDeleted = isGone(resource, row as unknown as Values);
      if (isDeleted && row.id !== "") noteGone(operation, { ...address, id: row.id });
      return !isDeleted;
    });
  };
  return shareListing(operation, { scope: scopeKey(resource, address), object: id, after, since }, listed);
}

/**
 * Lists the scope of `address` to decide whether the object exists. Returns undefined if no listing decides: the
 * resource cannot be listed, the listing is the read, or the user chooses the id and a read by that id decides.
 */
export const listIfAuthoritative = async (
  operation: Operation,
  address: Address,
  after: number,
): Promise<Row<Fields>[] | undefined> =>
  visibilityOf(operation.resource).isListDecisive ? listExisting(operation, address, after) : undefined;

/** Returns the key of the listing that waiters on the object share; undefined if rows do not show the whole object. */
export const listingKey = (resource: Resource, address: Address): string | undefined =>
  resource.verbs.whole === undefined ? undefined : scopeKey(resource, address);

/** Records a write to the object: a listing that began earlier is not used for it. */
export const noteWrite = (operation: Operation, address: Address): void =>
  operation.session.listings.wrote(scopeKey(operation.resource, address), address.id);

/** Arguments of a read of one object. */
export interface Reading {
  /** Mark after which a listing must begin. */
  readonly after: number;
  /** Configured or recorded values, which complete a response and decide the spelling of ids. */
  readonly known: Values;
  /** Monotonic time in ms at which a listing may begin at the earliest. */
  readonly since?: number | undefined;
}

/**
 * Returns the current values of one object; undefined if the API does not show it, which is no proof that it is gone.
 */
export async function readCurrent(
  operation: Operation,
  address: Address,
  { after, known, since }: Reading,
): Promise<Values | undefined> {
  const { resource, session } = operation;
  const recorded = withAllTags(resource, withoutUnanswered(operation, known), session.settings);
  const withTags = (shown: Values) => withOwnTags(resource, shown, known, session.settings);
  let { id } = address;
  if (resource.verbs.whole && !preferSingleRead(operation, address, after)) {
    const rows = await listExisting(operation, address, after, since);
    const listed = rows?.find((row) => sameId(row.id, address.id)) ?? maskedRow(resource, address, rows);
    const row = listed ?? rows?.find(({ task }) => task === address.id);
    // The recorded id may be that of the task; the object may have an id by now (docs/contract.md#6).
    if (listed === undefined) id = completeId(row?.id) ?? id;
    const observed = row && rowAsState(resource, row, recorded);
    if (observed !== undefined) {
      noteShown(operation, address);
      return withTags(valuesIn(operation, observed, known));
    }
  }
  const shown = await readByRoute(operation, { ...address, id }, recorded, address);
  return shown && withTags(id === address.id ? shown : { id, task: address.id, ...shown });
}

/**
 * Returns the values without the computed ones that an unanswered change may have affected, except those that identify the
 * object: the recorded ones are those before the change.
 */
function withoutUnanswered({ resource: { fields }, unconfirmed }: Operation, recorded: Values): Values {
  if (unconfirmed?.isUnanswered !== true) return recorded;
  const affected = computedWith(fields, new Set(Object.keys(unconfirmed.values)));
  const unknown = affected.filter((name) => !Object.hasOwn(identifyingValues(fields), name));
  return Object.fromEntries(Object.entries(recorded).filter(([name]) => !unknown.includes(name)));
}

/**
 * Reads one object by its own route, or by a listing that nothing else shares if it has no route. Returns the values as the
 * API shows them, with all tags in `tags`; undefined if the API does not show the object. If the response lacks a recorded
 * value of one of the fields `names`, or an entry of it, a second response decides.
 *
 * @param recorded values in the state, with all tags in `tags`
 * @param spelling values whose spelling of ids the response gets
 */
export async function readAlone(
  operation: Operation,
  address: Address,
  {
    recorded,
    names,
    spelling = recorded,
  }: { readonly recorded: Values; readonly names: readonly string[]; readonly spelling?: Values },
): Promise<Values | undefined> {
  const { fields } = operation.resource;
  const observed = await readOnce(operation, address, spelling);
  if (observed === undefined) return undefined;
  const lacks = (name: string): boolean => {
    const field = fields[name];
    if (field?.kind !== "field" || field.options.unreadable) return false;
    const isMissing = (observed[name] ?? null) === null && !isUnset(field, recorded[name] ?? null);
    return isMissing || hasLost({ [name]: field }, observed, recorded);
  };
  if (!names.some(lacks)) return observed;
  const later = await readOnce(operation, address, spelling);
  return later && confirmed(fields, observed, later, recorded);
}

async function readOnce(
  operation: Operation,
  address: Address,
  spelling: Values,
): Promise<Values | undefined> {
  const { resource, session } = operation;
  const known = withAllTags(resource, spelling, session.settings);
  if (resource.verbs.read !== undefined) return readByRoute(operation, address, known);
  const { id, ...scope } = address;
  const rows = await resource.verbs.list?.({ api: operation.api(address.region), ...scope } as never);
  const row = rows?.find((one) => sameId(one.id, id)) ?? maskedRow(resource, address, rows);
  const observed = row && rowAsState(resource, row, known);
  return observed && !isGone(resource, observed) ? valuesIn(operation, observed, spelling) : undefined;
}

/** Reads one object by its route. Returns undefined if the API does not show it. */
async function readByRoute(
  operation: Operation,
  address: Address,
  recorded: Values,
  known: Address = address,
): Promise<Values | undefined> {
  const { resource } = operation;
  const tracker: RequestTracker = { sent: false };
  const call = {
    api: operation.api(address.region, tracker),
    ...address,
    recorded: verbInputs(recorded),
    ...timingOf(operation, address.id),
  };
  const observed = (await resource.verbs.read?.(call as never)) as Values | undefined;
  if (observed === undefined || isGone(resource, observed)) return undefined;
  // A verb that returns a result without a request does not prove that the route works.
  if (tracker.asked) noteShown(operation, known);
  return valuesIn(operation, observed, recorded);
}

/** Maximum length of the reason of a failure in a state, in characters. */
const longestReason = 2_000;

/**
 * Returns the values of a response without zeros that stand for missing values, and with recorded ids in place of masked
 * ones and of other spellings. Secrets in the reason of a failure, which is a text of the API, are redacted: engines show states.
 */
function valuesIn({ resource, session }: Operation, observed: Values, recorded: Values): Values {
  const values = withRecordedIds(withoutZeros(resource.fields, observed), recorded);
  const name = resource.lifecycle?.reason ?? "";
  const words = values[name];
  return typeof words === "string" && words !== ""
    ? { ...values, [name]: quoted(words, session.redact, longestReason) }
    : values;
}

/**
 * Returns the only row whose masked id matches the object (docs/contract.md#1.4), for a resource without a read route. A
 * read route is preferred, as it returns the ids that the row masks.
 */
function maskedRow({ verbs }: Resource, { id }: Address, rows: readonly Row<Fields>[] = []) {
  const matching = verbs.read === undefined ? rows.filter((row) => matchesMasked(row.id, id)) : [];
  return matching.length === 1 ? matching[0] : undefined;
}

/**
 * Returns true if an object that was just written is read alone because its listing is long. Returns false with a rate
 * limit: one listing then serves all waiters.
 */
function preferSingleRead({ session, resource, verb }: Operation, address: Address, after: number): boolean {
  if (resource.verbs.read === undefined || session.settings.maxRequestsPerSecond > 0) return false;
  const wrote = verb === "create" || verb === "update";
  return (
    wrote && session.listings.outweighs({ scope: scopeKey(resource, address), object: address.id, after })
  );
}

/** Returns the values of an object from its row; undefined if a read is needed. */
export function rowAsState(
  { verbs: { whole } }: Resource,
  row: Row<Fields>,
  recorded: Values,
): Values | undefined {
  if (whole === undefined) return undefined;
  return (whole === true ? row : whole(row, verbInputs(recorded))) as unknown as Values | undefined;
}
