import { StopError } from "../../core/error.ts";
import { completeId, inOtherRegion, sameId } from "../../core/krn.ts";
import type { Values } from "../../core/value.ts";
import { verbInputs } from "../../definition/check.ts";
import type { Fields } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import type { Operation, Work } from "../operation.ts";
import { type Address, scopeKey } from "./address.ts";
import { withAllTags, withOwnTags } from "./default-tags.ts";
import { isGone } from "./status.ts";

/** A listing that several share; who goes on lists again where it died with somebody's stop. */
export async function shareListing<T>(
  { session, signal }: Work,
  scope: string,
  object: string,
  after: number,
  list: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await session.listings.share(scope, object, after, list);
    } catch (error) {
      if (!(error instanceof StopError) || signal.aborted) throw error;
    }
  }
}

/** All live objects beside the one at `address`, shared with other reads where it is young enough. */
export async function listExisting(
  operation: Operation,
  address: Address,
  after: number,
): Promise<Row<Fields>[] | undefined> {
  const { resource, session } = operation;
  const { list } = resource.verbs;
  if (list === undefined) return undefined;
  const { id, ...scope } = address;
  return shareListing(operation, scopeKey(resource, address), id, after, async () => {
    const rows = await list({ api: operation.api(address.region), ...scope } as never);
    // Rows of other regions may stand among them (docs/contract.md#2.1).
    const here = rows.filter(({ id }) => !inOtherRegion(id, address.region));
    return here.filter((row) => {
      const isDead = isGone(resource, row as unknown as Values);
      if (isDead) session.goneIds.add(row.id);
      return !isDead;
    });
  });
}

/**
 * All live objects beside the one at `address`, to decide whether it is there; undefined where no listing has to: what is
 * called by what the user gives is asked for by that.
 */
export const listIfAuthoritative = async (
  operation: Operation,
  address: Address,
  after: number,
): Promise<Row<Fields>[] | undefined> =>
  operation.resource.idField === undefined ? listExisting(operation, address, after) : undefined;

/** So many looks in a row have to find nothing before what nobody deleted counts as gone; more where no listing decides. */
export const missesBeforeGone = ({ verbs, idField }: Resource): number =>
  verbs.list !== undefined && idField === undefined ? 3 : 5;

/** Where a listing decides for a resource: what waits for its objects wait on. */
export const listingKey = (resource: Resource, address: Address): string | undefined =>
  resource.verbs.whole === undefined ? undefined : scopeKey(resource, address);

/** Notes that the object was written to: no listing begun before says anything about it. */
export const noteWrite = (operation: Operation, address: Address): void =>
  operation.session.listings.wrote(scopeKey(operation.resource, address), address.id);

/** What the cloud shows of one object now; undefined when it shows none, which one look does not prove. */
export async function readCurrent(
  operation: Operation,
  address: Address,
  after: number,
  mine: Values,
): Promise<Values | undefined> {
  const { resource } = operation;
  const { settings } = operation.session;
  const remembered = withAllTags(resource, mine, settings);
  let { id } = address;
  if (resource.verbs.whole && !preferSingleRead(operation, address, after)) {
    const rows = await listExisting(operation, address, after);
    const own = rows?.find((row) => sameId(row.id, address.id));
    const row = own ?? rows?.find(({ task }) => task === address.id);
    // What went by its task has an id of its own by now (docs/contract.md#6).
    if (own === undefined) id = completeId(row?.id) ?? id;
    const seen = row && rowAsState(resource, row, remembered);
    if (seen !== undefined) return withOwnTags(resource, seen, mine, settings);
  }
  const call = { api: operation.api(address.region), ...address, id, remembered: verbInputs(remembered) };
  const seen = (await resource.verbs.read?.(call as never)) as Values | undefined;
  return seen === undefined || isGone(resource, seen)
    ? undefined
    : withOwnTags(resource, id === address.id ? seen : { id, task: address.id, ...seen }, mine, settings);
}

/**
 * Whether what was just written is better looked at by itself than among hundreds that stand there. Where requests
 * are limited in number, never: then a listing is one for all who wait.
 */
function preferSingleRead({ session, resource, verb }: Operation, address: Address, after: number): boolean {
  if (resource.verbs.read === undefined || session.settings.maxRequestsPerSecond > 0) return false;
  const wrote = verb === "create" || verb === "update";
  return wrote && session.listings.outweighs(scopeKey(resource, address), address.id, after);
}

/** All there is to see of an object, where its row suffices; undefined where a read is due. */
export function rowAsState(
  { verbs: { whole } }: Resource,
  row: Row<Fields>,
  mine: Values,
): Values | undefined {
  if (whole === undefined) return undefined;
  return (whole === true ? row : whole(row, verbInputs(mine))) as unknown as Values | undefined;
}
