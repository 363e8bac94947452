import { InputError } from "../core/error.ts";
import { matchesMasked, sameId } from "../core/krn.ts";
import type { Values } from "../core/value.ts";
import type { Poll } from "../definition/function.ts";
import type { Resource } from "../definition/resource.ts";
import { readCurrent } from "./existence/current.ts";
import type { Operation } from "./operation.ts";
import type { Leaving, Session } from "./session.ts";
import { type Address, scopeKey } from "./state/address.ts";
import { waitFor } from "./wait/waiter.ts";

/**
 * Objects that this process deletes or renames. Engines make independent changes at the same time and in any order: a create
 * or a rename to the name of such an object waits until the object has left it.
 */

const leavingKey = (scope: string, id: string): string => JSON.stringify([scope, id]);

/**
 * Records that this process deletes the object or, with `to`, its id after the change, renames it. Returns a function that
 * records the end: a rename stays on record, as a later one may form a circle with it.
 */
export function leave(
  { resource, session }: Operation,
  address: Address,
  values: Values,
  to?: string,
): () => void {
  const scope = scopeKey(resource, address);
  const key = leavingKey(scope, address.id);
  const parents = (resource.parents ?? []).map((parent) => String(address[parent]));
  const entry: Leaving = { id: address.id, scope, parents, values, to, isOver: false };
  session.running.leaving.set(key, entry);
  return () => {
    if (to === undefined) session.running.leaving.delete(key);
    else session.running.leaving.set(key, { ...entry, isOver: true });
  };
}

/** Returns true if this process is deleting the object with this id, of which a part may be masked. */
export const isLeaving = ({ running: { leaving } }: Session, id: string): boolean =>
  [...leaving.values()].some((entry) => entry.to === undefined && matchesMasked(id, entry.id));

/**
 * Time in ms within which a delete or a rename of an object begins that this run makes at the same time as the create or
 * rename that needs its name.
 */
const startMs = 2_000;

/** Time in ms after which a rename to the name of an object that leaves it is refused. */
const renameMs = 60_000;

/**
 * Waits while this process deletes or renames an object that a create would make.
 *
 * @param isSame returns true for an object that the create would make
 * @param ids ids of the existing objects that match: a delete or rename of them may begin within `startMs`, a delete after that
 *   of what is in them
 * @returns true if it waited: the object may have left
 */
export async function untilLeft(
  operation: Operation,
  address: Address,
  isSame: (left: Leaving) => boolean,
  ids: readonly string[] = [],
): Promise<boolean> {
  const { resource, session } = operation;
  const { clock } = session.ports;
  const scope = scopeKey(resource, address);
  const isNeeded = (entry: Leaving): boolean =>
    !entry.isOver &&
    ((entry.scope === scope && isSame(entry)) ||
      entry.parents.some((parent) => ids.some((id) => sameId(parent, id))));
  const isBusy = () => [...session.running.leaving.values()].some(isNeeded);
  if (ids.length === 0 && !isBusy()) return false;
  let until = clock.monotonic() + startMs;
  await waitFor(operation, `${resource.name} left`, async (): Promise<Poll<undefined>> => {
    if (isBusy()) {
      until = clock.monotonic() + startMs;
      return { pending: "this run deletes or renames an object with this name" };
    }
    const isOver = ids.length === 0 || clock.monotonic() >= until;
    return isOver ? { done: undefined } : { pending: "an object with this name exists" };
  });
  return true;
}

/**
 * Throws `InputError` if another object has the new id of a rename, whatever it contains: the rename would overwrite it.
 * Waits first while this process deletes or renames that object, for at most `renameMs`.
 *
 * @param from address before the rename
 */
export async function requireFree(operation: Operation, from: Address, to: Address): Promise<void> {
  const { resource, session } = operation;
  const { clock } = session.ports;
  const scope = scopeKey(resource, to);
  const entryOf = (id: string) => session.running.leaving.get(leavingKey(scope, id));
  const refused = (problem: string) =>
    new InputError([{ path: [resource.idField ?? ""], problem: `${JSON.stringify(to.id)} ${problem}` }], []);
  const began = clock.monotonic();
  await waitFor(operation, `${resource.name} left`, async (): Promise<Poll<undefined>> => {
    const observed = await readCurrent(operation, to, { after: session.listings.mark(), known: {} });
    if (observed === undefined) return { done: undefined };
    const circle = circleOf(from.id, (id) => entryOf(id)?.to);
    if (circle !== undefined) throw refused(inCircle(resource, circle));
    const entry = entryOf(to.id);
    const waited = clock.monotonic() - began;
    const isExpected = entry === undefined ? waited < startMs : !entry.isOver && waited < renameMs;
    if (isExpected) return { pending: `${to.id} is the ${resource.idField} of another object` };
    throw refused(
      `is the ${resource.idField} of another object, which the rename would overwrite: choose another one, or first rename or delete that object, in a run of its own`,
    );
  });
}

/** Returns the problem of a rename to an id of renames in a circle. */
export const inCircle = ({ idField }: Resource, circle: readonly string[]): string =>
  `is renamed in this run too, in a circle (${circle.map((id) => JSON.stringify(id)).join(" to ")}): rename one of these objects to a temporary ${idField} first, in a run of its own`;

/** Returns the ids of renames that lead back to the first one; undefined if they end elsewhere. */
export function circleOf(
  first: string,
  next: (id: string) => string | undefined,
): readonly string[] | undefined {
  const ids = [first];
  for (let id = next(first); id !== undefined && ids.length <= longestCircle; id = next(id)) {
    ids.push(id);
    if (id === first) return ids;
  }
  return undefined;
}

const longestCircle = 1_000;
