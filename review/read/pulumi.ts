import { hasUnknown, isRecord, isSecret, type Value } from "../../provider/core/value.ts";
import { decodeValue } from "../../provider/pulumi/pulumi.ts";
import { canonical, digestOf } from "../model/canonical.ts";
import type { Change } from "../model/change.ts";
import { differencesOf } from "../model/difference.ts";
import type { Message, OutputChange, Plan, ProviderUse } from "../model/plan.ts";
import { hideSecrets } from "../model/secret-shape.ts";
import type { Parts } from "./document.ts";
import { isObject, type Json, malformed, objectOf, objectsOf, stringOf } from "./json.ts";
import { changeOf, decoded, retained } from "./pulumi-object.ts";
import {
  actions,
  addressOf,
  isObjectStep,
  isProvider,
  isRefresh,
  ordersOf,
  partsOfReplacement,
  providerUrnOf,
  type Step,
  stackType,
  stateIn,
  stepIn,
  stepOf,
  typeOf,
  withLeftOvers,
} from "./pulumi-step.ts";

/**
 * Readers of Pulumi previews: the digest of `pulumi preview --json`, and the event log of `--event-log`. Neither has a version
 * field, so the reader recognizes them by their shape.
 */

/** Returns true for the digest of a preview. */
export const isPulumiDigest = (json: Json): boolean => Array.isArray(json.steps) || "changeSummary" in json;

/** Returns true for an exported stack in place of a preview. */
export const isPulumiState = (json: Json): boolean => "deployment" in json && "version" in json;

/** Returns true for an event of an event log. */
export const isPulumiEvent = (json: Json): boolean =>
  "sequence" in json && Object.keys(json).some((key) => key.endsWith("Event"));

const previewParts: ReadonlySet<string> = new Set([
  ...["config", "steps", "diagnostics", "duration", "changeSummary", "maybeCorrupt"],
]);

/** Members of an event: its number, its time and one of the others. */
const knownEvents: ReadonlySet<string> = new Set([
  ...["sequence", "timestamp", "preludeEvent", "stdoutEvent", "diagnosticEvent", "resourcePreEvent"],
  ...["resOutputsEvent", "resOpFailedEvent", "summaryEvent", "cancelEvent", "errorEvent", "progressEvent"],
  ...["policyEvent", "policyLoadEvent", "policyRemediationEvent", "policyAnalyzeSummaryEvent"],
  ...["policyAnalyzeStackSummaryEvent", "policyRemediateSummaryEvent", "startDebuggingEvent"],
]);

/** Parts of the digest of a preview that are read row by row. */
export const pulumiParts: Parts = new Map([["steps", { row: stepOf }]]);

export function readPulumiDigest(name: string, json: Json): Plan {
  const steps = objectsOf(json.steps) as readonly unknown[] as readonly Step[];
  const messages = objectsOf(json.diagnostics).map(messageOf);
  const gaps = [
    ...(json.maybeCorrupt === true ? [corrupt] : []),
    ...malformed(json, "steps"),
    ...miscounted(steps, json.changeSummary),
  ];
  const unknownParts = Object.keys(json).filter((key) => !previewParts.has(key));
  const same = objectOf(json.changeSummary).same;
  const listed = steps.filter(({ op }) => op === "same").length;
  const unlisted = typeof same === "number" ? Math.max(0, same - listed) : 0;
  if (unlisted > 0 && !isRefresh(steps))
    messages.push({
      level: "warning",
      text: `The preview omits ${unlisted} unchanged ${unlisted === 1 ? "object" : "objects"}, so the review cannot compare with ${unlisted === 1 ? "it" : "them"}: run pulumi preview --json --show-sames.`,
    });
  return {
    ...planOf({ name, steps, messages, gaps, unknownParts, outputs: steps.flatMap(outputsOf) }),
    unlisted,
  };
}

