import type { Value, Values } from "../core/value.ts";
import type { Resource } from "../definition/resource.ts";

/** Object of a plan: one in the state, or one to create. */
export interface PlannedObject {
  readonly resource: Resource;
  /** Key of its kind, region and parents. */
  readonly scope: string;
  /** Compared values after the plan. */
  readonly values: Values;
  /** Compared values in the state, or those of the create. */
  readonly recorded: Values;
  /** Id of an object in the state; undefined for one that is created. */
  readonly id: string | undefined;
  /** Id after the plan, if a field of the configuration is the id. */
  readonly to?: string;
  /** Change of the plan that removes the object, which leaves its name. */
  readonly leaves: "replaced" | "deleted" | undefined;
  /** Resource of the object: its URN or, if the engine gives none, the id of the object that it manages or replaces. */
  readonly owner: string | undefined;
}

/** Objects by a key of id, owner and name: planning an object twice yields the same key. */
type Bucket = Map<string, PlannedObject>;

/** Planned objects of one process, indexed by scope, existence and name. */
export interface PlannedObjects {
  add(object: PlannedObject): void;
  remove(object: PlannedObject): void;
  /** Returns the existing objects or the planned creates of a scope; with `name`, those of that name or of none. */
  inScope(scope: string, exists: boolean, name?: string): PlannedObject[];
  /** Returns the planned creates of a kind with this name or none, in all scopes. */
  created(resource: Resource, name: string): PlannedObject[];
  /** Returns the existing objects of a kind in all scopes. */
  existing(resource: Resource): PlannedObject[];
}

/** List that a resource plans for an object, such as the security groups of a port. */
export interface PlannedList {
  readonly resource: Resource;
  /** Description of the resource for messages. */
  readonly subject: string;
  readonly object: string;
  readonly list: Value;
  /** True once the list was set. */
  readonly isSet?: boolean;
}

/** Planned lists by the last part of the object's id, which a masked id has too, and by the resource. */
export type PlannedLists = Map<string, Map<string, PlannedList>>;

/** Returns the name as a key; an empty string if it is missing or unknown. */
export const nameKey = ({ name }: Values): string => (typeof name === "string" ? name.normalize() : "");

/** Creates the planned objects of a process, empty at first. */
export function createPlannedObjects(): PlannedObjects {
  const scopes = new Map<
    string,
    { readonly existing: Map<string, Bucket>; readonly created: Map<string, Bucket> }
  >();
  const scopesOf = new Map<Resource, Set<string>>();
  const buckets = (scope: string, exists: boolean) => scopes.get(scope)?.[exists ? "existing" : "created"];
  const keyOf = ({ id, owner, values }: PlannedObject) => [id, owner, String(values.name)].join("\n");
  const all = (scope: string, exists: boolean) =>
    [...(buckets(scope, exists)?.values() ?? [])].flatMap((bucket) => [...bucket.values()]);
  /** Returns the objects with this name or none. */
  const named = (scope: string, exists: boolean, name: string) => {
    const byName = buckets(scope, exists);
    const names = name === "" ? [""] : [name, ""];
    return names.flatMap((each) => [...(byName?.get(each)?.values() ?? [])]);
  };
  const scopesIn = (resource: Resource) => [...(scopesOf.get(resource) ?? [])];
  return {
    add(object) {
      const { resource, scope, id } = object;
      if (!scopes.has(scope)) {
        scopes.set(scope, { existing: new Map(), created: new Map() });
        scopesOf.set(resource, (scopesOf.get(resource) ?? new Set()).add(scope));
      }
      const byName = buckets(scope, id !== undefined);
      const name = nameKey(object.values);
      const bucket: Bucket = byName?.get(name) ?? new Map();
      byName?.set(name, bucket.set(keyOf(object), object));
    },
    remove(object) {
      const byName = buckets(object.scope, object.id !== undefined);
      const name = nameKey(object.values);
      const bucket = byName?.get(name);
      bucket?.delete(keyOf(object));
      if (bucket?.size === 0) byName?.delete(name);
    },
    inScope: (scope, exists, name) => (name === undefined ? all(scope, exists) : named(scope, exists, name)),
    created: (resource, name) => scopesIn(resource).flatMap((scope) => named(scope, false, name)),
    existing: (resource) => scopesIn(resource).flatMap((scope) => all(scope, true)),
  };
}
