import { InputError } from "../core/error.ts";
import { describeObject } from "../core/remedy.ts";
import { isUnconfirmed, type ResourceState } from "../core/state.ts";
import { hasUnknown, isRecord, mapValues, reveal, UNKNOWN, type Value, type Values } from "../core/value.ts";
import { inWordsOf } from "../core/wording.ts";
import type { Fields } from "../definition/field.ts";
import type { Resource } from "../definition/resource.ts";
import { type Stored, upgraded, versionOf } from "../definition/upgrade.ts";
import type { Plan } from "../engine/engine.ts";
import { markSecrets } from "./secret.ts";

export { deletesFirst, type ResourceDiff, resourceDiff } from "./diff.ts";
export { importIdOf, regionInput } from "./import.ts";
export { connectEngineLog, type EngineLog } from "./log.ts";
export { withName } from "./name.ts";
export { errorText, problemText, problemWarning, warningText } from "./text.ts";
export { decodeValue, encodeValue, isSecretOnWire } from "./value.ts";

/**
 * State of an object in a Pulumi stack: outputs (every field with a value) and inputs (the properties that a program
 * would set). The plugin and the dynamic classes store the same values, so that a stack can change the adapter without a
 * diff.
 */

/** Outputs for the parts of a state that are not fields; each is stored only while it has a value. */
const unreadKey = "__unread";
const failedKey = "__failed";
const candidatesKey = "__candidates";
const createdAtKey = "__createdAt";
const writtenAtKey = "__writtenAt";
const accountKey = "__account";
const unconfirmedKey = "__unconfirmed";
/** Version of the definition that produced the outputs; absent in version 0. */
const versionKey = "__version";

/**
 * Returns the state in these outputs. Drops names without a field, such as `__provider`. Throws `InputError` for the outputs of
 * a newer definition, whose values this version would misread.
 */
export function stateOf(resource: Resource, id: string, outputs: Values): ResourceState {
  const { [versionKey]: version = 0, ...stored } = reveal(outputs) as Values;
  if (!isReadable(resource, version)) throw newerState(resource, id, outputs);
  const current = upgraded(resource, version, stored as Stored) as Values;
  const values = mapValues(resource.fields, (_, name) => current[name] ?? null);
  const unread = current[unreadKey];
  const failed = current[failedKey];
  const candidates = current[candidatesKey];
  const createdAt = current[createdAtKey];
  const writtenAt = current[writtenAtKey];
  const account = current[accountKey];
  const unconfirmed = current[unconfirmedKey];
  return {
    id,
    task: undefined,
    values,
    unread: Array.isArray(unread) ? unread.map(String) : [],
    ...(typeof failed === "string" ? { failed } : {}),
    ...(isRecord(candidates) ? { candidates } : {}),
    ...(typeof createdAt === "number" ? { createdAt } : {}),
    ...(typeof writtenAt === "number" ? { writtenAt } : {}),
    ...(typeof account === "string" ? { account } : {}),
    ...(isUnconfirmed(unconfirmed) ? { unconfirmed } : {}),
  };
}

/**
 * Returns the state with the stored inputs of fields that an import left empty. A step without a change stores the inputs of the program
 * and keeps the outputs, so that only the inputs have what the program recorded; later programs are compared with that.
 */
export function withStoredInputs({ fields }: Resource, state: ResourceState, stored: Values): ResourceState {
  const inputs = reveal(stored) as Values;
  const recorded = state.unread.filter(
    (name) => isLeftEmpty(fields, state, name) && (inputs[name] ?? null) !== null,
  );
  if (recorded.length === 0) return state;
  return {
    ...state,
    values: { ...state.values, ...Object.fromEntries(recorded.map((name) => [name, inputs[name] ?? null])) },
    unread: state.unread.filter((name) => !recorded.includes(name)),
  };
}

/** Returns true for a field without a value that an import could not read. A group with candidates gets computed values in an update. */
const isLeftEmpty = (fields: Fields, { values, unread }: ResourceState, name: string): boolean => {
  const field = fields[name];
  const hasCandidates = field?.kind === "group" && field.options.candidates !== undefined;
  return !hasCandidates && unread.includes(name) && (values[name] ?? null) === null;
};

/** Returns true if all changes of a plan only record fields that an import left empty, which a step without a change does too. */
export const onlyFillsImport = (
  { fields }: Resource,
  state: ResourceState,
  { action, changes }: Plan,
): boolean =>
  action === "update" &&
  changes.every(
    ({ path: [name, ...rest], after, recordOnly }) =>
      recordOnly === true &&
      rest.length === 0 &&
      !hasUnknown(after) &&
      isLeftEmpty(fields, state, String(name)),
  );

const isReadable = (resource: Resource, version: Value): version is number =>
  Number.isInteger(version) && Number(version) >= 0 && Number(version) <= versionOf(resource);

function newerState({ name: kind }: Resource, id: string, { name }: Values): InputError {
  const subject = describeObject({ kind, name: typeof name === "string" ? name : undefined, id });
  return new InputError([
    {
      path: [],
      title: "The state was written by a newer version",
      problem: `A newer version of the plugin wrote the state of ${subject}, and this version cannot read it. Update the plugin, or the package @kcloud/iac, to that version or a newer one, then run again.`,
    },
  ]);
}

/** Returns the outputs of a state. Marks as secret the declared secrets and the values that are secret in `likes`. */
export function outputsOf(
  resource: Resource,
  { values, unread, candidates, failed, createdAt, writtenAt, account, unconfirmed }: ResourceState,
  ...likes: Values[]
): Values {
  const outputs = withoutNull(markSecrets(resource.fields, values, likes)) as Values;
  if (unread.length > 0) outputs[unreadKey] = [...unread];
  if (candidates !== undefined) outputs[candidatesKey] = withoutNull(candidates);
  if (failed !== undefined) outputs[failedKey] = inWordsOf("pulumi", failed);
  if (createdAt !== undefined) outputs[createdAtKey] = createdAt;
  if (writtenAt !== undefined) outputs[writtenAtKey] = writtenAt;
  if (account !== undefined) outputs[accountKey] = account;
  if (unconfirmed !== undefined) outputs[unconfirmedKey] = { ...unconfirmed };
  if (versionOf(resource) > 0) outputs[versionKey] = versionOf(resource);
  return outputs;
}

/**
 * Returns the outputs of a preview. The engine treats an absent property as unknown, so null values are included and
 * unknown values omitted.
 */
export function previewOutputs(resource: Resource, values: Values, like: Values): Values {
  const outputs = markSecrets(resource.fields, values, [like]);
  return Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== UNKNOWN));
}

/** Returns the value without null members at any depth: a stored state omits properties without a value. */
export function withoutNull(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, item]) => (item ?? null) !== null);
  return Object.fromEntries(members.map(([name, item]) => [name, withoutNull(item)]));
}

/**
 * Returns the inputs that produce these values. A field that the API computes by default is included only if `old` has it,
 * so that a refresh adds no property to the inputs.
 */
export function inputsOf(fields: Fields, values: Values, old: Values): Values {
  const inputs: Values = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name] ?? null;
    const oldInput = old[name] ?? null;
    if (value === null || field.kind === "computed") continue;
    if (field.kind === "group")
      inputs[name] = isRecord(value)
        ? inputsOf(field.fields, value, isRecord(oldInput) ? oldInput : {})
        : value;
    else if (!field.options.computed || oldInput !== null) inputs[name] = value;
  }
  return inputs;
}
