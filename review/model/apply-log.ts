import type { Values } from "../../provider/core/value.ts";

/** Log of an apply, the same for every engine. */

export type StepAction = "create" | "update" | "delete" | "read" | "replace";

/** Start or end of the step of an object. */
export interface StepEvent {
  readonly address: string;
  /** Type as the engine writes it. */
  readonly type: string;
  readonly action: StepAction;
  /** Undefined for a start. */
  readonly result?: "done" | "failed" | undefined;
  readonly id?: string | undefined;
  /** Seconds between start and end, at the end. */
  readonly seconds?: number | undefined;
  /** Inputs of the object, those before the step, and its outputs, if the log has them. */
  readonly inputs?: Values | undefined;
  readonly before?: Values | undefined;
  readonly outputs?: Values | undefined;
  /** Names of the attributes because of which the engine changes the object, if the log has them. */
  readonly changed?: readonly string[] | undefined;
}

/** Step of an object. */
export interface LogStep extends Omit<StepEvent, "result"> {
  /** "open" for a start without an end. */
  readonly result: "done" | "failed" | "open";
  /** Positions among the starts and ends of all steps; the end of an open step is after all of them. */
  readonly start: number;
  readonly end: number;
}

/** Error or warning that an engine reported; without an address, it is about no object. */
export interface LogMessage {
  readonly address?: string;
  readonly text: string;
}

export interface ApplyLog {
  readonly engine: "terraform" | "opentofu" | "pulumi";
  readonly engineVersion?: string | undefined;
  readonly events: readonly StepEvent[];
  /** Addresses of objects that the engine compared and did not change. */
  readonly unchanged: readonly string[];
  /** Actions of providers that were invoked, in the order of their ends; those without an end are last. */
  readonly invocations: readonly { readonly address: string; readonly result: LogStep["result"] }[];
  readonly errors: readonly LogMessage[];
  /** Warnings, such as of an object that remains in the cloud. */
  readonly warnings: readonly LogMessage[];
  /** Result with which the apply ended; undefined if the log does not show its end. */
  readonly end: "succeeded" | "failed" | undefined;
  /** Sensitive texts, of which no output may have a copy. */
  readonly secrets: ReadonlySet<string>;
  /** Reasons why the log is not the whole log of one apply, each a clause after "the log". */
  readonly problems: readonly string[];
}

/**
 * Returns the steps whose starts and ends an engine reported, in the order of their ends. Two steps of one address and action are
 * told apart by their ids, as those of an object and of its deposed predecessor.
 */
export function stepsOf(events: readonly StepEvent[]): LogStep[] {
  const open = new Map<string, { readonly start: number; readonly event: StepEvent }[]>();
  const ended = events.flatMap((event, end): LogStep[] => {
    const { address, action, result } = event;
    const key = `${action} ${address}`;
    const starts = open.get(key) ?? [];
    if (result === undefined) {
      open.set(key, [...starts, { start: end, event }]);
      return [];
    }
    const index = Math.max(
      0,
      starts.findIndex((one) => event.id !== undefined && one.event.id === event.id),
    );
    const [begun] = starts.splice(index, 1);
    const id = event.id ?? begun?.event.id;
    return [{ ...begun?.event, ...event, id, result, start: begun?.start ?? end, end }];
  });
  const rest = [...open.values()].flat().toSorted((one, other) => one.start - other.start);
  return [
    ...ended,
    ...rest.map(({ start, event }) => ({ ...event, result: "open" as const, start, end: events.length })),
  ];
}
