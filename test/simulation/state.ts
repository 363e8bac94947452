import type { ResourceState } from "../../provider/core/state.ts";
import { isRecord, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { type Item, needsOf } from "./item.ts";
import { kinds, type Written } from "./kind.ts";
import { nameOf } from "./row.ts";

/** State of one object in an engine. */
export interface StoredObject {
  readonly address: string;
  readonly resource: string;
  readonly state: ResourceState;
  /** Addresses of its dependencies, which are deleted after it. */
  readonly needs: readonly string[];
  /** True if the object has to be replaced (Terraform: tainted). */
  readonly tainted?: boolean;
  /** Inputs of its create or last update, with references. */
  readonly inputs?: Written;
  /** Ids of the objects that the inputs refer to, by address, when it was created or updated. */
  readonly neededIds?: Readonly<Record<string, string | undefined>>;
  /** True if Terraform creates its replacement before it deletes the object. */
  readonly createsFirst?: boolean;
  /** True if the object was deleted and its replacement is still to be created (Pulumi). */
  readonly isPending?: boolean;
  /** True if the object has to be updated even without a difference (Pulumi: init errors). */
  readonly unfinished?: boolean;
}

/** State of a stack in an engine. */
export interface State {
  readonly kept: Map<string, StoredObject>;
  /** Objects whose replacement exists and that are still to be deleted (Pulumi). */
  readonly replaced: Set<StoredObject>;
}

export const emptyState = (): State => ({ kept: new Map(), replaced: new Set() });

/** Returns a copy as if read from a file: it shares nothing with a running or ended process. */
export const copyOf = ({ kept, replaced }: State): State => ({
  kept: new Map([...kept].map(([address, one]) => [address, structuredClone(one)])),
  replaced: new Set([...replaced].map((one) => structuredClone(one))),
});

/**
 * Returns the names of an object in a state: the name of its id, or the task that creates it, and the name of a group
 * of rows.
 */
export const namesKept = ({ resource, state: { id, task, values } }: StoredObject): string[] => {
  const many = kinds[resource]?.many;
  const own = id === undefined ? task : nameOf(resource, id, values);
  return [...(own === undefined ? [] : [own]), ...(many === undefined ? [] : [many.ofValues(values)])];
};

/** Returns true if both are the same object. Objects of different resources may have the same id. */
export const isSameObject = (a: StoredObject, b: StoredObject): boolean =>
  a.resource === b.resource && namesKept(a).join() === namesKept(b).join();

/** Returns the names of all objects in a state. */
export const idsOf = ({ kept, replaced }: State): Set<string> =>
  new Set([...kept.values(), ...replaced].flatMap(namesKept));

/** Returns the stored form of an object: its values are reduced to JSON. */
export const keep = (
  { address, resource, inputs }: Item,
  state: ResourceState,
  marks: Partial<StoredObject> = {},
): StoredObject => ({
  address,
  resource,
  state: { ...state, values: JSON.parse(JSON.stringify(state.values)) },
  needs: needsOf({ address, resource, inputs }),
  inputs,
  ...marks,
});

/** Returns inputs with resolved references. A reference without a known id becomes UNKNOWN. */
export function resolved(written: Written, idOf: (address: string) => string | undefined): Values {
  const value = (given: unknown): Value => {
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== "object" || given === null) return given as Value;
    if ("ref" in given) return idOf(String(given.ref)) ?? UNKNOWN;
    const known: Values = {};
    for (const [name, item] of Object.entries(given)) known[name] = value(item);
    return known;
  };
  return value(written) as Values;
}

/**
 * Describes the first value that differs from its plan; undefined if there is none (Terraform: "inconsistent result
 * after apply").
 */
export const planInconsistency = (planned: Value, made: Value): string | undefined =>
  inconsistency(planned, made, "", (path) => `${path} is unknown after the apply`);

/** Describes the first value in which a second plan of a change differs from the first one; undefined if none does. */
export const replanInconsistency = (planned: Value, again: Value): string | undefined =>
  inconsistency(planned, again, "", () => undefined);

function inconsistency(
  planned: Value,
  made: Value,
  path: string,
  unknown: (path: string) => string | undefined,
): string | undefined {
  if (planned === UNKNOWN) return made === UNKNOWN ? unknown(path) : undefined;
  if (isRecord(planned) && isRecord(made)) {
    for (const name of new Set([...Object.keys(planned), ...Object.keys(made)])) {
      const place = path === "" ? name : `${path}.${name}`;
      const found = inconsistency(planned[name] ?? null, made[name] ?? null, place, unknown);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(planned) && Array.isArray(made) && planned.length === made.length)
    return planned
      .map((item, at) => inconsistency(item, made[at] ?? null, `${path}.${at}`, unknown))
      .find(Boolean);
  return planned === made ? undefined : `${path} was planned as ${String(planned)} and is ${String(made)}`;
}
