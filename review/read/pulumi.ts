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
import { decodeValue, deletesFirst } from "../../provider/pulumi/pulumi.ts";
import { canonical, digestOf } from "../model/canonical.ts";
import type { Action, Change, Source } from "../model/change.ts";
import type { Message, OutputChange, Plan } from "../model/plan.ts";
import { masked } from "../model/redaction.ts";
import { isObject, type Json, objectOf, objectsOf, stringOf, stringsOf } from "./json.ts";
import { resourceOfPulumi } from "./kind.ts";
import { nameOf, withDeclaredSecrets } from "./value.ts";

/**
 * Readers of Pulumi previews: the digest of `pulumi preview --json`, and the event log of `--event-log`. Neither has a
 * version, so that their shape decides.
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

export function readPulumiDigest(name: string, json: Json): Plan {
  const steps = objectsOf(json.steps).map((step) => ({
    op: stringOf(step.op) ?? "",
    urn: stringOf(step.urn) ?? "",
    old: stateIn(step.oldState),
    new: stateIn(step.newState),
    replaceReasons: stringsOf(step.replaceReasons),
    diffReasons: stringsOf(step.diffReasons),
    detailedDiff: objectOf(step.detailedDiff),
  }));
  const messages = objectsOf(json.diagnostics).map(messageOf);
  const gaps = json.maybeCorrupt === true ? ["the engine calls its own result incomplete"] : [];
  const unknownParts = Object.keys(json).filter((key) => !knownParts.has(key));
  const same = objectOf(json.changeSummary).same;
  const listed = steps.filter(({ op }) => op === "same").length;
  const unlisted = typeof same === "number" ? Math.max(0, same - listed) : 0;
  if (unlisted > 0 && !isRefresh(steps))
    messages.push({
      level: "warning",
      text: `The preview leaves out ${unlisted} ${unlisted === 1 ? "object that stays" : "objects that stay"} as before, which the review cannot compare with: run pulumi preview --json --show-sames.`,
    });
  return { ...planOf(name, steps, messages, gaps, unknownParts, steps.flatMap(outputsOf)), unlisted };
}

/** Converts the events of a preview. An event log without its last event, the summary, is incomplete. */
export function readPulumiEvents(name: string, events: readonly Json[]): Plan {
  const steps = events.flatMap((event) => {
    const data = objectOf(objectOf(event.resourcePreEvent).metadata);
    if (stringOf(data.op) === undefined) return [];
    return [
      {
        op: stringOf(data.op) ?? "",
        urn: stringOf(data.urn) ?? "",
        old: stateIn(data.old),
        new: stateIn(data.new),
        replaceReasons: stringsOf(data.keys),
        diffReasons: stringsOf(data.diffs),
        detailedDiff: objectOf(data.detailedDiff),
      },
    ];
  });
  const messages = events.flatMap((event) => [
    ...(isObject(event.diagnosticEvent) ? [messageOf(event.diagnosticEvent)] : []),
    ...(isObject(event.policyEvent) ? [policyMessage(event.policyEvent)] : []),
  ]);
  const isEnded = events.some((event) => isObject(event.summaryEvent));
  const gaps = isEnded ? [] : ["the event log has no summary: the preview did not end, or its log was cut"];
  const ended = events.flatMap((event) => {
    const data = objectOf(objectOf(event.resOutputsEvent).metadata);
    const urn = stringOf(data.urn) ?? "";
    return typeOf(urn) === stackType ? [{ urn, old: stateIn(data.old), new: stateIn(data.new) }] : [];
  });
  return planOf(name, steps, messages, gaps, [], ended.slice(-1).flatMap(outputsOf));
}

const stateIn = (json: unknown): Json | undefined => (isObject(json) ? json : undefined);

// biome-ignore lint/suspicious/noControlCharactersInRegex: messages of the engine contain commands for colours.
const colours = /\u001b\[[0-9;]*m|<\{%[^%]*%\}>/g;

function messageOf(json: Json): Message {
  const severity = stringOf(json.severity) ?? "info";
  const level = severity === "error" || severity === "warning" ? severity : "info";
  return { level, text: (stringOf(json.message) ?? "").replace(colours, "").trim() };
}

const policyMessage = (json: Json): Message => ({
  level: json.enforcementLevel === "mandatory" ? "error" : "warning",
  text: `policy ${stringOf(json.policyName) ?? ""}: ${(stringOf(json.message) ?? "").replace(colours, "").trim()}`,
});

const actions: { readonly [op: string]: Action | undefined } = {
  same: "none",
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
  read: "read",
  "read-replacement": "read",
  refresh: "none",
  discard: "forget",
  import: "none",
  "import-replacement": "replace",
};

/** Steps that are parts of a replacement, which the step `replace` represents. */
const partsOfReplacement: ReadonlySet<string> = new Set([
  ...["create-replacement", "delete-replaced", "discard-replaced", "remove-pending-replace"],
]);

function planOf(
  name: string,
  steps: readonly Step[],
  messages: readonly Message[],
  gaps: readonly string[],
  unknownParts: readonly string[],
  outputs: readonly OutputChange[],
): Plan {
  const isDrift = isRefresh(steps);
  const allGaps = [...gaps];
  if (messages.some(({ level }) => level === "error"))
    allGaps.push("the preview ended with an error, so that it holds only what was planned until then");
  const orders = ordersOf(steps);
  const known = steps.filter(({ op, urn }) => {
    if (partsOfReplacement.has(op)) return false;
    if (actions[op] === undefined)
      allGaps.push(`${addressOf(urn)} has a step that this version does not know: ${op}`);
    return actions[op] !== undefined;
  });
  const objects = known.filter(isObjectStep).map((step) => changeOf(name, step, orders.get(step.urn)));
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
    drift: isDrift ? objects : [],
    outputs: isDrift ? [] : outputs,
    invocations: objects
      .filter(({ type, action }) => runsCommands.test(type) && action !== "none" && action !== "read")
      .map(({ address, type }) => ({ address, type })),
    // Other messages are of the program and of debugging, which quote inputs.
    messages: messages.filter(({ level, text }) => level !== "info" && text !== ""),
    gaps: allGaps,
    unknownParts,
    prior: { digest: digestOf(states.map((state) => canonical(state as Value))) },
  };
}

