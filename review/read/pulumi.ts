import {
  conceal,
  emptyRecord,
  isRecord,
  type Path,
  secret,
  UNKNOWN,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import { isSetByApi } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { decodeValue, deletesFirst, isSecretOnWire } from "../../provider/pulumi/pulumi.ts";
import { canonical, digestOf } from "../model/canonical.ts";
import type { Action, Change, Origin, Source } from "../model/change.ts";
import { resourceOfPulumi } from "../model/kind.ts";
import type { Message, OutputChange, Plan, ProviderUse } from "../model/plan.ts";
import { masked } from "../model/redaction.ts";
import { hideSecrets } from "../model/secret-shape.ts";
import type { Parts } from "./document.ts";
import { isObject, type Json, malformed, objectOf, objectsOf, stringOf, stringsOf } from "./json.ts";
import { nameOf, withDeclaredSecrets } from "./value.ts";

/**
 * Readers of Pulumi previews: the digest of `pulumi preview --json`, and the event log of `--event-log`. Neither has a version
 * field, so the reader recognizes them by their shape.
 */

/** Step of a preview, as both forms contain it. */
interface Step {
  readonly op: string;
  readonly urn: string;
  readonly old: Json | undefined;
  readonly new: Json | undefined;
  readonly replaceReasons: readonly string[];
  readonly diffReasons: readonly string[];
  readonly detailedDiff: Json;
  /** Set for drift that a refresh found. */
  readonly isFound?: true;
}

/** Returns true for the digest of a preview. */
export const isPulumiDigest = (json: Json): boolean => Array.isArray(json.steps) || "changeSummary" in json;

/** Returns true for an exported stack in place of a preview. */
export const isPulumiState = (json: Json): boolean => "deployment" in json && "version" in json;

/** Returns true for an event of an event log. */
export const isPulumiEvent = (json: Json): boolean =>
  "sequence" in json && Object.keys(json).some((key) => key.endsWith("Event"));

const knownParts: ReadonlySet<string> = new Set([
  ...["config", "steps", "diagnostics", "duration", "changeSummary", "maybeCorrupt"],
]);

/** Members of an event: its number, its time and one of the others. */
const knownEvents: ReadonlySet<string> = new Set([
  ...["sequence", "timestamp", "preludeEvent", "stdoutEvent", "diagnosticEvent", "resourcePreEvent"],
  ...["resOutputsEvent", "resOpFailedEvent", "summaryEvent", "cancelEvent", "errorEvent", "progressEvent"],
  ...["policyEvent", "policyLoadEvent", "policyRemediationEvent", "policyAnalyzeSummaryEvent"],
  ...["policyAnalyzeStackSummaryEvent", "policyRemediateSummaryEvent", "startDebuggingEvent"],
]);

const stepOf = (step: Json): Step => ({
  op: stringOf(step.op) ?? "",
  urn: stringOf(step.urn) ?? "",
  old: stateIn(step.oldState),
  new: stateIn(step.newState),
  replaceReasons: stringsOf(step.replaceReasons),
  diffReasons: stringsOf(step.diffReasons),
  detailedDiff: objectOf(step.detailedDiff),
});

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
  const unknownParts = Object.keys(json).filter((key) => !knownParts.has(key));
  const same = objectOf(json.changeSummary).same;
  const listed = steps.filter(({ op }) => op === "same").length;
  const unlisted = typeof same === "number" ? Math.max(0, same - listed) : 0;
  if (unlisted > 0 && !isRefresh(steps))
    messages.push({
      level: "warning",
      text: `The preview omits ${unlisted} unchanged ${unlisted === 1 ? "object" : "objects"}, so the review cannot compare with ${unlisted === 1 ? "it" : "them"}: run pulumi preview --json --show-sames.`,
    });
  return { ...planOf(name, steps, messages, gaps, unknownParts, steps.flatMap(outputsOf)), unlisted };
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
  ];
  const unknownParts = new Set(events.flatMap(Object.keys).filter((key) => !knownEvents.has(key)));
  const ended = events.flatMap((event) => {
    const data = objectOf(objectOf(event.resOutputsEvent).metadata);
    const urn = stringOf(data.urn) ?? "";
    return typeOf(urn) === stackType ? [{ urn, old: stateIn(data.old), new: stateIn(data.new) }] : [];
  });
  return planOf(name, steps, messages, gaps, [...unknownParts], ended.slice(-1).flatMap(outputsOf));
}

