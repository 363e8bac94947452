import { Refusal } from "../http/wire.ts";
import type { Row } from "../state/store.ts";
import { startWork, type Work } from "../state/work.ts";
import { type Cloud, isReady } from "./cloud.ts";

/** What can be started and stopped. */
export type Powered<Action extends string> = {
  /** Whether it ran before the last power action. */
  running: boolean;
  /** The last power action; its effect shows when its time is over. */
  move?: { readonly action: Action; readonly work: Work };
};

/** Whether it runs, or would once its power action is over. */
export function runsAt({ running, move }: Powered<string>, at: number): boolean {
  return move === undefined || at < move.work.endsAt ? running : move.action !== "stop";
}

/** The power action that is under way at that time. */
export function moveAt<Action extends string>({ move }: Powered<Action>, at: number): Action | undefined {
  return move !== undefined && at < move.work.endsAt ? move.action : undefined;
}

/**
 * Begins a power action; 409 when it cannot be taken now, with `what` and its `status` in the text. The work, which is
 * over at once when there is nothing to do.
 */
export function startMove<Action extends string>(
  cloud: Cloud,
  row: Row & Powered<Action>,
  action: Action,
  { what, status }: { what: string; status: string },
): Work {
  const refusal = new Refusal(409, `cannot ${action} ${what}: it is ${status}`);
  if (!isReady(cloud, row) || moveAt(row, cloud.now) !== undefined) throw refusal;
  const running = runsAt(row, cloud.now);
  const changes = running === (action !== "start");
  const repeats = action === "start" || action === "stop";
  if (!changes && (!repeats || cloud.settings.assume.repeatedPower === 409)) throw refusal;
  const work = startWork(cloud.now, changes ? cloud.settings.taskMs : 0);
  row.running = running;
  row.move = { action, work };
  row.updatedAt = cloud.now;
  return work;
}
