import { checkSettings, missingProblem } from "../config/config.ts";
import { ConfigError, InputError, type Problem } from "../core/error.ts";
import { fullRegionOf, inOtherRegion, spellRegion } from "../core/krn.ts";
import { memoize } from "../core/memoize.ts";
import type { ResourceState } from "../core/state.ts";
import { equalsIgnoreCase } from "../core/string.ts";
import { at, hasUnknown, type Path, reveal, UNKNOWN, type Value, type Values } from "../core/value.ts";
import type { Warning } from "../core/warning.ts";
import { assignment, attribute, wording } from "../core/wording.ts";
import { type Fields, referenceNames } from "../definition/field.ts";
import type { Resource } from "../definition/resource.ts";
import { membersOf } from "../definition/shape.ts";
import type { FieldChange } from "./plan.ts";
import type { Session } from "./session.ts";

/**
 * Region of objects. An object is in the region of its parent, so the default of the provider applies only to an object
 * whose parent's id contains no region: another default, such as that of a second workspace, moves no object.
 */

/** Definition of objects, or of a function that reads or changes objects. */
interface Located {
  readonly regional?: boolean;
  readonly fields: Fields;
  readonly parents?: readonly string[];
}

/**
 * Returns the names of the fields with the ids of the parents of an object: those of `parents`, or else the required
 * references, such as the port of `port_security_groups`.
 */
const parentFields = memoize(({ fields, parents = [] }: Located): readonly string[] => {
  const names = referenceNames(fields);
  const listed = parents.filter((name) => names.includes(name));
  return listed.length > 0 ? listed : names.filter((name) => membersOf(fields)[name]?.required);
});

/** Returns the region in the first id that contains the full name of one. */
function regionIn(ids: readonly (Value | undefined)[]) {
  for (const id of ids) {
    const shown = reveal(id ?? null);
    const named = typeof shown === "string" ? fullRegionOf(shown) : undefined;
    if (named !== undefined) return named;
  }
  return undefined;
}

/** Returns the region that the values of an object decide: their own, otherwise that in the first of the ids with one. */
function decidedRegion(values: Values, ids: readonly (Value | undefined)[]) {
  const configured = reveal(values.region ?? null);
  return configured !== null && configured !== "" ? configured : regionIn(ids);
}

/**
 * Returns the region of an object: its own, otherwise that of its parent's id or of its own `id`, otherwise the provider's; an
 * empty string for an object without a region if the provider has none. Throws `InputError` for an invalid region,
 * `ConfigError` if a required one is missing.
 */
export const regionFor = (session: Session, located: Located, values: Values, id?: string): string =>
  resolved(session, located, values, [...parentFields(located).map((name) => values[name]), id]);

/** Returns the region of a lookup, an action or an ephemeral resource, like `regionFor`: any id that it gets contains it. */
export const regionOfCall = (session: Session, located: Located, inputs: Values): string =>
  resolved(
    session,
    located,
    inputs,
    referenceNames(located.fields).map((name) => inputs[name]),
  );

function resolved(
  { settings }: Session,
  { regional }: Located,
  values: Values,
  ids: readonly (Value | undefined)[],
): string {
  if (regional === false) return settings.region ?? "";
  const decided = decidedRegion(values, ids) ?? settings.region;
  if (typeof decided !== "string") throw new ConfigError([missingProblem.region]);
  const region = spellRegion(decided);
  const [wrong] = region === settings.region ? [] : checkSettings({ region });
  if (wrong === undefined) return region;
  throw new InputError([{ path: ["region"], problem: wrong.problem }]);
}

/** Returns the region of an object without an error for a missing one, as part of a key; empty if it is not known. */
export function regionKey(session: Session, located: Located, values: Values): string {
  const region = plannedRegion(located, values, session, undefined);
  return typeof region === "string" ? region : (session.settings.region ?? "");
}

/**
 * Returns the planned region of a new object; `UNKNOWN` while that of its parent is. `replaced` is the region of the object
 * that it replaces, which it keeps if no parent decides. Returns undefined if a required region is missing.
 */
export function plannedRegion(
  located: Located,
  inputs: Values,
  session: Session | undefined,
  replaced: string | undefined,
): Value | undefined {
  if (located.regional === false) return session === undefined ? UNKNOWN : session.settings.region;
  const ids = parentFields(located).map((name) => inputs[name]);
  const decided = decidedRegion(inputs, ids);
  if (decided !== undefined) return decided;
  if (ids.some(hasUnknown)) return UNKNOWN;
  return replaced ?? (session === undefined ? UNKNOWN : session.settings.region);
}