/** Returns the step of an event; undefined for another event. */
function stepIn(event: unknown): Step | undefined {
  const { op, urn, old, new: next, keys, diffs, detailedDiff } = objectOf(objectOf(event).metadata);
  if (stringOf(op) === undefined) return undefined;
  return {
    op: stringOf(op) ?? "",
    urn: stringOf(urn) ?? "",
    old: stateIn(old),
    new: stateIn(next),
    replaceReasons: stringsOf(keys),
    diffReasons: stringsOf(diffs),
    detailedDiff: objectOf(detailedDiff),
  };
}

const corrupt = "the engine reports that the result may be incomplete";

/** Returns the gaps of an event log, which must be the whole log of one preview. */
function logGaps(events: readonly Json[], summaries: readonly Json[]): string[] {
  const [summary] = summaries;
  if (summary === undefined)
    return ["the event log has no summary: the preview did not finish, or its log is truncated"];
  const numbers = events.map(({ sequence }) => sequence);
  const isWhole = numbers.every((number, at) => number === at);
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

const stateIn = (json: unknown): Json | undefined => (isObject(json) ? json : undefined);

// biome-ignore lint/suspicious/noControlCharactersInRegex: messages of the engine contain commands for colours.
const colours = /\u001b\[[0-9;]*m|<\{%[^%]*%\}>/g;

function messageOf(json: Json): Message {
  const severity = stringOf(json.severity) ?? "info";
  const level = severity === "error" || severity === "warning" ? severity : "info";
  return { level, text: (stringOf(json.message) ?? "").replace(colours, "").trim() };
}

const errorMessage = (json: Json): Message => ({
  level: "error",
  text: stringOf(json.error) ?? "the engine failed",
});

const policyMessage = (json: Json): Message => ({
  isCheck: true,
  level: json.enforcementLevel === "mandatory" ? "error" : "warning",
  text: `policy ${stringOf(json.policyName) ?? ""}: ${(stringOf(json.message) ?? "").replace(colours, "").trim()}`,
});

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["same", "none"],
  ["create", "create"],
  ["update", "update"],
  ["delete", "delete"],
  ["replace", "replace"],
  ["read", "read"],
  ["read-replacement", "read"],
  ["refresh", "none"],
  ["discard", "forget"],
  ["import", "none"],
  ["import-replacement", "replace"],
]);

/** Steps that are parts of a replacement, which the step `replace` represents. */
const partsOfReplacement: ReadonlySet<string> = new Set([
  ...["create-replacement", "delete-replaced", "discard-replaced", "remove-pending-replace"],
]);

/**
 * Replaces each `delete-replaced` step without a replacement in this preview by a `delete`: it deletes the old object of an
 * earlier, interrupted replacement.
 */
function withLeftOvers(steps: readonly Step[]): Step[] {
  const replaced = new Set(steps.filter(({ op }) => actions.get(op) === "replace").map(objectOfStep));
  return steps.map((step) =>
    step.op === "delete-replaced" && !replaced.has(objectOfStep(step))
      ? { ...step, op: "delete", old: { ...step.old, delete: true } }
      : step,
  );
}

/** Returns the object that exists before a step. A renamed object, which has an alias, has another URN in its old state. */
const objectOfStep = ({ urn, old }: Step): string => JSON.stringify([stringOf(old?.urn) ?? urn, old?.id]);

/** Returns the address of an object before a rename by an alias; undefined without one. */
function previousAddressOf({ urn, old, new: next }: Step): string | undefined {
  const before = stringOf(old?.urn);
  return before === undefined || next === undefined || before === urn ? undefined : addressOf(before);
}

