import { comparable, mayBeSameId } from "../provider/core/krn.ts";
import { term } from "../provider/core/name.ts";
import type { Values } from "../provider/core/value.ts";
import { attribute, wording } from "../provider/core/wording.ts";
import { sameValue } from "../provider/definition/equality.ts";
import type { Resource } from "../provider/definition/resource.ts";
import { vpcFieldOf } from "./filter.ts";
import type { AccountObject, Gap } from "./object.ts";

/** Contradictions between the listings of an account: none of them is complete or correct because the API returned it. */

const isId = (value: unknown): value is string => typeof value === "string" && value.startsWith("krn:");

const keyOf = (kind: string, id: string): string => `${kind} ${comparable(id)}`;

/** Returns the parent that an object states; undefined if it is that of the listing, or if the object states none. */
export function otherParent(scope: Values, values: Values): string | undefined {
  const other = Object.entries(scope).find(([field, id]) => {
    const stated = values[field];
    return isId(stated) && isId(id) && !mayBeSameId(stated, id);
  });
  return other && String(values[other[0]]);
}

/** References of an object to listed kinds, each with the name of its field. */
const referencesOf = ({ resource, state }: AccountObject) =>
  Object.entries(resource.fields).flatMap(([name, field]) => {
    const kind = field.kind === "field" ? field.options.references : undefined;
    if (kind === undefined) return [];
    const ids = [state.values[name] ?? null].flat().filter(isId);
    return ids.map((id) => ({ name, kind, id }));
  });

/**
 * Returns the objects of which the listings do not contradict each other about the parent, and a gap for each other one: an object
 * that the listings of several VPCs show, and an object that refers to an object of another VPC.
 */
export function withoutForeign(objects: readonly AccountObject[]): {
  readonly objects: readonly AccountObject[];
  readonly gaps: readonly Gap[];
} {
  const vpcOf = ({ resource, state }: AccountObject) => {
    const vpc = state.values[vpcFieldOf(resource) ?? ""];
    return isId(vpc) ? comparable(vpc) : undefined;
  };
  const vpcs = new Map<string, Set<string>>();
  for (const object of objects) {
    const vpc = vpcOf(object);
    if (vpc === undefined || !isId(object.id)) continue;
    const key = keyOf(object.resource.name, object.id);
    vpcs.set(key, (vpcs.get(key) ?? new Set()).add(vpc));
  }
  const gaps: Gap[] = [];
  const consistent = objects.filter((object) => {
    const { name: kind } = object.resource;
    const gap = (reason: Gap["reason"]): false => {
      gaps.push({ kind, scope: object.name, reason, isIncomplete: true });
      return false;
    };
    if ((vpcs.get(keyOf(kind, object.id))?.size ?? 0) > 1) return gap("the listings of several VPCs show it");
    const vpc = vpcOf(object);
    const foreign = referencesOf(object).find(({ kind: target, id }) => {
      const places = vpcs.get(keyOf(target, id));
      return vpc !== undefined && places !== undefined && !places.has(vpc);
    });
    return foreign === undefined || gap(wording`its ${attribute(foreign.name)} is in another VPC`);
  });
  return { objects: consistent, gaps };
}

/**
 * Returns a gap for each object of which a listed object has the id and that no listing shows, although its kind was listed
 * completely.
 *
 * @param kinds kinds that were listed completely
 * @param known objects and those that were left out for another reason
 */
export function danglingReferences(
  objects: readonly AccountObject[],
  kinds: ReadonlySet<string>,
  known: readonly AccountObject[],
): Gap[] {
  const ids = new Set(known.map(({ resource, id }) => keyOf(resource.name, id)));
  return objects.flatMap((object) =>
    referencesOf(object)
      .filter(({ kind, id }) => kind !== "image" && kinds.has(kind) && !ids.has(keyOf(kind, id)))
      .map(({ name, kind, id }) => ({
        kind,
        scope: id,
        reason: wording`no listing shows it, although it is the ${attribute(name)} of ${term(object.resource.name)} ${JSON.stringify(object.name)}`,
        isIncomplete: true,
      })),
  );
}

/** Returns the names of the configurable fields that a listing and a read of the same object show with different values. */
export const contradictingFields = ({ fields }: Resource, listed: Values, read: Values): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const isCompared = field.kind !== "computed" && field.options.unreadable !== true;
    return isCompared && !sameValue(field, listed[name] ?? null, read[name] ?? null) ? [name] : [];
  });