/** Returns the inputs of a create with the region that `plannedRegion` returns, if there is one. */
export function withPlannedRegion(
  session: Session,
  located: Located,
  inputs: Values,
  replaced: string | undefined,
): Values {
  const region = plannedRegion(located, inputs, session, replaced);
  return located.regional === false || typeof region !== "string" ? inputs : { ...inputs, region };
}

/**
 * Returns the problems of a new object in another region than its parent, each with both regions: the API would not find
 * the parent, after a replacement has deleted the existing object.
 */
export function parentRegionProblems(located: Located, inputs: Values, region: Value | undefined): Problem[] {
  if (located.regional === false || typeof region !== "string") return [];
  const isConfigured = (inputs.region ?? null) !== null;
  return parentFields(located).flatMap((name): Problem[] => {
    const id = reveal(inputs[name] ?? null);
    if (typeof id !== "string" || !inOtherRegion(id, region)) return [];
    const elsewhere = `is an ID in ${fullRegionOf(id)}`;
    return isConfigured
      ? [
          {
            path: ["region"],
            problem: wording`is ${region}, but ${attribute(name)} ${elsewhere}: without ${attribute("region")}, the object is created in the region of its parent`,
          },
        ]
      : [{ path: [name], problem: `${elsewhere}, but another parent of the object is in ${region}` }];
  });
}

/** Returns the paths of the fields with ids of other objects, without those of the parents. */
const referencePaths = memoize((located: Located): readonly Path[] => {
  const within = (fields: Fields, path: Path): Path[] =>
    Object.entries(fields).flatMap(([name, field]) => {
      if (field.kind === "group") return within(field.fields, [...path, name]);
      return field.kind === "field" && field.options.references !== undefined ? [[...path, name]] : [];
    });
  const parents = new Set(parentFields(located));
  return within(located.fields, []).filter(([first]) => !parents.has(String(first)));
});

/** Returns the ids of other objects in values, each with its path; without those of the parents. */
const references = (located: Located, values: Values): { path: Path; id: string }[] =>
  referencePaths(located).flatMap((path) => {
    const id = reveal(at(values, path) ?? null);
    return typeof id === "string" ? [{ path, id }] : [];
  });

/** Returns a warning for each id of another object, other than a parent, whose region differs from the planned one. */
export function otherRegions(resource: Resource, inputs: Values, region: Value | undefined): Warning[] {
  if (typeof region !== "string" || resource.regional === false) return [];
  return references(resource, inputs)
    .filter(({ id }) => inOtherRegion(id, region))
    .map(({ path, id }) => ({
      code: "other-region",
      field: path.join("."),
      idRegion: fullRegionOf(id) ?? "",
      region,
    }));
}

/**
 * Returns the problems of a replacement because of a reference that changes to another region, such as an image that a lookup
 * found in the provider's region: the API would delete the existing object and not find the reference of the new one.
 */
export const lostReferences = (
  resource: Resource,
  inputs: Values,
  region: Value | undefined,
  changes: readonly FieldChange[],
): Problem[] =>
  typeof region !== "string" || resource.regional === false
    ? []
    : references(resource, inputs).flatMap(({ path, id }) => {
        const isChanged = changes.some(
          (change) => change.effect === "replace" && change.path.join(".") === path.join("."),
        );
        return isChanged && inOtherRegion(id, region)
          ? [
              {
                path,
                problem: wording`changed to an ID in ${String(fullRegionOf(id))}, and the object is in ${region}: its replacement would fail after the existing object is deleted. Use an ID in ${region}, as of a lookup with ${assignment("region", region)}`,
              },
            ]
          : [];
      });

/**
 * Returns the warning of a replacement that moves an object to the region of the provider: no parent decides, and the engine
 * does not pass the region of the existing object to the create.
 */
export function movedRegion(
  resource: Resource,
  prior: ResourceState | undefined,
  inputs: Values,
  region: Value | undefined,
): Warning[] {
  const recorded = reveal(prior?.values.region ?? null);
  if (typeof recorded !== "string" || typeof region !== "string") return [];
  if (resource.regional === false || equalsIgnoreCase(recorded, region)) return [];
  const ids = parentFields(resource).map((name) => inputs[name]);
  if ((inputs.region ?? null) !== null || regionIn(ids) !== undefined) return [];
  return [{ code: "moves-region", recorded, region }];
}
