import { Refusal } from "../http/wire.ts";
import type { Resource } from "../state/store.ts";
import { startWork, type Work } from "../state/work.ts";
import { type Cloud, isReady } from "./cloud.ts";

/** What can be started and stopped. */
export type PowerState<Action extends string> = {
  /** Whether it ran before the last power action. */
  running: boolean;
  /** The last power action; its effect shows when its time is over. */
  move?: { readonly action: Action; readonly work: Work };
};

/** Whether it runs, or would once its power action is over. */
export function isRunningAt({ running, move }: PowerState<string>, at: number): boolean {
  return move === undefined || at < move.work.endsAt ? running : move.action !== "stop";
}

/** The power action that is under way at that time. */
export function powerActionAt<Action extends string>(
  { move }: PowerState<Action>,
  at: number,
): Action | undefined {
  return move !== undefined && at < move.work.endsAt ? move.action : undefined;
}

/**
 * Begins a power action; 409 when it cannot be taken now, with `what` and its `status` in the text. The work, which is
 * over at once when there is nothing to do.
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
  if (!changes && (!repeats || cloud.settings.assume.repeatedPower === 409)) throw refusal;
  const work = startWork(cloud.now, changes ? cloud.settings.taskMs : 0);
  resource.running = running;
  resource.move = { action, work };
  resource.updatedAt = cloud.now;
  return work;
}
