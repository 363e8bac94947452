import { type Problem, problemWith } from "../core/error.ts";
import { plainId } from "../core/krn.ts";
import { reveal, type Values } from "../core/value.ts";
import type { Resource } from "../definition/resource.ts";
import { verbInputs } from "../definition/verb-inputs.ts";
import type { Extent, HolderOf, OtherHolders } from "./held-object.ts";
import { idsOf } from "./identity.ts";
import { deletedParts } from "./plan.ts";
import {
  isNameCreated,
  isSameName,
  leavesName,
  managedTwice,
  planName,
  type StateEntry,
} from "./planned-name.ts";
import { regionKey } from "./region.ts";
import { describeObject, importIdIn } from "./remediation.ts";
import type { Session } from "./session.ts";
import { addressKey, addressOf, keyOfId, uuidKey } from "./state/address.ts";

/**
 * Detects objects that two entries of the state have, among those that one process has planned. An object is in the state twice
 * after an import under a second name, after a create adopted it, or if it has a given id, as a bucket policy: a later one was
 * created for another resource before the first was removed.
 */

/** Returns true if a delete of the kind sends a request, so that the delete of one entry deletes the object of another. */
const isDeletable = ({ stateOnly, verbs }: Resource): boolean =>
  stateOnly !== true && typeof verbs.delete === "function";

/** Returns the keys of an object: one for each id under which a listing may show it. */
function keysOf(session: Session, resource: Resource, id: string, values: Values): string[] {
  const placed = (each: string) => {
    const shown = reveal(values) as Values;
    return addressKey(resource, addressOf(resource, each, regionKey(session, resource, shown), shown));
  };
  const keys = idsOf(resource, id, values).map((each) => keyOfId(resource, each) ?? placed(each));
  // The id of a batch is that of one of its jobs, which would count the entry twice.
  return keys.length === 1 ? keys : [...new Set(keys)];
}

/** Calls `use` with the keys of an entry; returns undefined for an entry without an id, and for a kind that no request deletes. */
function withKeys<T>(
  session: Session,
  resource: Resource,
  { id, values }: StateEntry,
  use: (keys: string[]) => T,
): T | undefined {
  if (id === undefined || !isDeletable(resource)) return undefined;
  return use(keysOf(session, resource, id, values));
}

/** Returns the key of all objects of a kind that have this parent. */
const contentsKey = (kind: string, parent: string): string => `${kind} in ${plainId(parent)}`;

/** Returns the keys of the objects that are deleted with that of an entry or, with `after`, by its change to these values. */
const partsOf = (resource: Resource, { values }: StateEntry, after?: Values): string[] =>
  deletedParts(resource, values, after).map(({ kind, id }) => uuidKey(kind, id));

/** Returns the keys of all objects in an entry's object that are deleted with it. */
const contentsOf = ({ deletesToo = [] }: Resource, { id, values }: StateEntry): string[] =>
  deletesToo.flatMap(({ kind, contents }) =>
    id !== undefined && contents?.(verbInputs(reveal(values) as Values)) === true
      ? contentsKey(kind, id)
      : [],
  );

/** Returns the key by which the entry of an object keeps a part of it. */
const partKey = (key: string): string => `part ${key}`;

/**
 * Returns the keys by which an entry is deleted or kept: those of its object and, if the delete of a parent can delete the object,
 * of all objects in its parents.
 */
function keptKeys(
  { name: kind, deletedWithParent, parents = [] }: Resource,
  { values }: StateEntry,
  keys: readonly string[],
): readonly string[] {
  if (deletedWithParent !== true) return keys;
  const ids = parents.map((parent) => reveal(values[parent] ?? null));
  return [...keys, ...ids.flatMap((id) => (typeof id === "string" ? contentsKey(kind, id) : []))];
}

/** Counts an entry of the state that the engine passes, or imports. */
export function addEntry(session: Session, resource: Resource, entry: StateEntry): void {
  withKeys(session, resource, entry, (keys) => {
    session.plans.held.addEntry(keys);
    if (!session.plans.held.hasSeveral(keys)) return;
    const several = session.plans.several.get(resource.name) ?? new Map<string, StateEntry>();
    session.plans.several.set(resource.name, several.set(keys.join(), entry));
  });
}

/**
 * Fate of an entry that a plan compares: "kept", also if it changes in place; "changed" in place, unless the engine decides
 * to replace the object; "replaced"; "compared" if the plan makes no decision.
 */
export type Fate = "kept" | "changed" | "replaced" | "compared";

