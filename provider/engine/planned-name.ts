import { type Problem, problemWith } from "../core/error.ts";
import { capital } from "../core/name.ts";
import type { ResourceState } from "../core/state.ts";
import { hasUnknown, reveal, UNKNOWN, type Values } from "../core/value.ts";
import { type ExplainedWarning, explainWarning } from "../core/warning.ts";
import { assignment, wording } from "../core/wording.ts";
import type { Fields } from "../definition/field.ts";
import type { Resource } from "../definition/resource.ts";
import type { Row } from "../definition/verb.ts";
import { matches } from "./existence/row.ts";
import type { OtherHolders } from "./held-object.ts";
import { circleOf, inCircle } from "./leaving.ts";
import { nameKey, type PlannedObject } from "./planned-object.ts";
import { regionKey } from "./region.ts";
import { describeObject } from "./remediation.ts";
import type { Session } from "./session.ts";
import { addressOf, scopeKey } from "./state/address.ts";
import { labelOf, titleObject } from "./title.ts";

/**
 * Names of the objects that one process plans. Within its scope a name belongs to one object: an object of the state keeps it,
 * or leaves it when the run deletes, replaces or renames the object, and a create needs it.
 */

/** Title of the problems of an object that two resources would manage. */
export const managedTwice = "Object is managed twice";

/** Object of the state, or one to create, which has no id. */
export type StateEntry = Pick<ResourceState, "id" | "values">;

/**
 * Records a planned object. Returns a problem if a create would adopt the object of another resource, which `adopt_existing`
 * allows. The order of the plans does not matter.
 *
 * @param planned values after the plan: an object that is renamed or replaced leaves its recorded name
 */
export function planName(
  session: Session,
  resource: Resource,
  { id, values }: StateEntry,
  {
    owner,
    planned = values,
    leaves,
  }: {
    readonly owner: string | undefined;
    readonly planned?: Values;
    readonly leaves?: PlannedObject["leaves"];
  },
): Problem[] {
  const recorded = comparedValues(resource, values);
  const name = reveal(planned.name ?? null);
  const to = reveal(planned[resource.idField ?? "id"] ?? null);
  const object: PlannedObject = {
    ...{ resource, id, owner, leaves, recorded },
    ...(typeof to === "string" && leaves === undefined ? { to } : {}),
    scope: scopeOf(session, resource, recorded),
    values: typeof name === "string" && name !== recorded.name ? { ...recorded, name } : recorded,
  };
  const other = session.settings.adoptExisting ? sharedWith(session, object) : undefined;
  // A create without a name only matters if it may adopt an object.
  const isRecorded = id !== undefined || session.settings.adoptExisting || nameKey(object.values) !== "";
  if (other === undefined && isRecorded) session.plans.objects.add(object);
  if (other === undefined) return circleProblems(session, object);
  const path = Object.hasOwn(resource.fields, "name") ? ["name"] : [];
  return [
    problemWith(
      managedTwice,
      path,
      wording`is the name of ${String(id ?? other.id)}, which another resource of this configuration manages; with ${assignment("adoptExisting", true)} both would manage it`,
      path.length > 0 ? ["choose-other-name", "remove-duplicate"] : ["remove-duplicate"],
    ),
  ];
}

/**
 * Returns the values that distinguish an object, without secret marks. Others, such as contents of files, are not kept until
 * the end of the run.
 */
function comparedValues({ verbs, parents = [], idField = "name" }: Resource, values: Values): Values {
  if (verbs.matches !== undefined) return reveal(values) as Values;
  const compared: Values = {};
  for (const name of ["name", idField, "region", ...parents]) compared[name] = reveal(values[name] ?? null);
  return compared;
}

/** Returns the problem of an object whose id changes to that of another one, in a circle: no order of the changes is possible. */
function circleProblems({ plans }: Session, { resource, scope, id, to }: PlannedObject): Problem[] {
  if (id === undefined || to === undefined || to === id) return [];
  const next = new Map(plans.objects.inScope(scope, true).map((each) => [each.id, each.to]));
  const circle = circleOf(id, (each) => next.get(each));
  if (circle === undefined) return [];
  return [{ path: [resource.idField ?? ""], problem: `${JSON.stringify(to)} ${inCircle(resource, circle)}` }];
}

/** Returns the planned object of another resource that this one would adopt, or by which it would be adopted. */
function sharedWith({ plans }: Session, object: PlannedObject): PlannedObject | undefined {
  const { resource, scope, id, values } = object;
  // Only equal names match, unless the definition compares otherwise.
  const name = resource.verbs.matches === undefined ? nameKey(values) : undefined;
  return plans.objects.inScope(scope, id === undefined, name).find((each) => isShared(object, each));
}

/** Returns true if one resource has the object in its state and the other one creates the same object. */
function isShared(a: PlannedObject, b: PlannedObject): boolean {
  const [existing, created] = a.id === undefined ? [b, a] : [a, b];
  if (existing.id === undefined || created.id !== undefined || a.scope !== b.scope) return false;
  if (existing.leaves !== undefined) return false;
  if (a.owner !== undefined && a.owner === b.owner) return false;
  const { resource, values } = created;
  if (resource.verbs.matches !== undefined && hasUnknown(values)) return false;
  return matches(resource, { ...existing.values, id: existing.id } as unknown as Row<Fields>, values);
}

