import { durationProblem, parseDuration } from "../../core/duration.ts";
import type { Problem } from "../../core/error.ts";
import { entriesOf, memoize } from "../../core/memoize.ts";
import {
  type InterruptedCreate,
  isUnconfirmed,
  type ResourceState,
  type UnconfirmedChange,
} from "../../core/state.ts";
import { emptyRecord, isRecord, type Path, UNKNOWN, type Value, type Values } from "../../core/value.ts";
import { configurable } from "../../definition/configurable.ts";
import type { Fields } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Stored } from "../../definition/upgrade.ts";
import type { OtherHolders } from "../../engine/engine.ts";
import type { RawState } from "../tfplugin6/tfplugin6.ts";
import type { timeoutNames } from "./schema.ts";

/** Conversion between states of the core and of engines, which store fields, id, timeouts and private bytes. */

/** Returns the fields of an object without `id` and `timeouts`, which every resource has in addition. */
export function fieldsOf(values: Values): Values {
  const { id: _, timeouts: __, ...fields } = values;
  return fields;
}

/** Private state, which engines store without reading it. Encoded as no bytes if no field is set. */
interface Private {
  readonly task?: string;
  readonly interrupted?: InterruptedCreate;
  readonly unread?: readonly string[];
  readonly candidates?: Values | undefined;
  readonly createdAt?: number | undefined;
  readonly writtenAt?: number | undefined;
  readonly account?: string | undefined;
  readonly unconfirmed?: UnconfirmedChange | undefined;
}

