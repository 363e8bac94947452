import { type Problem, problemWith } from "../core/error.ts";
import { capital } from "../core/name.ts";
import type { ResourceState } from "../core/state.ts";
import { hasUnknown, reveal, UNKNOWN, type Values } from "../core/value.ts";
import { type ExplainedWarning, explainWarning } from "../core/warning.ts";
import { assignment } from "../core/wording.ts";
import type { Fields } from "../definition/field.ts";
import type { Resource } from "../definition/resource.ts";
import type { Row } from "../definition/verb.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import { matches } from "./create/create.ts";
import type { HolderOf, Kept } from "./held-object.ts";
import { idsOf } from "./identity.ts";
import { nameKey, type PlannedObject } from "./planned-object.ts";
import { regionIfNotDefault, regionKey } from "./region.ts";
import { describeObject, importId } from "./remediation.ts";
import type { Session } from "./session.ts";
import { addressKey, addressOf, scopeKey, uuidKey } from "./state/state.ts";
import { labelOf, titleObject } from "./title.ts";

/**
 * Detects objects that two entries of the state have, or that a create would adopt from another resource, among those that
 * one process has planned. An object is in the state twice after an import under a second name, after a create adopted it,
 * or if it has a given id, as a bucket policy: a later one was created for another resource before the first was removed.
 */

const managedTwice = "Object is managed twice";

/** Returns true if a delete of the kind sends a request, so that the delete of one entry deletes the object of another. */
const isDeletable = ({ stateOnly, verbs }: Resource): boolean =>
  stateOnly !== true && typeof verbs.delete === "function";

/** Entry of the state. */
type Entry = Pick<ResourceState, "id" | "values">;

/** Returns the keys of an object: one for each id under which a listing may show it. */
function keysOf(session: Session, resource: Resource, id: string, values: Values): string[] {
  const region = regionKey(session, resource, values);
  const keys = idsOf(resource, id, values).map((each) =>
    addressKey(resource, addressOf(resource, each, region, values)),
  );
  // The id of a batch is that of one of its jobs, which would count the entry twice.
  return [...new Set(keys)];
}

/** Calls `use` with the keys of an entry; returns undefined for an entry without an id, and for a kind that no request deletes. */
function withKeys<T>(
  session: Session,
  resource: Resource,
  { id, values }: Entry,
  use: (keys: string[]) => T,
): T | undefined {
  if (id === undefined || !isDeletable(resource)) return undefined;
  return use(keysOf(session, resource, id, reveal(values) as Values));
}

/** Returns the keys of the objects that a delete of an entry deletes too. */
const partsOf = ({ deletesToo }: Resource, { values }: Entry): string[] =>
  deletesToo === undefined
    ? []
    : deletesToo
        .ids(verbInputs(reveal(values) as Values))
        .flatMap((id) => (typeof id === "string" ? uuidKey(deletesToo.kind, id) : []));

/** Counts an entry of the state that the engine passes, or imports. */
export function addEntry(session: Session, resource: Resource, entry: Entry): void {
  withKeys(session, resource, entry, (keys) => {
    session.held.addEntry(keys);
    if (!session.held.hasSeveral(keys)) return;
    const several = session.several.get(resource.name) ?? new Map<string, Entry>();
    session.several.set(resource.name, several.set(keys.join(), entry));
  });
}

/**
 * Fate of an entry that a plan compares: "kept", also if it changes in place; "changed" in place, unless the engine decides
 * to replace the object; "replaced"; "compared" if the plan makes no decision.
 */
export type Fate = "kept" | "changed" | "replaced" | "compared";

/**
 * Records an object that a resource plans. Returns a problem if a plan deletes the object in another entry or, with
 * `adopt_existing`, if one resource has it in its state and another one creates it. The order of the plans does not matter.
 *
 * @param object with the id of the object in the state; undefined for a create
 * @param owner URN of the resource; without URNs the id of the object that it manages or replaces
 * @param planned values after the plan: an object that is renamed or replaced gives up its recorded name
 */
