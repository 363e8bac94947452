import { CloudError } from "../../core/error.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Operation } from "../operation.ts";
import type { Address } from "./address.ts";

/**
 * Proof that an object is gone. A 404 may be that of a gateway in front of the API (docs/contract.md#1.1), so that where
 * no listing decides it counts only with further evidence (docs/reliability.md#3.9).
 */

/** Returns true if a listing shows all objects of the scope by another request than a read. */
export const hasDecidingList = ({ verbs, idField, listedByRead }: Resource): boolean =>
  verbs.list !== undefined && idField === undefined && listedByRead === undefined;

/** Key of the reads that answer alike: one route, in one region. */
const routeKey = ({ resource }: Operation, { region }: Address): string => `${resource.name} ${region}`;

/** Records that a read showed the object. Two objects are enough to have another one for every object. */
export function noteShown(operation: Operation, address: Address): void {
  const { shownBy } = operation.session;
  const key = routeKey(operation, address);
  const shown = shownBy.get(key) ?? new Set();
  if (shown.size < 2) shownBy.set(key, shown.add(JSON.stringify(address)));
}

/** Returns true if a read of the same kind and region showed another object in this run. */
export function hasShownAnother(operation: Operation, address: Address): boolean {
  const shown = operation.session.shownBy.get(routeKey(operation, address)) ?? new Set();
  return [...shown].some((other) => other !== JSON.stringify(address));
}

/**
 * Returns true if the misses of an object since the monotonic time `since` in ms prove it gone: a listing decides, the
 * read works for another object, another route shows the parent without it, or it is missing for `settle_seconds` in
 * which no other route shows it.
 */
export async function isProvenAbsent(
  operation: Operation,
  address: Address,
  since: number,
): Promise<boolean> {
  const { resource, session } = operation;
  if (hasDecidingList(resource) || resource.notReadable !== undefined) return true;
  if (hasShownAnother(operation, address)) return true;
  const { clock } = session.ports;
  const missedAt = clock.monotonic();
  const key = JSON.stringify(address);
  try {
    const call = { ...address, api: operation.api(address.region) };
    const isAbsent = await resource.verbs.isAbsent?.(call as never);
    if (isAbsent === false) session.listedAt.set(key, clock.monotonic());
    if (isAbsent !== undefined) return isAbsent;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    session.log("debug", "no listing of what surrounds it", { why: error.message });
  }
  const unseenSince = Math.max(since, session.listedAt.get(key) ?? since);
  return missedAt - unseenSince >= session.settings.settleSeconds * 1000;
}