/** Converts the events of a preview. An event log without its last event, the summary, is incomplete. */
export function readPulumiEvents(name: string, events: readonly Json[]): Plan {
  const refreshed = new Set<string>();
  const steps = events.flatMap((event): Step[] => {
    const begun = stepIn(event.resourcePreEvent);
    if (begun?.op === "refresh") refreshed.add(begun.urn);
    if (begun !== undefined) return [begun];
    // The event at the end of a refresh holds its result.
    const ended = stepIn(event.resOutputsEvent);
    if (ended === undefined || !refreshed.delete(ended.urn)) return [];
    const op = ended.new === undefined ? "delete" : ended.op;
    return op === "update" || op === "delete" ? [{ ...ended, op, isFound: true }] : [];
  });
  const messages = events.flatMap((event) => [
    ...(isObject(event.diagnosticEvent) ? [messageOf(event.diagnosticEvent)] : []),
    ...(isObject(event.policyEvent) ? [policyMessage(event.policyEvent)] : []),
    ...(isObject(event.errorEvent) ? [errorMessage(event.errorEvent)] : []),
  ]);
  const summaries = events.flatMap((event) => (isObject(event.summaryEvent) ? [event.summaryEvent] : []));
  const [summary = {}] = summaries;
  const gaps = [
    ...logGaps(events, summaries),
    ...(summaries.length === 1 ? miscounted(steps, summary.resourceChanges) : []),
    ...unlikeOutputEvents(events),
  ];
  const unknownParts = new Set(events.flatMap(Object.keys).filter((key) => !knownEvents.has(key)));
  const ended = events.flatMap((event) => {
    const data = objectOf(objectOf(event.resOutputsEvent).metadata);
    const urn = stringOf(data.urn) ?? "";
    return typeOf(urn) === stackType ? [{ urn, old: stateIn(data.old), new: stateIn(data.new) }] : [];
  });
  return planOf({
    name,
    steps,
    messages,
    gaps,
    unknownParts: [...unknownParts],
    outputs: ended.slice(-1).flatMap(outputsOf),
  });
}

const corrupt = "the engine reports that the result may be incomplete";

/** Returns the gaps of an event log, which must be the whole log of one preview. */
function logGaps(events: readonly Json[], summaries: readonly Json[]): string[] {
  const [summary] = summaries;
  if (summary === undefined)
    return ["the event log has no summary: the preview did not finish, or its log is truncated"];
  const numbers = events.map(({ sequence }) => sequence);
  const isWhole = numbers.every((number, index) => number === index);
  const isPlanned = events.every(
    ({ resourcePreEvent: event }) => !isObject(event) || event.planning !== false,
  );
  return [
    ...(summaries.length > 1 || !isWhole
      ? ["the numbers of its events are not those of one whole log: it has several logs, or parts of one"]
      : []),
    ...(summary.isPreview === false || !isPlanned ? ["it is the log of an update, not of a preview"] : []),
    ...(summary.maybeCorrupt === true ? [corrupt] : []),
    ...(summary.result !== undefined && summary.result !== "succeeded"
      ? [`the preview ended with ${JSON.stringify(summary.result)}`]
      : []),
  ];
}

/** Returns a gap for each object whose step ends in an event with another operation or other inputs than it began with. */
function unlikeOutputEvents(events: readonly Json[]): string[] {
  const begun = new Map<string, Step[]>();
  const refreshed = new Set<string>();
  return events.flatMap((event): string[] => {
    const before = stepIn(event.resourcePreEvent);
    if (before?.op === "refresh") refreshed.add(before.urn);
    else if (before !== undefined) begun.set(before.urn, [...(begun.get(before.urn) ?? []), before]);
    const after = stepIn(event.resOutputsEvent);
    if (after === undefined || refreshed.delete(after.urn)) return [];
    const isSame = (begun.get(after.urn) ?? []).some(
      (step) =>
        step.op === after.op && JSON.stringify(step.new?.inputs) === JSON.stringify(after.new?.inputs),
    );
    return isSame ? [] : [contradictionOf(after.urn)];
  });
}

/** Kinds of steps that a summary always counts. */
const counted: ReadonlySet<string> = new Set(["create", "update", "replace", "delete"]);

