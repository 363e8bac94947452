import { type Problem, problemWith } from "../core/error.ts";
import type { ResourceState } from "../core/state.ts";
import { hasUnknown, reveal, UNKNOWN, type Values } from "../core/value.ts";
import { assignment } from "../core/wording.ts";
import type { Fields } from "../definition/field.ts";
import { hasGivenId, type Resource } from "../definition/resource.ts";
import type { Row } from "../definition/verb.ts";
import { matches } from "./create/create.ts";
import { nameKey, type PlannedObject } from "./planned-object.ts";
import { regionIfNotDefault, regionKey } from "./region.ts";
import { describeObject, importId } from "./remediation.ts";
import type { Session } from "./session.ts";
import { addressOf, scopeKey } from "./state/state.ts";

/**
 * Detects objects that two resources of one configuration would manage, among those that one process has planned. With
 * `adopt_existing` a create can adopt the object of another resource; removing one resource then deletes the data of both.
 * An id that the user or a parent determines, such as that of a bucket policy, can be in the state twice without this
 * setting: an object deleted outside was created for another resource, and the run ended before the first one was removed.
 */

const managedTwice = "Object is managed twice";

const isTracked = ({ settings }: Session, resource: Resource): boolean =>
  settings.adoptExisting || hasGivenId(resource);

/**
 * Records an object that a resource plans. Returns a problem if the object is in the state of one resource and another one
 * deletes it or, with `adopt_existing`, creates it. The order of the two plans does not matter.
 *
 * @param id id of the object in the state; undefined for a create
 */
export function planObject(
  session: Session,
  resource: Resource,
  { id, values }: Pick<ResourceState, "id" | "values">,
  owner: string | undefined,
): Problem[] {
  if (!isTracked(session, resource)) return [];
  const shown = reveal(values) as Values;
  const object = { resource, scope: scopeOf(session, resource, shown), values: shown, id, owner };
  if (id !== undefined && session.planned.isDeleted(object.scope, id))
    return [recordedTwice(session, resource, id, shown)];
  // Only equal names match, unless the definition compares otherwise.
  const name = resource.verbs.matches === undefined ? nameKey(shown) : undefined;
  const others = session.planned.inScope(object.scope, id === undefined, name);
  const other = session.settings.adoptExisting
    ? others.find((planned) => isShared(object, planned))
    : undefined;
  if (other !== undefined) {
    const path = Object.hasOwn(resource.fields, "name") ? ["name"] : [];
    return [
      problemWith(
        managedTwice,
        path,
        `is the name of ${id ?? other.id}, which another resource of this configuration manages; with ${assignment("adoptExisting", true)} both would manage it`,
        path.length > 0 ? ["choose-other-name", "remove-duplicate"] : ["remove-duplicate"],
      ),
    ];
  }
  session.planned.add(object);
  return [];
}

/**
 * Records that Terraform plans to delete an object. Returns a problem if the same process also plans to keep the object: a
 * replacement adopted the object that it was to replace, so the state has it twice.
 */
export function planDelete(
  session: Session,
  resource: Resource,
  { id, values }: Pick<ResourceState, "id" | "values">,
): Problem[] {
  if (!isTracked(session, resource) || id === undefined) return [];
  const shown = reveal(values) as Values;
  const scope = scopeOf(session, resource, shown);
  if (session.planned.inScope(scope, true, nameKey(shown)).some((planned) => planned.id === id))
    return [recordedTwice(session, resource, id, shown)];
  session.planned.addDelete(scope, id);
  return [];
}

/** Returns the problem of an object that is in the state twice, of which the plan deletes one. */
function recordedTwice(session: Session, resource: Resource, id: string, values: Values): Problem {
  const region = typeof values.region === "string" ? values.region : "";
  const imported = importId(resource, id, values, regionIfNotDefault(session, region));
  const name = typeof values.name === "string" ? values.name : undefined;
  const subject = describeObject({ kind: resource.name, name, id });
  return problemWith(
    managedTwice,
    [],
    `${subject} is in the state twice, and the plan deletes one of the two: the object would be lost`,
    [{ code: "import-again", resource: resource.name, importId: imported, id }],
  );
}

const scopeOf = (session: Session, resource: Resource, shown: Values): string =>
  scopeKey(resource, addressOf(resource, "", regionKey(session, resource, shown), shown));

/** Returns true if one resource has the object in its state and the other one creates the same object. */
function isShared(a: PlannedObject, b: PlannedObject): boolean {
  const [made, created] = a.id === undefined ? [b, a] : [a, b];
  if (made.id === undefined || created.id !== undefined || a.scope !== b.scope) return false;
  if (a.owner !== undefined && a.owner === b.owner) return false;
  const { resource, values } = created;
  if (resource.verbs.matches !== undefined && hasUnknown(values)) return false;
  return matches(resource, { ...made.values, id: made.id } as unknown as Row<Fields>, values);
}

/**
 * Returns the ids of the objects that other resources than `owner` manage in the scope of these values, or in all scopes
 * while the scope is unknown. An equal id in another scope is another object, such as a key in another bucket.
 */
export function managedByOthers(
  session: Session,
  resource: Resource,
  owner: string | undefined,
  values: Values,
): string[] {
  const shown = reveal(values) as Values;
  const isUnknown = [...(resource.parents ?? []), "region"].some((name) => shown[name] === UNKNOWN);
  const scope = isUnknown ? undefined : scopeOf(session, resource, shown);
  const objects =
    scope === undefined ? session.planned.existing(resource) : session.planned.inScope(scope, true);
  return objects.flatMap(({ id, owner: other }) =>
    id !== undefined && (owner === undefined || other !== owner) ? [id] : [],
  );
}

/** Removes the planned creates of an object that now exists: the next plan has the object in its state. */
export function forgetCreate(session: Session, resource: Resource, { id, values }: ResourceState): void {
  if (!isTracked(session, resource)) return;
  const shown = reveal(values) as Values;
  const made = { ...shown, id: id ?? "" } as unknown as Row<Fields>;
  // The parents may have been unknown when the create was planned.
  const unknown: Values = Object.fromEntries((resource.parents ?? []).map((parent) => [parent, UNKNOWN]));
  const asPlanned = { ...shown, ...unknown };
  const scopes = new Set(
    [shown, asPlanned, { ...asPlanned, region: null }].map((each) => scopeOf(session, resource, each)),
  );
  for (const one of [...scopes].flatMap((scope) => session.planned.inScope(scope, false, nameKey(shown))))
    if (matches(resource, made, one.values)) session.planned.remove(one);
}