function planOf(
  name: string,
  given: readonly Step[],
  messages: readonly Message[],
  gaps: readonly string[],
  unknownParts: readonly string[],
  outputs: readonly OutputChange[],
): Plan {
  const steps = withLeftOvers(given);
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
  const objectsOfSteps = (own: readonly Step[]): Change[] =>
    own.filter(isObjectStep).flatMap((step) => retained(changeOf(name, step, orders.get(step.urn)), step));
  // With a refresh, an object has a `refresh` step first and its planned step after it.
  const planned = new Set(
    known.filter(({ op, isFound }) => op !== "refresh" && !isFound).map(({ urn }) => urn),
  );
  const objects = objectsOfSteps(
    known.filter(({ op, urn, isFound }) => !isFound && !(op === "refresh" && planned.has(urn))),
  );
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
    invocations: objects
      .filter(({ type, action }) => runsCommands.test(type) && action !== "none" && action !== "read")
      .map(({ address, type }) => ({ kind: "command" as const, address, type })),
    providers: providersOf(steps),
    sensitive: [],
    // Omits messages of the program and of debugging, which quote inputs.
    messages: messages.filter(({ level, text }) => level !== "info" && text !== ""),
    gaps: allGaps,
    unknownParts,
    prior: { digest: digestOf(states.map((state) => canonical(state as Value))) },
  };
}

/**
 * Returns the configurations of the providers. A preview in JSON has those that change only: of another provider, to which its
 * objects refer, it does not hold the settings.
 */