export function planObject(
  session: Session,
  resource: Resource,
  object: Entry,
  owner: string | undefined,
  fate: Fate = "kept",
  planned: Values = object.values,
): Problem[] {
  const { held } = session;
  const remains = fate === "kept" || fate === "changed";
  const twice = withKeys(session, resource, object, (keys) => {
    held.compare(keys, owner, remains ? 1 : 0, fate === "kept");
    held.setParts(keys, partsOf(resource, object));
    const isLost = remains && (held.isDeleted(keys) || isReplacedByName(session, resource, object));
    return isLost ? [recordedTwice(session, resource, object)] : [];
  });
  if (twice !== undefined && twice.length > 0) return twice;
  const { id } = object;
  const recorded = reveal(object.values) as Values;
  const name = reveal(planned.name ?? null);
  const values: Values = typeof name === "string" ? { ...recorded, name } : recorded;
  const scope = scopeOf(session, resource, recorded);
  const isReplaced = fate === "replaced";
  return planInScope(session, { resource, scope, values, recorded, id, owner, isReplaced });
}

/**
 * Records a planned object; a create only with `adopt_existing`. Returns a problem if a create would adopt the object of another
 * resource.
 */
function planInScope({ planned, settings }: Session, object: PlannedObject): Problem[] {
  const { resource, scope, id, values } = object;
  if (!settings.adoptExisting) {
    if (id !== undefined) planned.add(object);
    return [];
  }
  // Only equal names match, unless the definition compares otherwise.
  const name = resource.verbs.matches === undefined ? nameKey(values) : undefined;
  const other = planned.inScope(scope, id === undefined, name).find((each) => isShared(object, each));
  if (other === undefined) {
    planned.add(object);
    return [];
  }
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

/**
 * Records that Terraform plans to delete the object of an entry. Returns a problem if the same process also plans to keep the
 * object in another entry.
 */
export function planDelete(session: Session, resource: Resource, entry: Entry): Problem[] {
  const problems = withKeys(session, resource, entry, (keys) => {
    const parts = [...session.held.partsOf(keys), ...partsOf(resource, entry)];
    session.held.addDelete([...keys, ...parts]);
    if (session.held.isKept(keys, entry.id)) return [recordedTwice(session, resource, entry)];
    return session.held.isKept(parts, entry.id) ? [recordedTwice(session, resource, entry, "part")] : [];
  });
  return problems ?? [];
}

/**
 * Records that Terraform replaces an object by its own decision, after a plan that keeps the object: it is deleted. Returns a
 * problem if another entry keeps it.
 */
export function planReplacement(session: Session, resource: Resource, entry: Entry): Problem[] {
  withKeys(session, resource, entry, (keys) => session.held.release(keys, entry.id));
  return planDelete(session, resource, entry);
}

/**
 * Records a create that may replace a tainted object, of which Terraform passes nothing. Returns a problem if the inputs match
 * an object that two entries of the state have, of which one keeps it.
 */
export function planCreate(session: Session, resource: Resource, inputs: Values): Problem[] {
  if (!isDeletable(resource)) return [];
  const shown = reveal(inputs) as Values;
  session.createdNames.add(nameInScope(session, resource, shown));
  const lost = [...(session.several.get(resource.name)?.values() ?? [])].find(
    (entry) =>
      isOfName(session, resource, entry, shown) &&
      withKeys(session, resource, entry, (keys) => session.held.isKept(keys, entry.id)) === true,
  );
  return lost === undefined ? [] : [recordedTwice(session, resource, lost)];
}

/**
 * Returns the warning of an object that Terraform plans to delete at one address while it creates one of its name at another,
 * as after a rename of the address. The order of the plans does not matter.
 *
 * @param entry of the delete; without an id, the inputs of the create, which `planCreate` has recorded
 */
export function renamedWarnings(session: Session, resource: Resource, entry: Entry): ExplainedWarning[] {
  const shown = reveal(entry.values) as Values;
  if (!isDeletable(resource) || nameKey(shown) === "") return [];
  const name = nameInScope(session, resource, shown);
  if (entry.id !== undefined) session.deletedNames.set(name, entry);
  const deleted = session.deletedNames.get(name);
  if (deleted === undefined || !session.createdNames.has(name)) return [];
  const label = labelOf(resource, deleted);
  const described = capital(describeObject({ kind: resource.name, name: label.name, id: deleted.id }));
  return [explainWarning({ code: "deletes-renamed", described }, titleObject(session, resource, label))];
}

/** Returns true if two entries have the object, and a planned create has its name: it may replace the object of one entry. */
const isReplacedByName = (session: Session, resource: Resource, entry: Entry): boolean =>
  withKeys(session, resource, entry, (keys) => session.held.hasSeveral(keys)) === true &&
  nameKey(reveal(entry.values) as Values) !== "" &&
  session.createdNames.has(nameInScope(session, resource, reveal(entry.values) as Values));

const isOfName = (session: Session, resource: Resource, { values }: Entry, inputs: Values): boolean =>
  nameKey(inputs) !== "" &&
  nameInScope(session, resource, reveal(values) as Values) === nameInScope(session, resource, inputs);

const nameInScope = (session: Session, resource: Resource, shown: Values): string =>
  `${scopeOf(session, resource, shown)} ${nameKey(shown)}`;

/** Returns the ids of the kind that several entries of the state have: the delete of a tainted one must not delete the object. */
export const severalIds = ({ several }: Session, { name }: Resource): string[] =>
  [...(several.get(name)?.values() ?? [])].flatMap(({ id }) => id ?? []);

/** Records that the resource of an entry was compared, and is replaced. */
export function noteCompared(session: Session, resource: Resource, entry: Entry, owner: string): void {
  withKeys(session, resource, entry, (keys) => session.held.compare(keys, owner, 0));
}

/** Records that this process creates an object for a URN: the engine replaces the one of the state, and deletes it. */
export const noteCreate = ({ held }: Session, owner: string): void => held.noteCreate(owner);

/** Records that an update of this process got the object, which the engine therefore does not replace. */
export function noteUpdate(session: Session, resource: Resource, entry: Entry, owner: string): void {
  withKeys(session, resource, entry, (keys) => session.held.compare(keys, owner, 1));
}

/** Records that this process deleted the object of an entry: a later object may have the same id. */
export function noteDeleted(session: Session, resource: Resource, entry: Entry, owner: string): void {
  withKeys(session, resource, entry, (keys) => session.held.removeDeleted(keys, owner));
}

/**
 * Returns a function that tells for an id whether another entry of the state keeps its object, or one that a delete deletes too,
 * so that the delete of this entry must not delete it.
 *
 * @param owner URN of the resource; without URNs the id of the object
 * @param others ids of objects that other entries have, from the plan of another process
 */
export const keptElsewhere =
  (
    session: Session,
    resource: Resource,
    { values }: Entry,
    owner: string | undefined,
    others: readonly string[] = [],
  ) =>
  (id: string): Kept | undefined =>
    withKeys(session, resource, { id, values }, (keys) => {
      if (session.held.isKept(keys, owner ?? id)) return "itself";
      if (session.held.isKept(partsOf(resource, { id, values }), owner ?? id)) return "part";
      const known = new Set(
        others.flatMap((other) => keysOf(session, resource, other, reveal(values) as Values)),
      );
      return keys.some((key) => known.has(key)) ? "itself" : undefined;
    });

/**
 * Returns a function that tells for an id which resource of this configuration has its object in the state.
 *
 * @param planned ids of the plan of another process: of the replaced object, of those that other resources have, and of those
 *   among them that this run deletes, replaces or renames
 */
export const holderOf =
  (
    session: Session,
    resource: Resource,
    owner: string | undefined,
    inputs: Values,
    planned: {
      readonly replaces?: string;
      readonly managed?: readonly string[];
      readonly leaving?: readonly string[];
    } = {},
  ): HolderOf =>
  (id) => {
    const shown = reveal(inputs) as Values;
    const keys = keysOf(session, resource, id, shown);
    const isOneOf = (ids: readonly string[]): boolean =>
      ids.flatMap((each) => keysOf(session, resource, each, shown)).some((key) => keys.includes(key));
    if (planned.replaces !== undefined && isOneOf([planned.replaces])) return "self";
    if (isOneOf(planned.leaving ?? [])) return "leaving";
    const holder =
      session.held.holderOf(keys, owner) ?? (isOneOf(planned.managed ?? []) ? "other" : undefined);
    if (holder !== "other") return holder;
    const other = session.planned
      .existing(resource)
      .find((each) => each.id !== undefined && isOneOf([each.id]));
    return other !== undefined && leavesName(other) ? "leaving" : "other";
  };

/** Returns the problem of an object, or a part of it, that is in the state twice, of which the plan deletes one. */
function recordedTwice(
  session: Session,
  resource: Resource,
  { id = "", values }: Entry,
  kept: Kept = "itself",
): Problem {
  const shown = reveal(values) as Values;
  const region = typeof shown.region === "string" ? shown.region : "";
  const imported = importId(resource, id, shown, regionIfNotDefault(session, region));
  const name = typeof values.name === "string" ? values.name : undefined;
  const subject = describeObject({ kind: resource.name, name, id });
  const why = {
    itself: `${subject} is in the state twice, and the plan deletes it at one address and keeps it at another`,
    part: `the API deletes with ${subject} an object that the plan keeps at another address`,
  };
  return problemWith(managedTwice, [], `${why[kept]}: the object would be lost`, [
    { code: "forget-one", resource: resource.name, importId: imported, id },
  ]);
}

const scopeOf = (session: Session, resource: Resource, shown: Values): string =>
  scopeKey(resource, addressOf(resource, "", regionKey(session, resource, shown), shown));

/** Returns true if one resource has the object in its state and the other one creates the same object. */
function isShared(a: PlannedObject, b: PlannedObject): boolean {
  const [made, created] = a.id === undefined ? [b, a] : [a, b];
  if (made.id === undefined || created.id !== undefined || a.scope !== b.scope) return false;
  if (made.isReplaced) return false;
  if (a.owner !== undefined && a.owner === b.owner) return false;
  const { resource, values } = created;
  if (resource.verbs.matches !== undefined && hasUnknown(values)) return false;
  return matches(resource, { ...made.values, id: made.id } as unknown as Row<Fields>, values);
}

/** Ids of objects that other resources of the configuration have. */
interface OthersIds {
  readonly managed: string[];
  /** Ids of those with the name of the create that this run deletes, replaces or renames. */
  readonly leaving: string[];
}

/**
 * Returns the objects that other resources than `owner` have in the scope of a planned create, or in all scopes while the scope
 * is unknown: with `adopt_existing` all of them, else those with the name or the values of the create. An equal id in another
 * scope is another object, such as a key in another bucket.
 */
export function managedByOthers(
  session: Session,
  resource: Resource,
  owner: string | undefined,
  created: Values,
): OthersIds {
  const shown = reveal(created) as Values;
  const isUnknown = [...(resource.parents ?? []), "region"].some((name) => shown[name] === UNKNOWN);
  const all = isUnknown
    ? session.planned.existing(resource)
    : session.planned.inScope(scopeOf(session, resource, shown), true);
  const others = all.filter((each) => owner === undefined || each.owner !== owner);
  const found = others.filter(({ recorded }) => isFound(resource, recorded, shown));
  const leaving = found.filter(leavesName);
  const idsOfAll = (objects: readonly Pick<Entry, "id">[]) => objects.flatMap(({ id }) => id ?? []);
  if (session.settings.adoptExisting) return { managed: idsOfAll(others), leaving: idsOfAll(leaving) };
  const planned = others.filter(({ values }) => isFound(resource, values, shown));
  const deleted = session.deletedNames.get(nameInScope(session, resource, shown));
  return {
    managed: [...new Set(idsOfAll([...found, ...planned]))],
    leaving: idsOfAll([...leaving, ...(deleted === undefined ? [] : [deleted])]),
  };
}

/** Returns true if the plan replaces the object, or gives it another name. */
const leavesName = ({ isReplaced, recorded, values }: PlannedObject): boolean =>
  isReplaced || nameKey(recorded) !== nameKey(values);

/** Returns true if an object has the name of a create or, where names do not decide, its values. */
const isFound = (resource: Resource, values: Values, created: Values): boolean =>
  resource.fields.name === undefined
    ? !hasUnknown(created) && matches(resource, values as unknown as Row<Fields>, created)
    : nameKey(values) !== "" && nameKey(values) === nameKey(created);

/** Removes the planned creates of an object that now exists: the next plan has the object in its state. */
export function forgetCreate(session: Session, resource: Resource, { id, values }: ResourceState): void {
  if (!session.settings.adoptExisting) return;
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
