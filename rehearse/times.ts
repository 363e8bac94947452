import * as z from "zod";
import { dynamicType, pulumiToken, terraformType } from "../provider/core/name.ts";
import { resources } from "../resources/index.ts";
import { applyLogIn, logLines } from "../review/read/apply-log.ts";
import { UnreadableError } from "../review/read/read.ts";

/** Table of measured durations, by the kind of an object and the action of a step, as in `instance create`. */

const timesSchema = z.strictObject({
  version: z.literal(1),
  /** Median of the measured seconds, and their number. */
  steps: z.record(z.string(), z.strictObject({ seconds: z.number().min(0), count: z.int().min(1) })),
});

export type Times = z.infer<typeof timesSchema>;

/** Reads a table. Throws `UnreadableError`. */
export function readTimes(name: string, text: string): Times {
  const read = timesSchema.safeParse(parsed(text));
  if (read.success) return read.data;
  const [{ path = [], message = "" } = {}] = read.error.issues;
  throw new UnreadableError(
    `${name} is no table of times (${[path.join("."), message].filter(Boolean).join(": ")}): kcloud rehearse --record-times writes one`,
  );
}

/** Returns the seconds of a step; undefined if the table has none. */
export const secondsOf = ({ steps }: Times, kind: string, action: string): number | undefined =>
  steps[`${kind} ${action}`]?.seconds;

const kinds = new Map(
  resources.flatMap(({ name }) =>
    [terraformType(name), pulumiToken(name), dynamicType(name)].map((type) => [type, name] as const),
  ),
);

/** Returns the table of the steps that ended in the log of an apply. Throws `UnreadableError`. */
export function recordTimes(name: string, text: string): Times {
  const measured = new Map<string, number[]>();
  const lines = logLines(text);
  if (lines.firstOther !== undefined)
    throw new UnreadableError(`${name} is no log of an apply: line ${lines.firstOther} is not JSON`);
  for (const { type, action, result, seconds } of applyLogIn(lines)?.events ?? []) {
    const kind = kinds.get(type);
    if (kind === undefined || result !== "done" || seconds === undefined) continue;
    const key = `${kind} ${action}`;
    measured.set(key, [...(measured.get(key) ?? []), seconds]);
  }
  if (measured.size === 0)
    throw new UnreadableError(
      `${name} has no step of an apply: pass the output of terraform apply -json, or the event log of pulumi up`,
    );
  return {
    version: 1,
    steps: Object.fromEntries(
      [...measured]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, seconds]) => [key, { seconds: medianOf(seconds), count: seconds.length }]),
    ),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}
