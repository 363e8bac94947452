import * as z from "zod";
import { dynamicType, pulumiToken, terraformType } from "../provider/core/name.ts";
import { resources } from "../resources/index.ts";
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

/** Line of the log of an apply: of `apply -json` of Terraform and OpenTofu, or of the event log of Pulumi. */
interface Line {
  readonly type?: unknown;
  readonly hook?: {
    readonly resource?: { readonly resource_type?: string };
    readonly action?: string;
    readonly elapsed_seconds?: number;
  };
  /** Seconds since the epoch. */
  readonly timestamp?: number;
  readonly resourcePreEvent?: PulumiStep;
  readonly resOutputsEvent?: PulumiStep;
}

interface PulumiStep {
  readonly metadata?: { readonly op?: string; readonly urn?: string; readonly type?: string };
}

const pulumiActions: Readonly<Record<string, string>> = {
  ...{ create: "create", "create-replacement": "create", update: "update" },
  ...{ delete: "delete", "delete-replaced": "delete" },
};

/** Returns the table of the steps that ended in the log of an apply. Throws `UnreadableError`. */
export function recordTimes(name: string, log: string): Times {
  const measured = new Map<string, number[]>();
  const add = (type: string | undefined, action: string | undefined, seconds: number | undefined) => {
    const kind = kinds.get(type ?? "");
    if (kind === undefined || action === undefined || seconds === undefined) return;
    const key = `${kind} ${action}`;
    measured.set(key, [...(measured.get(key) ?? []), seconds]);
  };
  const starts = new Map<string, number>();
  for (const { type, hook, timestamp = 0, resourcePreEvent, resOutputsEvent } of linesOf(name, log)) {
    if (type === "apply_complete") add(hook?.resource?.resource_type, hook?.action, hook?.elapsed_seconds);
    const step = (resourcePreEvent ?? resOutputsEvent)?.metadata;
    const key = `${step?.op} ${step?.urn}`;
    if (resourcePreEvent !== undefined) starts.set(key, timestamp);
    const start = starts.get(key);
    if (resOutputsEvent !== undefined && start !== undefined)
      add(step?.type, pulumiActions[step?.op ?? ""], timestamp - start);
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

function linesOf(name: string, log: string): Line[] {
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  return lines.flatMap((line, index) => {
    const json = parsed(line);
    if (typeof json === "object" && json !== null) return [json as Line];
    // The log of an apply that was stopped may end in a part of a line.
    if (index === lines.length - 1 && index > 0) return [];
    throw new UnreadableError(`${name} is no log of an apply: line ${index + 1} is not JSON`);
  });
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