/** Returns a gap for each kind of step of which a preview holds another number than its summary counts. */
function miscounted(steps: readonly Step[], summary: unknown): string[] {
  if (!isObject(summary)) return ["the preview has no summary of its steps"];
  const kinds = new Set([
    ...Object.keys(summary),
    ...steps.map(({ op }) => op).filter((op) => counted.has(op)),
  ]);
  // A preview without --show-sames leaves these out.
  kinds.delete("same");
  return [...kinds].flatMap((op) => {
    const count = summary[op] ?? 0;
    const all = steps.filter((step) => step.op === op);
    const listed = all.length;
    // The summary counts neither providers nor, of a refresh and the steps after it, an object twice.
    const planned = all.filter(({ urn, isFound }) => !isFound && !isProvider(urn)).length;
    const isContradiction =
      typeof count === "number" && (listed < count || (counted.has(op) && planned > count));
    return isContradiction ? [`the preview counts ${count} of the step ${op}, and holds ${listed}`] : [];
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: messages of the engine contain commands for colours.
const colours = /\u001b\[[0-9;]*m|<\{%[^%]*%\}>/g;

export const withoutColours = (text: string): string => text.replace(colours, "");

function messageOf(json: Json): Message {
  const severity = stringOf(json.severity) ?? "info";
  const level = severity === "error" || severity === "warning" ? severity : "info";
  return { level, text: withoutColours(stringOf(json.message) ?? "").trim() };
}

const errorMessage = (json: Json): Message => ({
  level: "error",
  text: stringOf(json.error) ?? "the engine failed",
});

const policyMessage = (json: Json): Message => ({
  isCheck: true,
  level: json.enforcementLevel === "mandatory" ? "error" : "warning",
  text: `policy ${stringOf(json.policyName) ?? ""}: ${withoutColours(stringOf(json.message) ?? "").trim()}`,
});

/** Content of a preview. */
interface Preview {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly messages: readonly Message[];
  readonly gaps: readonly string[];
  readonly unknownParts: readonly string[];
  readonly outputs: readonly OutputChange[];
}

function planOf({ name, messages, gaps, unknownParts, outputs, ...preview }: Preview): Plan {
  const steps = withLeftOvers(preview.steps);
  const isDrift = isRefresh(steps);
  const allGaps = [...gaps];
  if (messages.some(({ level }) => level === "error"))
    allGaps.push("the preview ended with an error and contains only the steps before it");
  const orders = ordersOf(steps);
  const known = steps.filter(({ op, urn }) => {
    if (partsOfReplacement.has(op)) return false;
    if (!actions.has(op))
      allGaps.push(`${addressOf(urn)} has a step that this version does not support: ${op}`);
    return actions.has(op);
  });
  const whole = new Set(steps.filter(({ op }) => actions.get(op) === "replace").map(({ urn }) => urn));
  for (const { op, urn } of steps)
    if (op === "create-replacement" && !whole.has(urn))
      allGaps.push(`${addressOf(urn)} has a step of a replacement, but the replacement is missing`);
  const objectsOfSteps = (group: readonly Step[]): Change[] =>
    group.filter(isObjectStep).flatMap((step) => retained(changeOf(name, step, orders.get(step.urn)), step));
  // With a refresh, an object has a `refresh` step first and its planned step after it.
  const planned = new Set(
    known.filter(({ op, isFound }) => op !== "refresh" && !isFound).map(({ urn }) => urn),
  );
  const objects = objectsOfSteps(
    known.filter(({ op, urn, isFound }) => !isFound && !(op === "refresh" && planned.has(urn))),
  );
  for (const step of known) if (isContradictoryStep(step)) allGaps.push(contradictionOf(step.urn));
  for (const change of isDrift ? [] : objects)
    if (hasOtherValues(change))
      allGaps.push(`its parts contradict each other: ${change.address} is the same, but has other values`);
  const found = objectsOfSteps(known.filter(({ isFound }) => isFound));
  const states = steps.map(({ urn, old }) => [
    urn,
    old?.id ?? null,
    decodeValue((old?.outputs ?? null) as never),
  ]);
  return {
    name,
    engine: "pulumi",
    purpose: isDrift ? "drift" : "change",
    changes: isDrift ? [] : objects,
    unlisted: 0,
    drift: isDrift ? [...objects, ...found] : found,
    outputs: isDrift ? [] : outputs,
    invocations: [
      ...objects
        .filter(({ type, action }) => runsCommands.test(type) && action !== "none" && action !== "read")
        .map(({ address, type }) => ({ kind: "command" as const, address, type })),
      // An object whose id the preview does not know is read during the update.
      ...objects
        .filter(({ action, id }) => action === "read" && id === undefined)
        .map(({ address, type, after = null }) => ({
          kind: "read" as const,
          address,
          type: `read of ${type}`,
          values: after,
        })),
    ],
    providers: providersOfSteps(steps),
    sensitive: [],
    // Omits messages of the program and of debugging, which quote inputs.
    messages: messages.filter(({ level, text }) => level !== "info" && text !== ""),
    gaps: allGaps,
    unknownParts,
    prior: { digest: digestOf(states.map((state) => canonical(state as Value))) },
  };
}

const contradictionOf = (urn: string): string =>
  `its parts contradict each other: the states of ${addressOf(urn)} do not belong to its step`;

/** Returns true if the states of a step do not belong to its operation, or are of another type than its URN. */
function isContradictoryStep({ op, urn, old, new: next }: Step): boolean {
  if ([old, next].some((state) => state?.type !== undefined && state.type !== typeOf(urn))) return true;
  switch (op) {
    case "create":
      return next === undefined;
    case "update":
    case "replace":
      return old === undefined || next === undefined;
    case "delete":
      return old === undefined;
    // Only an object that the stack does not manage is read.
    case "read":
      return old !== undefined && old.external !== true;
    default:
      return false;
  }
}

/**
 * Returns true for an unchanged object of this package whose inputs have other values, which its provider would update. Masked
 * values cannot be compared. Values that an import left empty are recorded without an update.
 */
const hasOtherValues = (change: Change): boolean =>
  change.action === "none" &&
  change.importedId === undefined &&
  change.resource !== undefined &&
  differencesOf(change).some(
    ({ field, before, after, isUncompared }) =>
      field?.kind === "field" && !hasUnknown(after) && !isSecret(after) && !(isUncompared && before === null),
  );

/**
 * Returns the configurations of the providers. A preview in JSON has those that change only: of another provider, to which its
 * objects refer, it does not hold the settings.
 */
function providersOfSteps(steps: readonly Step[]): ProviderUse[] {
  const shown = steps.filter(({ urn }) => isProvider(urn));
  const urns = new Set(shown.map(({ urn }) => urn));
  const used = steps.flatMap(({ new: next, old }) => providerUrnOf(next ?? old ?? {}) ?? []);
  return [
    ...shown
      .filter(({ op }) => op !== "refresh")
      .map(({ urn, old, new: next }) => providerOf(urn, decoded((next ?? old)?.inputs))),
    ...[...new Set(used)]
      .filter((urn) => !urns.has(urn))
      .map((urn) => ({ ...providerOf(urn, null), isPartial: true as const })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function providerOf(urn: string, inputs: Value): ProviderUse {
  // The engine adds these to the settings.
  const settings = isRecord(inputs) ? inputs : {};
  const internal = isRecord(settings.__internal) ? settings.__internal : {};
  const [source = typeOf(urn).split(":").at(-1) ?? ""] = [
    internal.pluginDownloadURL,
    settings.pluginDownloadURL,
    internal.name,
  ].filter((value) => typeof value === "string");
  return {
    name: addressOf(urn),
    source,
    values: hideSecrets({ inputs }, true).values.inputs ?? null,
  };
}

/** Types whose create, update or delete runs a command or code of the program. */
const runsCommands = /^command:|^pulumi-(nodejs|python):dynamic(:|\/(?!kcloud:))/;

/**
 * Returns the changes of the stack's outputs. A digest has no new outputs; an event log has them in the last event of the
 * stack.
 */
function outputsOf({ urn, old, new: next }: Pick<Step, "urn" | "old" | "new">): OutputChange[] {
  if (typeOf(urn) !== stackType || next?.outputs === undefined) return [];
  const before = decoded(old?.outputs);
  const after = decoded(next.outputs);
  const left = isRecord(before) ? before : {};
  const right = isRecord(after) ? after : {};
  return Object.keys({ ...left, ...right }).flatMap((name): OutputChange[] => {
    const change: Omit<OutputChange, "action"> = {
      name,
      before: left[name] ?? null,
      after: right[name] ?? null,
    };
    if (canonical(change.before) === canonical(change.after)) return [];
    const action = Object.hasOwn(left, name) ? (Object.hasOwn(right, name) ? "update" : "delete") : "create";
    return [{ ...change, action }];
  });
}