function providersOf(steps: readonly Step[]): ProviderUse[] {
  const shown = steps.filter(({ urn }) => isProvider(urn));
  const urns = new Set(shown.map(({ urn }) => urn));
  const used = steps.flatMap(
    ({ new: next, old }) => stringOf((next ?? old)?.provider)?.replace(/::[^:]*$/, "") ?? [],
  );
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

/** Converts the delete or replacement of an object with `retainOnDelete` to a `forget`, with a `create` for a replacement. */
function retained(change: Change, { old }: Step): Change[] {
  if (old?.retainOnDelete !== true || (change.action !== "delete" && change.action !== "replace"))
    return [change];
  const forget: Change = { ...change, action: "forget", after: undefined, forcedBy: [], changedPaths: [] };
  if (change.action === "delete") return [forget];
  const { order, ...rest } = change;
  return [
    forget,
    { ...rest, action: "create", name: nameOf(rest.after), id: undefined, before: undefined, forcedBy: [] },
  ];
}

/** Types whose create, update or delete runs a command or code of the program. */
const runsCommands = /^command:|^pulumi-(nodejs|python):dynamic(:|\/(?!kcloud:))/;

/**
 * Returns true for a preview of a refresh, which has one step per object. A destroy with a refresh has two steps per object,
 * and one that deletes the stack.
 */
function isRefresh(all: readonly Step[]): boolean {
  const steps = all.filter(({ isFound }) => !isFound);
  const isOfRefresh = ({ op, urn }: Step): boolean =>
    op === "refresh" || (typeOf(urn) !== stackType && (op === "update" || op === "delete"));
  return (
    steps.some(({ op }) => op === "refresh") &&
    steps.every(isOfRefresh) &&
    new Set(steps.map(({ urn }) => urn)).size === steps.length
  );
}

const stackType = "pulumi:pulumi:Stack";

/** Returns the order of each replacement whose parts the preview shows, by the URN of the new object. */
function ordersOf(steps: readonly Step[]): Map<string, Change["order"]> {
  const orders = new Map<string, Change["order"]>();
  const renamed = new Map(
    steps.filter(({ op }) => actions.get(op) === "replace").map((step) => [objectOfStep(step), step.urn]),
  );
  for (const step of steps) {
    const urn = renamed.get(objectOfStep(step)) ?? step.urn;
    if ((step.op === "create-replacement" || step.op === "delete-replaced") && !orders.has(urn))
      orders.set(urn, step.op === "create-replacement" ? "create first" : "delete first");
  }
  return orders;
}

/** Steps that change a provider, and with it the account or the region of its objects. */
const changesProvider: ReadonlySet<string> = new Set(["update", "replace", "delete"]);

/** Returns true for the step of an object: false for stacks and components, and for providers that do not change. */
function isObjectStep({ op, urn, old, new: next }: Step): boolean {
  const state = next ?? old;
  // An event log omits what is false.
  if (state?.custom !== true || typeOf(urn) === stackType) return false;
  return !isProvider(urn) || changesProvider.has(op);
}

/** Parts of a URN: `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`. */
const partsOf = (urn: string): readonly string[] => urn.split("::");
const typeOf = (urn: string): string => (partsOf(urn)[2] ?? "").split("$").at(-1) ?? "";
const isProvider = (urn: string): boolean => typeOf(urn).startsWith("pulumi:providers:");
/** Returns the URN after its project: the types of the parents, the type and the name. */
const addressOf = (urn: string): string => partsOf(urn).slice(2).join("::");

function changeOf(plan: string, step: Step, order: Change["order"] | undefined): Change {
  const { op, urn, old, new: next } = step;
  const type = typeOf(urn);
  const resource = resourceOfPulumi(type);
  const action = actions.get(op) ?? "none";
  const before = op === "create" || op === "import" ? undefined : valuesOf(resource, old);
  const after =
    action === "delete" || action === "forget" ? undefined : plannedValues(resource, next, before, action);
  const state = next ?? old ?? {};
  const source = sourceOf(stringOf(state.sourcePosition));
  const replaced = Object.entries(step.detailedDiff).filter(([, diff]) => /-replace$/.test(kindIn(diff)));
  const forced = new Set([...step.replaceReasons, ...replaced.map(([path]) => path)]);
  const changed = new Set([...Object.keys(step.detailedDiff), ...step.diffReasons, ...step.replaceReasons]);
  return {
    plan,
    engine: "pulumi",
    address: addressOf(urn),
    type,
    resource,
    action,
    ...orderOf(resource, action, order, before, after, partsOf(urn).slice(3).join("::")),
    name: nameOf(before) ?? nameOf(after),
    id: stringOf(old?.id) ?? stringOf(next?.id),
    before,
    after,
    forcedBy: action === "replace" ? [...forced].map(pathOf) : [],
    changedPaths: [...changed].map(pathOf),
    previousAddress: previousAddressOf(step),
    ...(op === "import" ? { importedId: stringOf(next?.importID) ?? stringOf(next?.id) ?? "an id" } : {}),
    ...(state.delete === true ? { isDeposed: true as const, cause: "deposed" as const } : {}),
    ...(old?.protect === true ? { isProtected: true } : {}),
    ...(old?.protect === true && next !== undefined && next.protect !== true ? { unprotects: true } : {}),
    dependsOn: dependenciesIn(state),
    originsOf: (attribute) => originsIn(state, attribute),
    parents: parentsOf(stringOf(state.parent)),
    ...(source === undefined ? {} : { source }),
  };
}

/** Returns the order of a replacement: the order of its steps or, if a digest omits them, the order that the provider uses. */
function orderOf(
  resource: Resource | undefined,
  action: Action,
  shown: Change["order"],
  before: Values | undefined,
  after: Values | undefined,
  logical: string,
): Pick<Change, "order"> {
  if (action !== "replace") return {};
  if (shown !== undefined) return { order: shown };
  if (resource === undefined || before === undefined || after === undefined) return {};
  return { order: deletesFirst(resource, after, before, logical) ? "delete first" : "create first" };
}

const kindIn = (diff: unknown): string =>
  stringOf(objectOf(diff).kind) ?? stringOf(objectOf(diff).diffKind) ?? "";

function dependenciesIn(state: Json): string[] {
  const byProperty = Object.values(objectOf(state.propertyDependencies)).flatMap(stringsOf);
  const urns = new Set([...stringsOf(state.dependencies), ...byProperty]);
  return [...urns].map(addressOf).toSorted();
}

/** Returns the objects that a property depends on; undefined if the preview has no dependencies of properties. */
const originsIn = ({ propertyDependencies }: Json, name: string): readonly Origin[] | undefined =>
  isObject(propertyDependencies)
    ? stringsOf(propertyDependencies[name]).map((urn) => ({ address: addressOf(urn) }))
    : undefined;

const parentsOf = (urn: string | undefined): string[] =>
  urn === undefined || typeOf(urn) === stackType ? [] : [addressOf(urn)];

/** Converts the secrets of a state to the form of a preview: a state holds each as JSON text or encrypted. */
function opened(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(opened);
  if (!isObject(json)) return json;
  const text = json.plaintext ?? json.ciphertext;
  return isSecretOnWire(json) && json.value === undefined && typeof text === "string"
    ? { ...json, value: plainIn(text) }
    : Object.fromEntries(Object.entries(json).map(([name, part]) => [name, opened(part)]));
}

/** Parses the JSON text of a secret; returns an encrypted one unchanged. */
function plainIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}