/** Plan of an entry. */
export interface PlannedEntry {
  /** URN of the resource; without URNs the id of the object that it manages or replaces. */
  readonly owner: string | undefined;
  readonly fate?: Fate;
  /** Values after the plan: an object that is renamed or replaced gives up its recorded name. */
  readonly planned?: Values | undefined;
}

/**
 * Records an object that a resource plans. Returns a problem if a plan deletes the object in another entry or, with
 * `adopt_existing`, if one resource has it in its state and another one creates it. The order of the plans does not matter.
 *
 * @param object with the id of the object in the state; undefined for a create
 */
export function planObject(
  session: Session,
  resource: Resource,
  object: StateEntry,
  { owner, fate = "kept", planned = object.values }: PlannedEntry,
): Problem[] {
  const { held } = session.plans;
  const remains = fate === "kept" || fate === "changed";
  const lost = withKeys(session, resource, object, (keys) => {
    const entryKeys = keptKeys(resource, object, keys);
    held.compare(entryKeys, owner, remains ? 1 : 0, fate === "kept");
    const parts = partsOf(resource, object);
    held.setParts(keys, [...parts, ...contentsOf(resource, object)]);
    if (!remains) return [];
    const removed = partsOf(resource, object, planned);
    const remaining = parts.filter((part) => !removed.includes(part));
    held.addDelete(removed, "part");
    held.compare(remaining.map(partKey), owner, 1, fate === "kept");
    const twice = (as: Role) => [recordedTwice(session, resource, object, as)];
    if (held.isKept(removed, owner)) return twice("whole");
    if (held.deletedAs(remaining) === "itself") return twice("kept whole");
    // A planned create of its name may replace the object of one of several entries.
    const isReplacedByName = held.hasSeveral(keys) && isNameCreated(session, resource, object);
    const lost = held.deletedAs(entryKeys) ?? (isReplacedByName ? "itself" : undefined);
    return lost === undefined ? [] : twice(lost);
  });
  const isNew = object.id === undefined && owner === undefined;
  const problems = lost ?? (isNew ? lostToCreate(session, resource, object.values) : []);
  if (problems.length > 0) return problems;
  return planName(session, resource, object, {
    owner,
    planned,
    leaves: fate === "replaced" ? fate : undefined,
  });
}

/** Records that Terraform plans to delete the object of an entry. Returns a problem if another entry keeps the object. */
export function planDelete(session: Session, resource: Resource, entry: StateEntry): Problem[] {
  planName(session, resource, entry, { owner: entry.id, leaves: "deleted" });
  return planLoss(session, resource, entry);
}

/**
 * Records that Terraform replaces an object by its own decision, after a plan that keeps the object. Returns a problem if another
 * entry keeps it.
 */
export function planReplacement(session: Session, resource: Resource, entry: StateEntry): Problem[] {
  const { held } = session.plans;
  withKeys(session, resource, entry, (keys) =>
    held.release([...keptKeys(resource, entry, keys), ...held.partsOf(keys).map(partKey)], entry.id),
  );
  return planLoss(session, resource, entry);
}

/**
 * Records that Terraform plans to delete or to replace the object of an entry. Returns a problem if the same process also plans
 * to keep the object, or one that is deleted with it, in another entry.
 */
export function planLoss(session: Session, resource: Resource, entry: StateEntry): Problem[] {
  const { held } = session.plans;
  const problems = withKeys(session, resource, entry, (keys) => {
    const parts = [...held.partsOf(keys), ...partsOf(resource, entry), ...contentsOf(resource, entry)];
    held.addDelete(keys, "itself");
    held.addDelete(parts, "part");
    const twice = (as: Role) => [recordedTwice(session, resource, entry, as)];
    if (held.isKept(keys, entry.id)) return twice("itself");
    if (held.isKept(parts, entry.id)) return twice("whole");
    return held.isKept(keys.map(partKey), entry.id) ? twice("kept part") : [];
  });
  return problems ?? [];
}

/**
 * Returns the problem of a create that may replace a tainted object, of which Terraform passes nothing: its inputs match an object
 * that two entries of the state have, of which one keeps it.
 */
function lostToCreate(session: Session, resource: Resource, inputs: Values): Problem[] {
  const lost = [...(session.plans.several.get(resource.name)?.values() ?? [])].find(
    (entry) =>
      isSameName(session, resource, entry.values, inputs) &&
      withKeys(session, resource, entry, (keys) => session.plans.held.isKept(keys, entry.id)) === true,
  );
  return lost === undefined ? [] : [recordedTwice(session, resource, lost, "itself")];
}

/** Returns the ids of the kind that several entries of the state have: the delete of a tainted one must not delete the object. */
export const severalIds = ({ plans: { several } }: Session, { name }: Resource): string[] =>
  [...(several.get(name)?.values() ?? [])].flatMap(({ id }) => id ?? []);

