import { plainId } from "../../core/krn.ts";
import type { ResourceState, UnconfirmedChange } from "../../core/state.ts";
import { parseZonedTime } from "../../core/time.ts";
import type { Timing } from "../../definition/verb.ts";
import type { Operation } from "../operation.ts";
import type { Session } from "../session.ts";
import { visibilityOf } from "./visibility.ts";

/**
 * Age of objects and of changes. Responses lag: a miss proves nothing about a young object. Two limits decide what is young:
 * `freshMs` for the routes that create and change objects, `settleMs` for reads and listings.
 */

/**
 * Age in ms up to which other parts of the API may not know an object that this process created (docs/contract.md#17.1).
 */
export const freshMs = 60_000;

/** Age in ms up to which reads and listings may not show an object or a change (docs/reliability.md#3.9). */
export const settleMs = ({ settings }: Session): number => settings.settleSeconds * 1000;

/**
 * Time of a create or a change: `here` in ms on the monotonic clock, for one of this process; `recorded` in a state, in ms
 * since 1970 by the clock of the API.
 */
interface Since {
  readonly here?: number | undefined;
  readonly recorded?: number | undefined;
}

/**
 * Returns the age in ms of an object or a change; infinity if its time is not known, or in the future by more than clocks differ.
 *
 * @param began monotonic time in ms at which the request began whose response is judged. Call this function after the response:
 *   before the first one, the time of the API is not known
 */
export function ageOf(
  { serverClock, ports }: Session,
  { here, recorded }: Since,
  began: number = ports.clock.monotonic(),
): number {
  if (here !== undefined) return began - here;
  return recorded === undefined ? Number.POSITIVE_INFINITY : serverClock.ageOf(recorded, began);
}

/** Returns true while the object is too young, by the create that its state records, for a miss to prove anything. */
export const isYoung = (
  { session }: Operation,
  { createdAt: recorded }: Pick<ResourceState, "createdAt">,
  began?: number,
): boolean => ageOf(session, { recorded }, began) < settleMs(session);

/** Returns the time of the create of this process. */
export const createdHere = ({ objects: { createdAt } }: Session, id: string): Since => ({
  here: createdAt.get(plainId(id)),
});

/**
 * Returns the time of the last write after which listings may lag: that of the last change of this process that must not be
 * sent twice or, without such a change, of the create, in this process or as the state records it.
 */
function writtenAt({ session, createdAt }: Operation, id: string): Since {
  return {
    here: session.objects.sentOnce.get(plainId(id))?.at ?? session.objects.createdAt.get(plainId(id)),
    recorded: createdAt,
  };
}

/** Returns true while reads and listings may not show the last write of the object. */
export const isRecent = (operation: Operation, id: string, began?: number): boolean =>
  ageOf(operation.session, writtenAt(operation, id), began) < settleMs(operation.session);

/** Returns the functions that judge the response of a request that begins now, which can be the first one with the time of the API. */
export function timingOf(operation: Operation, id: string): Timing {
  const { session } = operation;
  const began = session.ports.clock.monotonic();
  return {
    isRecent: () => isRecent(operation, id, began),
    isLater(text) {
      const { here, recorded } = writtenAt(operation, id);
      const written = here === undefined ? recorded : session.serverClock.time(here);
      const createdAt = text === undefined ? undefined : parseZonedTime(text);
      if (written === undefined || createdAt === undefined) return undefined;
      return createdAt > written + settleMs(session);
    },
  };
}

/**
 * Returns the time to record after an update, in ms since 1970: that of a change that must not be sent twice if only
 * listings show its effect, otherwise that of the create.
 */
export function changeTime(
  { resource, session }: Operation,
  id: string,
  { createdAt }: Pick<ResourceState, "createdAt">,
): number | undefined {
  const sent = session.objects.sentOnce.get(plainId(id));
  if (sent === undefined || !visibilityOf(resource).isOnlyListed) return createdAt;
  return session.serverClock.time(sent.at);
}

/**
 * Returns the unconfirmed change to record after a failed operation: that of this run if only listings can show its effect,
 * otherwise the one that the state records already.
 */
export function unconfirmedChange(
  { resource, session }: Operation,
  id: string,
  recorded?: UnconfirmedChange,
): UnconfirmedChange | undefined {
  const { isOnlyListed, isReadable } = visibilityOf(resource);
  const sent = session.objects.sentOnce.get(plainId(id));
  if (sent === undefined || !isOnlyListed || !isReadable) return recorded;
  const { at, ...change } = sent;
  return { sentAt: session.serverClock.time(at), ...change };
}
