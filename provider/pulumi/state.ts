import type { Held } from "../core/state.ts";
import {
  conceal,
  isRecord,
  isSecret,
  mapValues,
  reveal,
  secret,
  UNKNOWN,
  type Value,
  type Values,
} from "../core/value.ts";
import type { Fields } from "../definition/field.ts";
import type { Resource } from "../definition/resource.ts";
import { membersOf } from "../definition/shape.ts";
import { type Stored, upgraded, versionOf } from "../definition/upgrade.ts";
import type { Session } from "../engine/engine.ts";

/**
 * What a stack keeps of an object: outputs (every field that has a value) and inputs (what a user would write).
 * Both faces of Pulumi keep the same, so that a stack moves between them and nothing changes.
 */

/** What the core must know in the next run and no field holds. There only while there is something to know. */
const unreadKey = "__unread";
const failedKey = "__failed";
/** Which version of the definition wrote it; none is the first. */
const versionKey = "__version";

/** The object as the core remembers it. Foreign names, such as `__provider`, are left behind. */
export function heldOf(resource: Resource, id: string, outputs: Values): Held {
  const { [versionKey]: version, ...stored } = reveal(outputs) as Values;
  const clear = upgraded(resource, typeof version === "number" ? version : 0, stored as Stored) as Values;
  const values = mapValues(resource.fields, (_, name) => clear[name] ?? null);
  const unread = clear[unreadKey];
  const failed = clear[failedKey];
  return {
    id,
    task: undefined,
    values,
    unread: Array.isArray(unread) ? unread.map(String) : [],
    ...(typeof failed === "string" ? { failed } : {}),
  };
}

/**
 * The import id of what is not a state of ours: an id to import, or one that a program looks at, with as much as it
 * knows beside it. A state of ours holds all that has to be given or is filled in.
 */
export function importIdOf(resource: Resource, { id = "", values }: Held): string | undefined {
  const members = Object.entries(membersOf(resource.fields));
  const whole = members.every(
    ([name, { required, default: standIn }]) => values[name] !== null || !(required || standIn !== undefined),
  );
  if (id.includes(",")) return id;
  if (whole) return undefined;
  const parents = (resource.parents ?? []).map((parent) => values[parent]);
  const region = typeof values.region === "string" ? [values.region] : [];
  return parents.every((parent) => typeof parent === "string") ? [...region, ...parents, id].join(",") : id;
}

/** What the inputs of an imported object have to say of where it lives: nothing, if it is where the provider is. */
export const foreignRegion = ({ values: { region = null } }: Held, { settings }: Session): Values =>
  region === null || region === settings.region ? {} : { region };

/** The outputs of an object; secret where a definition says so, or where one of `likes` was. */
export function outputsOf(resource: Resource, { values, unread, failed }: Held, ...likes: Values[]): Values {
  const outputs = present(hide(resource.fields, values, likes)) as Values;
  if (unread.length > 0) outputs[unreadKey] = [...unread];
  if (failed !== undefined) outputs[failedKey] = failed;
  if (versionOf(resource) > 0) outputs[versionKey] = versionOf(resource);
  return outputs;
}

/** Outputs as far as a preview knows them. What is left out at the top is unknown; what is null is none. */
export function previewOf(resource: Resource, values: Values, like: Values): Values {
  const outputs = hide(resource.fields, values, [like]);
  return Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== UNKNOWN));
}

/** Marks what must not be read: what the definition declares secret, and what came secret. */
export function hide(fields: Fields, values: Values, likes: readonly Values[]): Values {
  return likes.reduce((marked, like) => conceal(marked, like) as Values, declared(fields, values));
}

function declared(fields: Fields, values: Values): Values {
  return mapValues(values, (value, name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field?.kind === "group") return isRecord(value) ? declared(field.fields, value) : value;
    return field?.options.secret && value !== null && !isSecret(value) ? secret(value) : value;
  });
}

/** Without what is null: in a state, none is absence. */
export function present(value: Value): Value {
  if (Array.isArray(value)) return value.map(present);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, item]) => (item ?? null) !== null);
  return Object.fromEntries(kept.map(([name, item]) => [name, present(item)]));
}

/**
 * The inputs that lead to these values: what was written where it was written, what the cloud shows now. What the
 * cloud decides where nobody does is there only if `old` has it, so that a refresh adds no line to a program.
 */
export function inputsOf(fields: Fields, values: Values, old: Values): Values {
  const inputs: Values = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name] ?? null;
    const written = old[name] ?? null;
    if (value === null || field.kind === "computed") continue;
    if (field.kind === "group")
      inputs[name] = isRecord(value)
        ? inputsOf(field.fields, value, isRecord(written) ? written : {})
        : value;
    else if (!field.options.computed || written !== null) inputs[name] = value;
  }
  return inputs;
}