/** Records that the resource of an entry was compared, and is replaced. */
export function noteCompared(session: Session, resource: Resource, entry: StateEntry, owner: string): void {
  withKeys(session, resource, entry, (keys) =>
    session.plans.held.compare(keptKeys(resource, entry, keys), owner, 0),
  );
}

/** Records that this process creates an object for a URN: the engine replaces the one of the state, and deletes it. */
export const noteCreate = ({ plans: { held } }: Session, owner: string): void => held.noteCreate(owner);

/** Records that an update of this process got the object, which the engine therefore does not replace. */
export function noteUpdate(session: Session, resource: Resource, entry: StateEntry, owner: string): void {
  withKeys(session, resource, entry, (keys) =>
    session.plans.held.compare(keptKeys(resource, entry, keys), owner, 1),
  );
}

/** Records that this process deleted the object of an entry: a later object may have the same id. */
export function noteDeleted(session: Session, resource: Resource, entry: StateEntry, owner: string): void {
  withKeys(session, resource, entry, (keys) =>
    session.plans.held.removeDeleted(keptKeys(resource, entry, keys), owner),
  );
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
    { values }: StateEntry,
    {
      owner,
      others = [],
    }: { readonly owner: string | undefined; readonly others?: readonly string[] | undefined },
  ) =>
  (id: string): Extent | undefined =>
    withKeys(session, resource, { id, values }, (keys) => {
      const { held } = session.plans;
      const objectKeys = [...keys, ...keys.map(partKey)];
      if (held.isKept(objectKeys, owner ?? id)) return "itself";
      const parts = [...partsOf(resource, { id, values }), ...contentsOf(resource, { id, values })];
      if (held.isKept(parts, owner ?? id)) return "part";
      const known = new Set(others.flatMap((other) => keysOf(session, resource, other, values)));
      return keys.some((key) => known.has(key)) ? "itself" : undefined;
    });

/**
 * Returns a function that tells for an id which resource of this configuration has its object in the state.
 *
 * @param planned from the plan of another process: the id of the replaced object, and the holders of others
 */
export const holderOf =
  (
    session: Session,
    resource: Resource,
    inputs: Values,
    {
      owner,
      planned = {},
    }: {
      readonly owner?: string | undefined;
      readonly planned?: { readonly replaces?: string; readonly holders?: OtherHolders };
    },
  ): HolderOf =>
  (id) => {
    const keys = keysOf(session, resource, id, inputs);
    const isOne = (other: string): boolean =>
      keysOf(session, resource, other, inputs).some((key) => keys.includes(key));
    if (planned.replaces !== undefined && isOne(planned.replaces)) return "self";
    const holders = Object.entries(planned.holders ?? {}).flatMap(([other, holder]) =>
      isOne(other) ? holder : [],
    );
    if (holders.includes("leaving")) return "leaving";
    const holder = session.plans.held.holderOf(keys, owner) ?? holders[0];
    if (holder !== "other") return holder;
    const other = session.plans.objects
      .existing(resource)
      .find((each) => each.id !== undefined && isOne(each.id));
    return other !== undefined && leavesName(other) ? "leaving" : "other";
  };

/**
 * Role of an object that the plan deletes at one address and keeps at another, or of which it does that with a part: "part" and
 * "whole" if the part is deleted with the whole, "kept part" and "kept whole" if it is deleted at its own address.
 */
type Role = Extent | "whole" | "kept part" | "kept whole";

/** Returns the problem of an object that would be lost. */
function recordedTwice(
  session: Session,
  resource: Resource,
  { id = "", values }: StateEntry,
  as: Role,
): Problem {
  const shown = reveal(values) as Values;
  const region = typeof shown.region === "string" ? shown.region : "";
  const importId = importIdIn(session, resource, { id, values: shown, region });
  const name = typeof values.name === "string" ? values.name : undefined;
  const subject = describeObject({ kind: resource.name, name, id });
  const texts = {
    itself: `${subject} is in the state twice, and the plan deletes it at one address and keeps it at another`,
    part: `the plan keeps ${subject}, and deletes it with the object that it is part of`,
    whole: `the plan of ${subject} deletes a part of it that another address keeps`,
    "kept part": `the plan deletes ${subject}, and keeps the object that it is part of`,
    "kept whole": `the plan keeps ${subject}, and deletes a part of it at another address`,
  } as const satisfies { readonly [R in Role]: string };
  return problemWith(managedTwice, [], `${texts[as]}: the object would be lost`, [
    as === "itself" ? { code: "forget-one", resource: resource.name, importId, id } : "forget-part",
  ]);
}
