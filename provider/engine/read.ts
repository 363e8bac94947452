import { matchesMasked } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { ownId, resolveId } from "./create/create.ts";
import { type Operation, regionFor } from "./operation.ts";
import { ever } from "./shared-listing.ts";
import {
  type Address,
  addressOf,
  listIfAuthoritative,
  mergeState,
  missesBeforeGone,
  readCurrent,
  stateWhenInvisible,
  statusOf,
} from "./state/state.ts";

/** Pauses between the looks that have to agree before an object found missing unasked counts as gone. */
const pauses = [1_000, 2_000, 4_000, 8_000];
const inWords: Readonly<Record<number, string>> = { 3: "three", 5: "five" };

/**
 * What the cloud shows of a remembered object; undefined only when it is proven gone (docs/reliability.md#3.9). A
 * refusal, a page, a cut body is an error and leaves the state alone.
 */
export async function read(operation: Operation, held: ResourceState): Promise<ResourceState | undefined> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, held.values.region);
  const id = await resolveId(operation, held, region);
  const seen =
    id === undefined
      ? undefined
      : await look(operation, addressOf(resource, id, region, held.values), held.values);
  if (id !== undefined && seen !== undefined) {
    const values = mergeState(resource.fields, { ...seen, region }, held.values);
    const broken = held.failed !== undefined && statusOf(resource, seen).at !== "ready";
    const found = { id: ownId(seen, id), task: undefined, values, unread: held.unread };
    return broken ? { ...found, failed: held.failed } : found;
  }
  if (id !== undefined && resource.notReadable !== undefined) {
    if (!session.warnedKinds.has(resource.name))
      operation.warn(
        "Drift is not visible",
        `The cloud does not show ${operation.subject} (${id}), nor others of its kind: what is recorded of them stands.`,
      );
    session.warnedKinds.add(resource.name);
    return { ...held, id, task: undefined };
  }
  const kept = id === undefined ? undefined : stateWhenInvisible(resource, { ...held, id, task: undefined });
  if (kept !== undefined) {
    operation.warn(
      "An object is shown nowhere",
      `${operation.subject} (${id}) was detached or deleted outside. The next apply deletes what may be left of it and makes it again.`,
    );
    return kept;
  }
  operation.warn(
    "An object is gone",
    id === undefined
      ? `${operation.subject} was never made: its task came to nothing. The next apply makes it.`
      : `${operation.subject} (${id}) was deleted outside: ${inWords[missesBeforeGone(resource)]} looks found nothing. The next apply makes it again.`,
  );
  return undefined;
}

/** Sees an object, or proves that it is not there: three spaced looks and, where there is one, a complete listing. */
async function look(operation: Operation, address: Address, mine: Values): Promise<Values | undefined> {
  const { ports, listings } = operation.session;
  let after = ever;
  // Where a look proves nothing, neither do three.
  const looks = operation.resource.notReadable === undefined ? missesBeforeGone(operation.resource) : 1;
  for (const pause of [0, ...pauses.slice(0, looks - 1)]) {
    if (pause > 0) await ports.clock.sleep(pause, operation.signal);
    const seen = await readCurrent(operation, address, after, mine);
    if (seen !== undefined) return seen;
    after = listings.mark();
  }
  const rows = await listIfAuthoritative(operation, address, after);
  if (rows?.some(({ id }) => matchesMasked(id, address.id)))
    throw operation.failed(
      "a listing shows it, but it cannot be read",
      { is: "unknown" },
      "Run again in a minute",
    );
  return undefined;
}
