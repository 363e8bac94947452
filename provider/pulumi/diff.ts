import type { Field, Fields } from "../define.ts";
import type { FieldChange, Plan } from "../plan.ts";
import { equal, isRecord, type Path, UNKNOWN, type Value, type Values } from "../value.ts";
import { propertyPath } from "./values.ts";

export type Kind = "ADD" | "DELETE" | "UPDATE" | "ADD_REPLACE" | "DELETE_REPLACE" | "UPDATE_REPLACE";

/** A plan in the engine's terms; its parts always agree. */
export interface Difference {
  /** Each changed place. Old values are those of the outputs, which hold every field: never an input diff. */
  readonly detailed: ReadonlyMap<string, Kind>;
  /** Names of changed properties. */
  readonly diffs: readonly string[];
  /** Names of those that make a new object. */
  readonly replaces: readonly string[];
  /** Two objects that nothing tells apart, or one name, cannot stand side by side (reliability 3.3). */
  readonly deleteBeforeReplace: boolean;
  /** What a replacement loses and how to avoid it, one sentence a property. */
  readonly reasons: readonly string[];
}

export function differenceOf(
  fields: Fields,
  { changes, problems, action, values }: Plan,
  prior: Values,
): Difference {
  // A change that cannot be made is shown, and refused by the update: a refresh asks for a diff too.
  const refused = problems.map(({ path }) => path);
  const detailed = new Map<string, Kind>();
  for (const change of changes)
    for (const { path, kind } of places(
      change.path,
      change.before,
      change.after,
      isUnordered(fields, change.path),
    ))
      detailed.set(propertyPath(path), change.verdict === "replace" ? `${kind}_REPLACE` : kind);
  for (const path of refused) detailed.set(propertyPath(path), "UPDATE");
  const replacing = changes.filter(({ verdict }) => verdict === "replace");
  return {
    detailed,
    diffs: tops([...changes.map(({ path }) => path), ...refused]),
    replaces: tops(replacing.map(({ path }) => path)),
    deleteBeforeReplace: action === "replace" && values.name !== UNKNOWN && equal(values.name, prior.name),
    reasons: replacing.map(reasonOf),
  };
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
      equal(before[name], after[name]) ? [] : places([...path, name], before[name], after[name], false),
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
