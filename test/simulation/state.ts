import type { ResourceState } from "../../provider/core/state.ts";
import { isRecord, UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { kinds, type Written } from "./kind.ts";
import { nameOf } from "./row.ts";
import { type Item, needsOf } from "./schedule.ts";

/** What an engine remembers of one object. */
export interface StoredObject {
  readonly address: string;
  readonly resource: string;
  readonly state: ResourceState;
  /** The addresses that it needs: they are deleted after it. */
  readonly needs: readonly string[];
  /** It is to be made anew (Terraform: tainted). */
  readonly tainted?: boolean;
  /** It is to be updated though nothing differs (Pulumi: it has init errors). */
  readonly unfinished?: boolean;
}

/** What an engine remembers of a stack. */
export interface State {
  readonly kept: Map<string, StoredObject>;
  /** Objects whose replacement stands, and that are still to be deleted (Pulumi). */
  readonly replaced: Set<StoredObject>;
}

export const emptyState = (): State => ({ kept: new Map(), replaced: new Set() });

/** As a file would give it back: nothing of it is shared with a process that lives or has lived. */
export const copyOf = ({ kept, replaced }: State): State => ({
  kept: new Map([...kept].map(([address, one]) => [address, structuredClone(one)])),
  replaced: new Set([...replaced].map((one) => structuredClone(one))),
});

/** What a state knows an object by: the name by its id, or the task that makes it; for many in one, their name. */
export const namesKept = ({ resource, state: { id, task, values } }: StoredObject): string[] => {
  const many = kinds[resource]?.many;
  const own = id === undefined ? task : nameOf(resource, id, values);
  return [...(own === undefined ? [] : [own]), ...(many === undefined ? [] : [many.ofValues(values)])];
};

/** Whether both are one object: what is on another may have its id. */
export const isSameObject = (a: StoredObject, b: StoredObject): boolean =>
  a.resource === b.resource && namesKept(a).join() === namesKept(b).join();

/** What a state knows all of its objects by. */
export const idsOf = ({ kept, replaced }: State): Set<string> =>
  new Set([...kept.values(), ...replaced].flatMap(namesKept));

/** What is kept of an object: nothing of a value outlives the run but JSON. */
export const keep = (
  { address, resource, ...item }: Item,
  state: ResourceState,
  marks: Partial<StoredObject> = {},
): StoredObject => ({
  address,
  resource,
  state: { ...state, values: JSON.parse(JSON.stringify(state.values)) },
  needs: needsOf({ address, resource, ...item }),
  ...marks,
});

/** Inputs with every reference resolved; `idOf` is undefined where the id is not known yet. */
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

/** Whether the object will have every value that the plan promised (Terraform: "inconsistent result after apply"). */
export function planInconsistency(planned: Value, made: Value, path = ""): string | undefined {
  if (planned === UNKNOWN) return made === UNKNOWN ? `${path} is unknown after the apply` : undefined;
  if (isRecord(planned) && isRecord(made)) {
    for (const name of new Set([...Object.keys(planned), ...Object.keys(made)])) {
      const found = planInconsistency(
        planned[name] ?? null,
        made[name] ?? null,
        path === "" ? name : `${path}.${name}`,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (Array.isArray(planned) && Array.isArray(made) && planned.length === made.length)
    return planned
      .map((item, at) => planInconsistency(item, made[at] ?? null, `${path}.${at}`))
      .find(Boolean);
  return planned === made ? undefined : `${path} was planned as ${String(planned)} and is ${String(made)}`;
}