/** Marks the masked values as secret. */
function decoded(json: unknown): Value {
  const value = decodeValue(opened(json ?? null) as never);
  const mark = (part: Value): Value => {
    if (part === masked) return secret(masked);
    if (Array.isArray(part)) return part.map(mark);
    if (!isRecord(part)) return part;
    const marked = emptyRecord();
    for (const [name, inner] of Object.entries(part)) marked[name] = mark(inner);
    return marked;
  };
  return mark(value);
}

function valuesOf(resource: Resource | undefined, state: Json | undefined): Values | undefined {
  if (state === undefined) return undefined;
  const inputs = decoded(state.inputs);
  const outputs = decoded(state.outputs);
  const values = { ...(isRecord(inputs) ? inputs : {}), ...(isRecord(outputs) ? outputs : {}) };
  const marked = conceal(values, inputs) as Values;
  return resource === undefined ? withoutOwn(marked) : withDeclaredSecrets(resource.fields, marked);
}

/** Removes internal values of the engine or of a dynamic class: their names begin with two underscores. */
const withoutOwn = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));

/**
 * Returns the planned values. A preview may have inputs only: fields that the API sets then keep their values in an update and
 * are unknown for a new object.
 */
function plannedValues(
  resource: Resource | undefined,
  next: Json | undefined,
  before: Values | undefined,
  action: Action,
): Values | undefined {
  const values = valuesOf(resource, next);
  if (values === undefined || resource === undefined) return values;
  const isNew = before === undefined || action === "replace";
  const planned = { ...values };
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.kind === "group" || !isSetByApi(field) || Object.hasOwn(planned, name)) continue;
    planned[name] = isNew ? UNKNOWN : (before[name] ?? null);
  }
  return planned;
}

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

/** Parses a path of the engine: `metadata["a.b"]`, `disks[1].sizeGb`. */
export function pathOf(text: string): Path {
  const steps = text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g);
  return [...steps].map(([, quoted, index, name]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? (name ?? "") : keyIn(quoted);
  });
}

/** Decodes a quoted key: this provider writes JSON, the engine escapes only quotes. */
function keyIn(quoted: string): string {
  try {
    return JSON.parse(`"${quoted}"`) as string;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return quoted.replaceAll('\\"', '"');
  }
}

/** Matches files of packages and of the engine's language hosts: `node_modules/`, `pkg@v1.2.3/`. */
const ofPackages = /(^|\/)node_modules\/|@v\d+\./;

/** Parses `project:///index.ts#12,3`, a path relative to the program. */
function sourceOf(position: string | undefined): Source | undefined {
  const [, file, line] = /^project:\/\/\/([^#]+)#(\d+)/.exec(position ?? "") ?? [];
  if (file === undefined || ofPackages.test(file)) return undefined;
  return { file: unescaped(file), line: Number(line) };
}

function unescaped(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return file;
  }
}
