import type { Plan } from "../../review/model/plan.ts";
import type { RehearsedStep, Rehearsal as Report } from "../../review/model/rehearsal.ts";

/** Failure of the engine before it changes anything; the message is for the user. */
export class RehearsalError extends Error {}

/** An engine in the copy of a folder, which is initialized. */
export interface Engine extends Readonly<Report["engine"]> {
  /** Makes a plan. Throws `RehearsalError` if the engine cannot. */
  plan(name: string): Promise<Plan>;
  /** Applies a plan of that name. Throws `RehearsalError` if the engine reports no step and no error. */
  apply(name: string): Promise<Applied>;
  /** Returns the path of the present state of the copy, in a form that `readState` reads. */
  state(): Promise<string>;
  /** Replaces the state of the copy by the one with which it began. */
  reset(): Promise<void>;
}

export interface Applied {
  readonly isComplete: boolean;
  /** Steps in the order in which they ended. */
  readonly steps: readonly RehearsedStep[];
  readonly errors: Report["errors"];
}

/** Error of an apply that the time limit ended. */
export const late = { text: "The apply did not end within the time limit, and was stopped." };

/** Start or end of the step of an object. */
export interface StepEvent {
  readonly address: string;
  readonly action: RehearsedStep["action"];
  /** Undefined for a start. */
  readonly result?: RehearsedStep["result"];
  readonly id?: string | undefined;
}

/** Returns the steps whose starts and ends an engine reported, in the order of their ends. A start without an end is no step. */
export function stepsIn(events: readonly StepEvent[]): RehearsedStep[] {
  const starts = new Map<string, number>();
  return events.flatMap(({ address, action, result, id }, end): RehearsedStep[] => {
    const key = `${action} ${address}`;
    if (result === undefined) {
      starts.set(key, end);
      return [];
    }
    return [{ address, action, result, ...(id && { id }), start: starts.get(key) ?? end, end }];
  });
}
