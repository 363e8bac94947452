import { equal, isRecord, type Path, UNKNOWN, type Value, type Values } from "../core/value.ts";
import type { Field, Fields } from "../definition/field.ts";
import type { Resource } from "../definition/resource.ts";
import { isToldOnce } from "../definition/resource.ts";
import type { FieldChange, Plan } from "../engine/engine.ts";
import { isAutomatic } from "./name.ts";
import { propertyPath } from "./value.ts";

export type Kind = "ADD" | "DELETE" | "UPDATE" | "ADD_REPLACE" | "DELETE_REPLACE" | "UPDATE_REPLACE";

/** A plan in the engine's terms; its parts always agree. */
export interface Difference {
  /** Each changed place. Old values are those of the outputs, which hold every field: never an input diff. */
  readonly detailed: ReadonlyMap<string, Kind>;
  /** Names of changed properties. */
  readonly diffs: readonly string[];
  /** Names of those that make a new object. */
  readonly replaces: readonly string[];
  /** Two objects of one name, or that nothing tells apart, cannot stand side by side (reliability 3.3). */
  readonly deleteBeforeReplace: boolean;
  /** What a replacement loses and how to avoid it, one sentence a property. */
  readonly reasons: readonly string[];
}

/** `logical` is the name in the program, by which a name made from it is known. */
export function differenceOf(
  resource: Resource,
  { changes, problems, action, values }: Plan,
  prior: Values,
  logical?: string,
): Difference {
  // A change that cannot be made is shown, and refused by the update: a refresh asks for a diff too.
  const refused = problems.map(({ path }) => path);
  const detailed = new Map<string, Kind>();
  for (const { path, before, after, verdict } of changes)
    for (const place of places(path, before, after, isUnordered(resource.fields, path)))
      detailed.set(propertyPath(place.path), verdict === "replace" ? `${place.kind}_REPLACE` : place.kind);
  for (const path of refused) detailed.set(propertyPath(path), "UPDATE");
  const replacing = changes.filter(({ verdict }) => verdict === "replace");
  return {
    detailed,
    diffs: tops([...changes.map(({ path }) => path), ...refused]),
    replaces: tops(replacing.map(({ path }) => path)),
    deleteBeforeReplace:
      action === "replace" &&
      (resource.exclusive === true || (!isToldOnce(resource) && keepsName(values, prior, logical))),
    reasons: replacing.map(reasonOf),
  };
}

/** Whether the new object would have the old one's name; a name made from the seed is made anew for it. */
function keepsName(
  { name = null }: Values,
  { name: old = null }: Values,
  logical: string | undefined,
): boolean {
  if (name === UNKNOWN || !equal(name, old)) return false;
  return logical === undefined || typeof name !== "string" || !isAutomatic(name, logical);
}

const tops = (paths: readonly Path[]): string[] => [...new Set(paths.map(([name]) => String(name)))];

const reasonOf = ({ path, reason }: FieldChange): string =>
  `A change of ${propertyPath(path)} makes a new object.${reason === undefined ? "" : ` ${reason}`}`;

interface Place {
  readonly path: Path;
  readonly kind: "ADD" | "DELETE" | "UPDATE";
}

/** The innermost places that differ. A secret is one place: its parts are nobody's business. */
function places(path: Path, before: Value | undefined, after: Value | undefined, whole: boolean): Place[] {
  if ((before ?? null) === null) return [{ path, kind: "ADD" }];
  if ((after ?? null) === null) return [{ path, kind: "DELETE" }];
  if (!whole && isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      equal(before[name] ?? null, after[name] ?? null)
        ? []
        : places([...path, name], before[name], after[name], false),
    );
  if (!whole && Array.isArray(before) && Array.isArray(after))
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => at).flatMap((at) =>
      equal(before[at], after[at]) ? [] : places([...path, at], before[at], after[at], false),
    );
  return [{ path, kind: "UPDATE" }];
}

function isUnordered(fields: Fields, path: Path): boolean {
  const [name, ...rest] = path;
  const field: Field | undefined = fields[String(name)];
  if (field?.kind === "group") return isUnordered(field.fields, rest);
  return field?.kind === "field" && field.options.unordered === true;
}