/** Removes the planned creates of an object that now exists: the next plan has the object in its state. */
export function forgetCreate(session: Session, resource: Resource, { id, values }: ResourceState): void {
  const shown = comparedValues(resource, values);
  const name = nameKey(shown);
  if (!session.settings.adoptExisting && name === "") return;
  const created = { ...shown, id: id ?? "" } as unknown as Row<Fields>;
  const scope = scopeOf(session, resource, shown);
  for (const one of session.plans.objects.created(resource, name))
    if (
      (one.scope === scope || unknownScopes(session, resource, shown).includes(one.scope)) &&
      matches(resource, created, one.values)
    )
      session.plans.objects.remove(one);
}

/** Returns the scopes of the plans of an object whose parents were unknown. */
function unknownScopes(session: Session, resource: Resource, shown: Values): string[] {
  const unknown: Values = { ...shown };
  for (const parent of resource.parents ?? []) unknown[parent] = UNKNOWN;
  return [unknown, { ...unknown, region: null }].map((each) => scopeOf(session, resource, each));
}

/** Returns true if a resource without an object in the state plans to create one with the name of this object. */
export const isNameCreated = (session: Session, resource: Resource, object: StateEntry): boolean =>
  sameName(session, resource, object, false).some(({ owner }) => owner === undefined);

/** Returns true if two objects have one name in one scope. */
export const isSameName = (session: Session, resource: Resource, a: Values, b: Values): boolean => {
  const [first, second] = [reveal(a), reveal(b)] as [Values, Values];
  return (
    nameKey(first) !== "" &&
    nameKey(first) === nameKey(second) &&
    scopeOf(session, resource, first) === scopeOf(session, resource, second)
  );
};

/** Returns the planned objects, or the planned creates, with the name and the scope of an object. */
function sameName(
  session: Session,
  resource: Resource,
  { values }: StateEntry,
  exists: boolean,
): PlannedObject[] {
  const shown = reveal(values) as Values;
  const name = nameKey(shown);
  if (name === "") return [];
  const found = session.plans.objects.inScope(scopeOf(session, resource, shown), exists, name);
  return found.filter((each) => nameKey(each.recorded) === name);
}

/**
 * Returns the warning of an object that Terraform plans to delete at one address while it creates one of its name at another,
 * as after a rename of the address. The order of the plans does not matter.
 *
 * @param object that is deleted or created
 */
export function renamedWarnings(
  session: Session,
  resource: Resource,
  object: StateEntry,
): ExplainedWarning[] {
  const deleted = sameName(session, resource, object, true).find(({ leaves }) => leaves === "deleted");
  if (deleted === undefined || !isNameCreated(session, resource, object)) return [];
  const label = labelOf(resource, { id: deleted.id, values: deleted.recorded });
  const described = capital(describeObject({ kind: resource.name, name: label.name, id: deleted.id }));
  return [explainWarning({ code: "deletes-renamed", described }, titleObject(session, resource, label))];
}

/** Returns true if the plan deletes or replaces the object, or gives it another name. */
export const leavesName = ({ leaves, recorded, values }: PlannedObject): boolean =>
  leaves !== undefined || nameKey(recorded) !== nameKey(values);

/**
 * Returns the objects that other resources than `owner` have in the scope of a planned create, or in all scopes while the scope
 * is unknown: with `adopt_existing` all of them, else those with the name or the values of the create. An equal id in another
 * scope is another object, such as a key in another bucket.
 *
 * @param known those that the plan knows already
 */
export function holdersFor(
  session: Session,
  resource: Resource,
  created: Values,
  { owner, known = {} }: { readonly owner?: string | undefined; readonly known?: OtherHolders },
): OtherHolders {
  const shown = reveal(created) as Values;
  const isUnknown = [...(resource.parents ?? []), "region"].some((name) => shown[name] === UNKNOWN);
  const all = isUnknown
    ? session.plans.objects.existing(resource)
    : session.plans.objects.inScope(scopeOf(session, resource, shown), true);
  const holders: Record<string, OtherHolders[string]> = { ...known };
  for (const each of all) {
    if (each.id === undefined || (owner !== undefined && each.owner === owner)) continue;
    const [had, gets] = [each.recorded, each.values].map((values) => isFound(resource, values, shown));
    if (had && leavesName(each)) holders[each.id] = "leaving";
    else if (had || gets || session.settings.adoptExisting) holders[each.id] ??= "other";
  }
  return holders;
}

/** Returns true if an object has the name of a create or, where names do not decide, its values. */
const isFound = (resource: Resource, values: Values, created: Values): boolean =>
  resource.fields.name === undefined
    ? !hasUnknown(created) && matches(resource, values as unknown as Row<Fields>, created)
    : nameKey(values) !== "" && nameKey(values) === nameKey(created);

const scopeOf = (session: Session, resource: Resource, shown: Values): string =>
  scopeKey(resource, addressOf(resource, "", regionKey(session, resource, shown), shown));