/** Encodes the parts of a state that are not attributes as private bytes; empty if there are none. */
export function encodePrivate({
  task,
  interrupted,
  unread,
  candidates,
  createdAt,
  writtenAt,
  account,
  unconfirmed,
}: ResourceState): Uint8Array {
  const stored: Private = {
    ...(task === undefined ? {} : { task }),
    ...(interrupted === undefined ? {} : { interrupted }),
    ...(unread.length > 0 ? { unread } : {}),
    ...(candidates === undefined ? {} : { candidates }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(writtenAt === undefined ? {} : { writtenAt }),
    ...(account === undefined ? {} : { account }),
    ...(unconfirmed === undefined ? {} : { unconfirmed }),
  };
  return Object.keys(stored).length === 0 ? new Uint8Array() : Buffer.from(JSON.stringify(stored));
}

function decodePrivate(bytes: Uint8Array | undefined): Private {
  const read = parsePrivate(bytes);
  return {
    ...(typeof read.task === "string" ? { task: read.task } : {}),
    ...interruptedIn(read),
    ...(isRecord(read.candidates) ? { candidates: read.candidates } : {}),
    ...(typeof read.createdAt === "number" ? { createdAt: read.createdAt } : {}),
    ...(typeof read.writtenAt === "number" ? { writtenAt: read.writtenAt } : {}),
    ...(typeof read.account === "string" ? { account: read.account } : {}),
    ...(isUnconfirmed(read.unconfirmed) ? { unconfirmed: read.unconfirmed } : {}),
    unread: textsOf(read.unread),
  };
}

function interruptedIn({ interrupted = null }: Values): Pick<Private, "interrupted"> {
  if (!isRecord(interrupted)) return {};
  const { sentAt, stoppedAt, seenIds, isDated } = interrupted;
  return {
    interrupted: {
      ...(typeof sentAt === "number" ? { sentAt } : {}),
      ...(typeof stoppedAt === "number" ? { stoppedAt } : {}),
      seenIds: textsOf(seenIds),
      ...(isDated === true ? { isDated } : {}),
    },
  };
}

const textsOf = (value: Value | undefined): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

/** Private data of a plan, in addition to that of the state. */
export interface PlannedPrivate {
  /** Id of the existing object. A plan of a create that receives this id plans the replacement of that object. */
  readonly replaces?: string;
  /** True if the plan keeps the existing object. The engine may decide to replace it after all. */
  readonly keeps?: boolean;
  /** Objects that other resources have: the create does not adopt them, and its delete keeps them. */
  readonly holders?: OtherHolders;
  /** Region of the object that the plan replaces. */
  readonly region?: string;
  /**
   * Reason why the existing object must not be deleted, with the path of the attribute: an error of the delete, and of a
   * replacement that the engine decides after a plan that keeps the object.
   */
  readonly loss?: { readonly path: readonly string[]; readonly problem: string; readonly title?: string };
}

/** Returns private bytes with the private data of a plan added; without such data unchanged. */
export const encodePlanned = (
  bytes: Uint8Array | undefined,
  planned: PlannedPrivate,
): Uint8Array | undefined =>
  Object.keys(planned).length === 0
    ? bytes
    : Buffer.from(JSON.stringify({ ...parsePrivate(bytes), ...planned }));

/** Returns the private data of a plan in private bytes; empty if there is none. */
export function decodePlanned(bytes: Uint8Array | undefined): PlannedPrivate {
  const { replaces, keeps, holders = null, region, loss = null } = parsePrivate(bytes);
  return {
    ...(isRecord(loss) && typeof loss.problem === "string"
      ? {
          loss: {
            path: textsOf(loss.path),
            problem: loss.problem,
            ...(typeof loss.title === "string" ? { title: loss.title } : {}),
          },
        }
      : {}),
    ...(typeof region === "string" ? { region } : {}),
    ...(typeof replaces === "string" ? { replaces } : {}),
    ...(typeof keeps === "boolean" ? { keeps } : {}),
    ...(isRecord(holders) ? { holders: holders as OtherHolders } : {}),
  };
}

/** Returns the content of private bytes; empty if there is none. */
const parsePrivate = (bytes: Uint8Array | undefined): Values =>
  bytes === undefined || bytes.length === 0 ? {} : parsed(bytes);

/** Returns parsed private bytes. They are parsed once, as several parts of one request need them. */
const parsed = memoize((bytes: Uint8Array): Values => JSON.parse(Buffer.from(bytes).toString("utf8")));

/** Converts the object that engines store, and its private bytes, to a state of the core. */
export function toState(values: Values, privateBytes: Uint8Array | undefined): ResourceState {
  const {
    task,
    interrupted,
    unread = [],
    candidates,
    createdAt,
    writtenAt,
    account,
    unconfirmed,
  } = decodePrivate(privateBytes);
  const state = { values: fieldsOf(values), unread, candidates, createdAt, writtenAt, account, unconfirmed };
  if (typeof values.id === "string" && values.id !== "") return { id: values.id, task: undefined, ...state };
  return { id: undefined, task, interrupted, ...state };
}

/** Converts a state of the core to the object that engines store. */
export const fromState = (state: ResourceState, timeouts: Value | undefined): Values => ({
  ...state.values,
  id: state.id ?? null,
  timeouts: timeouts ?? null,
});

/**
 * Returns the inputs of a request: planned values, which keep the spelling of the plan, without those that the API chooses
 * and the configuration does not set.
 */
export function plannedInputs(fields: Fields, planned: Values, config: Values): Values {
  const inputs = emptyRecord();
  for (const { name, value: field } of entriesOf(fields)) {
    if (field.kind === "computed") continue;
    const configured = config[name] ?? null;
    const isChosenByApi = field.kind === "field" && field.options.computed && !field.options.calculated;
    if (isChosenByApi && configured === null) continue;
    const value = planned[name] ?? null;
    if (value === null || value === UNKNOWN) continue;
    inputs[name] =
      field.kind === "group" && isRecord(value)
        ? plannedInputs(field.fields, value, isRecord(configured) ? configured : {})
        : value;
  }
  return inputs;
}

/** Returns the values with null for secrets: engines print the results of a list. */
export function withoutSecrets(fields: Fields, values: Values): Values {
  const remaining: Values = { ...values };
  for (const { name, value: field } of entriesOf(fields)) {
    const value = values[name] ?? null;
    if (field.kind !== "group" && field.options.secret === true) remaining[name] = null;
    else if (field.kind === "group" && isRecord(value)) remaining[name] = withoutSecrets(field.fields, value);
  }
  return remaining;
}

/** Parses stored attributes of an object; empty if there are none. */
export const parseStored = (raw: RawState | undefined): Stored =>
  raw?.json === undefined ? {} : (JSON.parse(Buffer.from(raw.json).toString("utf8")) as Stored);

/** Returns the configured timeout of an operation in seconds; undefined if the default of the definition applies. */
export function timeoutFor(
  verb: (typeof timeoutNames)[number],
  values: Values | undefined,
): number | undefined {
  const timeouts = values?.timeouts ?? null;
  const text = isRecord(timeouts) ? timeouts[verb] : undefined;
  return typeof text === "string" ? parseDuration(text) : undefined;
}

/** Returns the problems of the configured `timeouts`. */
export function timeoutProblems(timeouts: Value | undefined): Problem[] {
  if (timeouts === undefined || !isRecord(timeouts)) return [];
  return Object.entries(timeouts).flatMap(([verb, text]): Problem[] => {
    const path: Path = ["timeouts", verb];
    return typeof text === "string" && parseDuration(text) === undefined
      ? [{ path, problem: durationProblem }]
      : [];
  });
}

/** Returns the configuration that would create this object: all values except those that only the API sets. */
export const configOf = ({ fields }: Resource, values: Values): Values => ({
  ...configurable(fields, values),
  id: null,
  timeouts: null,
});