/** Types whose create, update or delete runs a command or code of the program. */
const runsCommands = /^command:|^pulumi-(nodejs|python):dynamic(:|\/(?!kcloud:))/;

/** A refresh has steps of its own for objects that are unchanged, and none that a program asks for. */
const isRefresh = (steps: readonly Step[]): boolean =>
  steps.some(({ op }) => op === "refresh") &&
  steps.every(({ op }) => op === "refresh" || op === "update" || op === "delete");

/** Returns the order of each replacement whose parts the preview shows. */
function ordersOf(steps: readonly Step[]): Map<string, Change["order"]> {
  const orders = new Map<string, Change["order"]>();
  for (const { op, urn } of steps)
    if ((op === "create-replacement" || op === "delete-replaced") && !orders.has(urn))
      orders.set(urn, op === "create-replacement" ? "create first" : "delete first");
  return orders;
}

/** Stacks and components are no objects; a provider is one only if it changes. */
function isObjectStep({ op, urn, old, new: next }: Step): boolean {
  const state = next ?? old;
  if (state?.custom === false || typeOf(urn) === stackType) return false;
  return !typeOf(urn).startsWith("pulumi:providers:") || op === "replace" || op === "delete";
}

/** Parts of a URN: `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`. */
const partsOf = (urn: string): readonly string[] => urn.split("::");
const typeOf = (urn: string): string => (partsOf(urn)[2] ?? "").split("$").at(-1) ?? "";
const addressOf = (urn: string): string => `${typeOf(urn)}::${partsOf(urn).slice(3).join("::")}`;

function changeOf(plan: string, step: Step, order: Change["order"] | undefined): Change {
  const { op, urn, old, new: next } = step;
  const type = typeOf(urn);
  const resource = resourceOfPulumi(type);
  const action = actions[op] ?? "none";
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
    ...(op === "import" ? { importedId: stringOf(next?.importID) ?? stringOf(next?.id) ?? "an id" } : {}),
    ...(state.delete === true ? { isDeposed: true as const, cause: "deposed" as const } : {}),
    ...(old?.protect === true ? { isProtected: true } : {}),
    ...(old?.protect === true && next !== undefined && next.protect !== true ? { unprotects: true } : {}),
    dependsOn: dependenciesIn(state),
    parents: parentsOf(stringOf(state.parent)),
    ...(source === undefined ? {} : { source }),
  };
}

/** Returns the order of a replacement: that of its steps, or where a digest omits them, that of the provider. */
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

const parentsOf = (urn: string | undefined): string[] =>
  urn === undefined || typeOf(urn) === stackType ? [] : [addressOf(urn)];

/** Marks the masked values as secret. */
function decoded(json: unknown): Value {
  const value = decodeValue((json ?? null) as never);
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

/** Returns values without those that the engine or a class adds for itself, whose names begin with two underscores. */
const withoutOwn = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));

/**
 * Returns the planned values. A preview may show inputs only: then what the API sets keeps its value in an update, and is
 * unknown for a new object.
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

/** Type of the root component, which holds the outputs of the stack. */
const stackType = "pulumi:pulumi:Stack";

/**
 * Returns the changes of the stack's outputs. A digest does not hold the new ones, and an event log only in the event after
 * the program has ended.
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
    return quoted === undefined ? (name ?? "") : (JSON.parse(`"${quoted}"`) as string);
  });
}

/** Files of packages, and of the engine's own language hosts: `node_modules/`, `pkg@v1.2.3/`. */
const ofPackages = /(^|\/)node_modules\/|@v\d+\./;

/** Parses `project:///index.ts#12,3`, a path relative to the program. */
function sourceOf(position: string | undefined): Source | undefined {
  const [, file, line] = /^project:\/\/\/([^#]+)#(\d+)/.exec(position ?? "") ?? [];
  if (file === undefined || ofPackages.test(file)) return undefined;
  return { file: decodeURIComponent(file), line: Number(line) };
}
