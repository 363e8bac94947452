import { Refusal } from "../http/wire.ts";
import type { Resource } from "../state/store.ts";
import { startWork, type Work } from "../state/work.ts";
import { type Cloud, isReady } from "./cloud.ts";

/** Power state of a resource that can be started and stopped. */
export type PowerState<Action extends string> = {
  /** True when it ran before the last power action. */
  running: boolean;
  /** Last power action; it takes effect when its work ends. */
  move?: { readonly action: Action; readonly work: Work };
};

/** Returns true when the resource runs at a time. */
export function isRunningAt({ running, move }: PowerState<string>, time: number): boolean {
  return move === undefined || time < move.work.endsAt ? running : move.action !== "stop";
}

/** Returns the power action in progress at a time. */
export function powerActionAt<Action extends string>(
  { move }: PowerState<Action>,
  time: number,
): Action | undefined {
  return move !== undefined && time < move.work.endsAt ? move.action : undefined;
}

/**
 * Starts a power action and returns its work, which ends at once when nothing changes. Rejects with 409 when the action
 * is not allowed now; the message has `what` and its `status`.
 */
export function startPowerAction<Action extends string>(
  cloud: Cloud,
  resource: Resource & PowerState<Action>,
  action: Action,
  { what, status }: { what: string; status: string },
): Work {
  const refusal = new Refusal(409, `cannot ${action} ${what}: it is ${status}`);
  if (!isReady(cloud, resource) || powerActionAt(resource, cloud.now) !== undefined) throw refusal;
  const running = isRunningAt(resource, cloud.now);
  const changes = running === (action !== "start");
  const repeats = action === "start" || action === "stop";
  if (!changes && (!repeats || cloud.decide("repeatedPower") === 409)) throw refusal;
  const work = startWork(cloud.now, changes ? cloud.settings.taskMs : 0);
  resource.running = running;
  resource.move = { action, work };
  resource.updatedAt = cloud.now;
  return work;
}
