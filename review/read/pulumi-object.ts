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
import { type Fields, isSetByApi } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { decodeValue, deletesFirst, isSecretOnWire } from "../../provider/pulumi/pulumi.ts";
import type { Action, Change, Origin, Source } from "../model/change.ts";
import { resourceOfPulumi } from "../model/kind.ts";
import { masked } from "../model/redaction.ts";
import { isObject, type Json, objectOf, stringOf, stringsOf } from "./json.ts";
import { actions, addressOf, partsOf, providerUrnOf, type Step, stackType, typeOf } from "./pulumi-step.ts";
import { nameOf, withDeclaredSecrets } from "./value.ts";

/** Converts the steps of a Pulumi preview to planned changes of objects. */

export function changeOf(plan: string, step: Step, order: Change["order"] | undefined): Change {
  const { op, urn, old, new: next } = step;
  const type = typeOf(urn);
  const resource = resourceOfPulumi(type);
  const action = actions.get(op) ?? "none";
  const before = op === "create" || op === "import" ? undefined : valuesOf(resource, old);
  const after =
    action === "delete" || action === "forget" ? undefined : plannedObject(resource, next, before, action);
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
    ...orderOf({ resource, action, order, before, after }, partsOf(urn).slice(3).join("::")),
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
    ...(next !== undefined && endsProtection(old, next) ? { unprotects: true } : {}),
    provider: providerAddressOf(state),
    dependsOn: dependenciesIn(state),
    originsOf: (attribute) => originsIn(state, attribute),
    parents: parentsOf(stringOf(state.parent)),
    ...(source === undefined ? {} : { source }),
  };
}

/** Returns the address of an object before a rename by an alias; undefined without one. */
function previousAddressOf({ urn, old, new: next }: Step): string | undefined {
  const before = stringOf(old?.urn);
  return before === undefined || next === undefined || before === urn ? undefined : addressOf(before);
}

/** Converts the delete or replacement of an object with `retainOnDelete` to a `forget`, with a `create` for a replacement. */
export function retained(change: Change, { old }: Step): Change[] {
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

/** Returns the address of the provider of an object. */
function providerAddressOf(state: Json): string | undefined {
  const urn = providerUrnOf(state);
  return urn === undefined ? undefined : addressOf(urn);
}

/** Returns true if an option of the old state that keeps the object from being deleted is not set any more. */
const endsProtection = (old: Json | undefined, next: Json): boolean =>
  ["protect", "retainOnDelete"].some((option) => old?.[option] === true && next[option] !== true);

/** Returns the order of a replacement: the order of its steps or, if a digest omits them, the order that the provider uses. */
function orderOf(
  {
    resource,
    action,
    order,
    before,
    after,
  }: Pick<Change, "resource" | "action" | "order" | "before" | "after">,
  logical: string,
): Pick<Change, "order"> {
  if (action !== "replace") return {};
  if (order !== undefined) return { order };
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

/**
 * Returns the objects that a property depends on, none if the program does not set it; undefined if the preview has no
 * dependencies of properties.
 */
function originsIn({ propertyDependencies, inputs }: Json, name: string): readonly Origin[] | undefined {
  if (!Object.hasOwn(objectOf(inputs), name)) return [];
  return isObject(propertyDependencies)
    ? stringsOf(propertyDependencies[name]).map((urn) => ({ address: addressOf(urn) }))
    : undefined;
}

const parentsOf = (urn: string | undefined): string[] =>
  urn === undefined || typeOf(urn) === stackType ? [] : [addressOf(urn)];

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

/** Returns the values of a group that the API sets. */
const setByApi = (fields: Fields, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const field = fields[name];
      return field !== undefined && field.kind !== "group" && isSetByApi(field);
    }),
  );

/**
 * Returns the planned values. A preview may have inputs only: fields that the API sets then keep their values in an update and
 * are unknown for a new object.
 */
function plannedObject(
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
    const old = before?.[name] ?? null;
    if (field.kind === "group") {
      const value = planned[name] ?? null;
      // Values of a group that the API sets stay the same, too.
      if (!isNew && isRecord(value) && isRecord(old))
        planned[name] = { ...setByApi(field.fields, old), ...value };
    } else if (isSetByApi(field) && !Object.hasOwn(planned, name)) planned[name] = isNew ? UNKNOWN : old;
  }
  return planned;
}

/** Converts the secrets of a state to the form of a preview: a state holds each as JSON text or encrypted. */
function opened(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(opened);
  if (!isObject(json)) return json;
  const { plaintext: text, ciphertext } = json;
  if (!isSecretOnWire(json) || json.value !== undefined) return openedParts(json);
  // Without the plain text, nothing is known of the value.
  if (typeof text !== "string")
    return typeof ciphertext === "string" ? { ...json, value: masked } : openedParts(json);
  return { ...json, value: plainIn(text) };
}

const openedParts = (json: Json): Json =>
  Object.fromEntries(Object.entries(json).map(([name, part]) => [name, opened(part)]));

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
export function decoded(json: unknown): Value {
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
