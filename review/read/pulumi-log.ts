import { isRecord, type Values } from "../../provider/core/value.ts";
import type { ApplyLog, LogMessage, StepAction, StepEvent } from "../model/apply-log.ts";
import { sensitiveIn } from "../model/redaction.ts";
import { isObject, type Json, objectOf, stringOf } from "./json.ts";
import { withoutColours } from "./pulumi.ts";
import { decoded } from "./pulumi-object.ts";
import { addressOf, isProvider, type Step, stackType, stepIn, typeOf } from "./pulumi-step.ts";

/** Reads the event log of `pulumi up` and `pulumi destroy`. */

const results = { resourcePreEvent: undefined, resOutputsEvent: "done", resOpFailedEvent: "failed" } as const;

/** Actions by the operation of a step. Others change no object. */
const stepActions: Readonly<Record<string, StepAction | undefined>> = {
  create: "create",
  update: "update",
  delete: "delete",
  read: "read",
  import: "read",
  "create-replacement": "create",
  "delete-replaced": "delete",
  "read-replacement": "read",
  "import-replacement": "read",
};

export function readPulumiLog(all: readonly Json[]): ApplyLog {
  // Without --skip-preview, the log begins with the events of the preview.
  const events = all.filter((event) => !isOfPreview(event));
  const summaries = events.flatMap(({ summaryEvent }) => (isObject(summaryEvent) ? [summaryEvent] : []));
  const numbers = all.map(({ sequence }) => Number(sequence));
  // The numbers of `pulumi up --json` have gaps, because it leaves out events of default providers.
  const isOneLog = numbers.every((number, index) => index === 0 || !(number <= (numbers[index - 1] ?? 0)));
  const errors = errorsIn(events);
  const [summary] = summaries;
  return {
    engine: "pulumi",
    ...stepsIn(events),
    invocations: [],
    errors,
    warnings: events.flatMap(({ diagnosticEvent }) => {
      const message = objectOf(diagnosticEvent);
      return message.severity === "warning" ? [messageOf(message)] : [];
    }),
    end:
      summary === undefined
        ? undefined
        : summary.result === "succeeded" || (summary.result === undefined && errors.length === 0)
          ? "succeeded"
          : "failed",
    secrets: secretsIn(all),
    problems: [
      ...(summaries.length > 1 || !isOneLog ? ["holds several logs"] : missingIn(events, summary)),
      ...(events.length === 0 ? ["is of a preview"] : []),
      ...(summary?.maybeCorrupt === true ? ["says that its result may be incomplete"] : []),
    ],
  };
}

/** Returns the sensitive texts of the objects of all steps, also of those that are in no state afterwards. */
function secretsIn(events: readonly Json[]): Set<string> {
  const secrets = new Set<string>();
  for (const { step } of events.flatMap(writtenIn))
    for (const object of [step.old, step.new])
      for (const json of [object?.inputs, object?.outputs]) {
        const values = json === undefined ? undefined : decoded(json);
        if (isRecord(values)) for (const secret of sensitiveIn(values)) secrets.add(secret);
      }
  return secrets;
}

/** Returns the steps that the summary counts and the log does not have; it counts no providers. */
const missingIn = (events: readonly Json[], summary: Json | undefined): string[] =>
  ["create", "update", "delete", "replace", "import"].flatMap((op) => {
    const count = objectOf(summary?.resourceChanges)[op];
    const held = events.filter(({ resOutputsEvent }) => {
      const step = stepIn(resOutputsEvent);
      return step?.op === op && !isProvider(step.urn);
    }).length;
    return typeof count === "number" && held < count ? [`lacks ${count - held} of ${count} steps ${op}`] : [];
  });

const isOfPreview = ({ summaryEvent, ...event }: Json): boolean =>
  objectOf(summaryEvent).isPreview === true ||
  Object.keys(results).some((name) => objectOf(event[name]).planning === true);

/** Step of an event, and the second in which it was written. */
interface Written {
  readonly name: keyof typeof results;
  readonly step: Step;
  readonly second: number;
}

function stepsIn(events: readonly Json[]): Pick<ApplyLog, "events" | "unchanged"> {
  const refreshed = new Set<string>();
  const starts = new Map<string, number>();
  const unchanged: string[] = [];
  const steps = events.flatMap((event): StepEvent[] =>
    writtenIn(event).flatMap(({ name, step, second }) => {
      const { op, urn, old, new: next } = step;
      const address = addressOf(urn);
      // The event at the end of a refresh has the operation that the refresh found.
      if (op === "refresh") refreshed.add(urn);
      if (op === "refresh" || (name !== "resourcePreEvent" && refreshed.delete(urn))) return [];
      if (op === "same" && name === "resOutputsEvent") unchanged.push(address);
      const action = stepActions[op];
      if (action === undefined || !isStep(step)) return [];
      const result = results[name];
      const key = `${op} ${urn}`;
      const start = starts.get(key);
      if (result === undefined) starts.set(key, second);
      return [
        {
          ...{ address, type: typeOf(urn), action },
          ...(result && { result }),
          id: stringOf((next ?? old)?.id),
          ...(result === undefined || start === undefined ? {} : { seconds: second - start }),
          ...valuesIn("inputs", next?.inputs),
          ...valuesIn("before", old?.inputs),
          ...valuesIn("outputs", next?.outputs),
          ...(action === "update" ? { changed: changedIn(step) } : {}),
        },
      ];
    }),
  );
  return { events: steps, unchanged };
}

function valuesIn(name: "inputs" | "before" | "outputs", json: unknown): { [name: string]: Values } {
  const values = json === undefined ? undefined : decoded(json);
  return isRecord(values) ? { [name]: values } : {};
}

function writtenIn(event: Json): Written[] {
  return (Object.keys(results) as (keyof typeof results)[]).flatMap((name) => {
    const step = stepIn(event[name]);
    const { timestamp } = event;
    return step === undefined ? [] : [{ name, step, second: typeof timestamp === "number" ? timestamp : 0 }];
  });
}

/** Returns true for the step of an object. A plan has the providers that change, and no new ones. */
const isStep = ({ op, urn, old, new: next }: Step): boolean =>
  (next ?? old)?.custom === true && typeOf(urn) !== stackType && !(isProvider(urn) && op === "create");

const changedIn = ({ diffReasons, detailedDiff }: Step): string[] => [
  ...new Set([...diffReasons, ...Object.keys(detailedDiff)].map((path) => path.split(/[.[]/)[0] ?? "")),
];

function errorsIn(events: readonly Json[]): LogMessage[] {
  const errors = events.flatMap(({ diagnosticEvent, errorEvent, policyEvent }): LogMessage[] => {
    if (isObject(errorEvent)) return [{ text: String(errorEvent.error) }];
    const policy = objectOf(policyEvent);
    if (policy.enforcementLevel === "mandatory")
      return [messageOf(policy, `policy ${stringOf(policy.policyName) ?? ""}: `)];
    const message = objectOf(diagnosticEvent);
    return message.severity === "error" ? [messageOf(message)] : [];
  });
  // The last message of an update only says that it failed.
  const causes = errors.filter(({ text }) => text !== "update failed");
  return causes.length > 0 ? causes : errors;
}

function messageOf({ urn, resourceUrn, message }: Json, lead = ""): LogMessage {
  const object = stringOf(urn) ?? stringOf(resourceUrn);
  const text = `${lead}${withoutColours(String(message)).trim()}`;
  return object === undefined || typeOf(object) === stackType
    ? { text }
    : { address: addressOf(object), text };
}
