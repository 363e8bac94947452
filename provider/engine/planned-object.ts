import type { Values } from "../core/value.ts";
import type { Resource } from "../definition/resource.ts";

/** Object that a plan read from the state, or that it creates. */
export interface PlannedObject {
  readonly resource: Resource;
  /** Key of its kind, region and parents. */
  readonly scope: string;
  readonly values: Values;
  /** Id of an object in the state; undefined for one that is created. */
  readonly id: string | undefined;
  /** The resource that plans: a URN, or where the engine names none, the id of the object that it manages or replaces. */
  readonly owner: string | undefined;
}

/** Objects by a key that planning twice repeats. */
type Bucket = Map<string, PlannedObject>;

/** Planned objects of one process, by scope, name, and whether they exist: a look-up reads no other object. */
export interface PlannedObjects {
  add(object: PlannedObject): void;
  remove(object: PlannedObject): void;
  /** Returns the objects of a scope that exist or that do not. With a name, those with another one are left out. */
  inScope(scope: string, exists: boolean, name?: string): PlannedObject[];
  /** Returns the objects of a kind in every scope that exist. */
  existing(resource: Resource): PlannedObject[];
  /** Records that a plan deletes an object. */
  addDelete(scope: string, id: string): void;
  /** Returns true if a plan deletes the object. */
  isDeleted(scope: string, id: string): boolean;
}

/** Returns the name as a key; an empty text if there is none, or it is unknown. */
export const nameKey = ({ name }: Values): string => (typeof name === "string" ? name.normalize() : "");

export function createPlannedObjects(): PlannedObjects {
  const scopes = new Map<
    string,
    { readonly existing: Map<string, Bucket>; readonly created: Map<string, Bucket> }
  >();
  const scopesOf = new Map<Resource, Set<string>>();
  const deleted = new Set<string>();
  const buckets = (scope: string, exists: boolean) => scopes.get(scope)?.[exists ? "existing" : "created"];
  const keyOf = ({ id, owner, values }: PlannedObject) =>
    JSON.stringify([id ?? null, owner ?? null, values.name ?? null]);
  const all = (scope: string, exists: boolean) =>
    [...(buckets(scope, exists)?.values() ?? [])].flatMap((bucket) => [...bucket.values()]);
  return {
    add(object) {
      const { resource, scope, id } = object;
      if (!scopes.has(scope)) scopes.set(scope, { existing: new Map(), created: new Map() });
      scopesOf.set(resource, (scopesOf.get(resource) ?? new Set()).add(scope));
      const named = buckets(scope, id !== undefined);
      const name = nameKey(object.values);
      const bucket: Bucket = named?.get(name) ?? new Map();
      named?.set(name, bucket.set(keyOf(object), object));
    },
    remove(object) {
      buckets(object.scope, object.id !== undefined)
        ?.get(nameKey(object.values))
        ?.delete(keyOf(object));
    },
    inScope(scope, exists, name) {
      if (name === undefined) return all(scope, exists);
      const named = buckets(scope, exists);
      const names = name === "" ? [""] : [name, ""];
      return names.flatMap((each) => [...(named?.get(each)?.values() ?? [])]);
    },
    addDelete: (scope, id) => deleted.add(JSON.stringify([scope, id])),
    isDeleted: (scope, id) => deleted.has(JSON.stringify([scope, id])),
    existing: (resource) => [...(scopesOf.get(resource) ?? [])].flatMap((scope) => all(scope, true)),
  };
}
