import { CloudError } from "../../core/error.ts";
import type { Operation } from "../operation.ts";
import { type Address, addressKey } from "../state/address.ts";
import { settleMs } from "./age.ts";
import { visibilityOf } from "./visibility.ts";

/**
 * Proof that an object is gone. A gateway in front of the API may have sent a 404 (docs/contract.md#1.1): without a listing
 * that decides, a 404 counts only with further evidence (docs/reliability.md#3.9).
 */

/** Maximum time in ms between two misses that counts as absence. */
const longestGapMs = 15_000;

/**
 * Returns the part in ms of the time between two misses that does not count as absence: a longer pause, such as after a 429 or
 * before a late response, proves nothing.
 */
export const unprovenMs = (last: number, now: number): number => Math.max(0, now - last - longestGapMs);

/** Returns the key of a read route: kind of resource and region. */
const routeKey = ({ resource }: Operation, { region }: Address): string => `${resource.name} ${region}`;

/** Records that the object is gone, or that its work was cancelled. */
export const noteGone = ({ resource, session }: Operation, address: Address): unknown =>
  session.objects.gone.add(addressKey(resource, address));

/** Returns true if this run found the object gone, or cancelled its work. A late listing may still show it. */
export const isKnownGone = ({ resource, session }: Operation, address: Address): boolean =>
  session.objects.gone.has(addressKey(resource, address));

/** Records that a read showed the object. Two objects per route suffice: at least one of them differs from any object. */
export function noteShown(operation: Operation, address: Address): void {
  const { shownBy } = operation.session.objects;
  const key = routeKey(operation, address);
  const shown = shownBy.get(key) ?? new Set();
  if (shown.size < 2) shownBy.set(key, shown.add(addressKey(operation.resource, address)));
}

/** Returns true if a read of the same kind and region showed another object in this run. */
export function hasShownAnother(operation: Operation, address: Address): boolean {
  const shown = operation.session.objects.shownBy.get(routeKey(operation, address)) ?? new Set();
  return [...shown].some((other) => other !== addressKey(operation.resource, address));
}

/**
 * Returns true if the misses of an object since the monotonic time `since` in ms prove it gone. That is the case if a
 * listing decides, if the read works for another object, if another route shows the parent without the object, or if no
 * route has shown the object for `settle_seconds`.
 */
export async function isProvenAbsent(
  operation: Operation,
  address: Address,
  since: number,
): Promise<boolean> {
  const { resource, session } = operation;
  const { isListDecisive, isReadable } = visibilityOf(resource);
  if (isListDecisive || !isReadable) return true;
  if (hasShownAnother(operation, address)) return true;
  const missedAt = session.ports.clock.monotonic();
  const isAbsent = await askAnotherRoute(operation, address);
  if (isAbsent !== undefined) return isAbsent;
  const unseenSince = Math.max(since, session.objects.listedAt.get(addressKey(resource, address)) ?? since);
  return missedAt - unseenSince >= settleMs(session);
}

/**
 * Returns true if another route shows the object that a read did not find. No other route is asked if the read works for
 * another object.
 */
export const isShownElsewhere = async (operation: Operation, address: Address): Promise<boolean> =>
  !hasShownAnother(operation, address) && (await askAnotherRoute(operation, address)) === false;

/** Returns the result of `isAbsent` of the definition; undefined if it proves nothing or fails. */
async function askAnotherRoute(operation: Operation, address: Address): Promise<boolean | undefined> {
  const { resource, session } = operation;
  try {
    const call = { ...address, api: operation.api(address.region) };
    const isAbsent = await resource.verbs.evidence?.isAbsent?.(call as never);
    if (isAbsent === false)
      session.objects.listedAt.set(addressKey(resource, address), session.ports.clock.monotonic());
    return isAbsent;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    session.log("debug", "no listing of what surrounds it", { why: error.text });
    return undefined;
  }
}
