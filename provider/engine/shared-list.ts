import type { Problem } from "../core/error.ts";
import { comparable, lastPart, mayBeSameId } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import { hasUnknown, isRecord, reveal, type Value, type Values } from "../core/value.ts";
import { ignoreChangesOf, wording } from "../core/wording.ts";
import { sameRevealed } from "../definition/equality.ts";
import type { Resource } from "../definition/resource.ts";
import type { Plan } from "./plan.ts";
import type { PlannedList } from "./planned-object.ts";
import { describeObject } from "./remediation.ts";
import type { Session } from "./session.ts";

/**
 * Records the list that a plan sets for objects which other resources can set too. Returns a problem for each object for which
 * another plan sets a different list: each apply would undo the other. The order of the plans does not matter. A list that the
 * resource of the object does not change, or sets in a create, is no problem: the other resource replaces it.
 */
export function sharedListProblems(
  { plans: { lists: plannedLists } }: Session,
  resource: Resource,
  prior: ResourceState | undefined,
  { action, values, changes }: Pick<Plan, "action" | "values" | "changes">,
): Problem[] {
  const { sharedList, name: kind } = resource;
  const field = sharedList && resource.fields[sharedList.list];
  if (sharedList === undefined || field === undefined) return [];
  const { list: path, setBy, of } = sharedList;
  const planned = reveal(values) as Values;
  const recorded = prior === undefined ? planned : (reveal(prior.values) as Values);
  const holding = setBy === "change" ? recorded : planned;
  const ids = of === undefined ? idsIn(prior?.id) : of.flatMap((each) => idsIn(holding[each]));
  const objects = [...new Map(ids.map((id) => [listedObjectKey(id), id])).values()];
  const list = planned[path] ?? null;
  const isChanged = action === "update" && changes.some((change) => change.path[0] === path);
  const isSet = !hasUnknown(list) && (setBy === "plan" || isChanged);
  // Two resources that only set the list have the id of the object, and so differ in the list.
  const owner = JSON.stringify([kind, prior?.id ?? objects, setBy === "plan" ? list : null]);
  const name = typeof recorded.name === "string" ? recorded.name : undefined;
  const subject = describeObject({ kind, name });
  return objects.flatMap((object) => {
    const lists: Map<string, PlannedList> = plannedLists.get(listedObjectKey(object)) ?? new Map();
    plannedLists.set(listedObjectKey(object), lists);
    lists.delete(owner);
    if (!isSet) return [];
    const others = [...lists.values()].filter(
      (other) =>
        (other.resource.sharedList?.setBy !== setBy || (setBy === "plan" && !other.isSet)) &&
        mayBeSameId(other.object, object) &&
        !sameRevealed(field, other.list, list),
    );
    lists.set(owner, { resource, subject, object, list });
    return others.slice(0, 1).map((other) => {
      const isEqual = other.resource.sharedList?.setBy === setBy;
      const setter = isEqual ? "another resource of the same kind" : `${other.subject} of this configuration`;
      const changing = setBy === "change" ? subject : other.subject;
      const remedy = isEqual ? "Remove one of the two resources" : ignoreChangesOf(changing, path);
      const problem = wording`differs from the list that ${setter} sets for the ${sharedList.kind} ${object}: each run would undo the other. ${remedy}`;
      return { path: [path], title: "Two resources set one list", problem };
    });
  });
}

/** Records that a resource which only sets the list has set it: the resource may set another one later. */
export function noteList(
  { plans: { lists: plannedLists } }: Session,
  { name, sharedList }: Resource,
  { values }: ResourceState,
): void {
  if (sharedList?.setBy !== "plan") return;
  const list = values[sharedList.list] ?? null;
  for (const id of (sharedList.of ?? []).flatMap((each) => idsIn(reveal(values[each] ?? null)))) {
    const lists = plannedLists.get(listedObjectKey(id)) ?? new Map<string, PlannedList>();
    for (const [owner, planned] of [...lists]) {
      if (planned.resource.name !== name) continue;
      lists.delete(owner);
      lists.set(name, { ...planned, list, isSet: true });
    }
  }
}

const listedObjectKey = (id: string): string => comparable(lastPart(id));

/** Returns the known ids in a value, which is an id or a list of objects with a `krn`. */
function idsIn(value: Value | undefined): string[] {
  const items = Array.isArray(value) ? value.map((item) => (isRecord(item) ? item.krn : item)) : [value];
  return items.filter((item) => typeof item === "string");
}
