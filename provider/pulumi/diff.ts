import { equal, isRecord, type Path, UNKNOWN, type Value, type Values } from "../core/value.ts";
import { inWordsOf } from "../core/wording.ts";
import type { Field, Fields } from "../definition/field.ts";
import type { Resource } from "../definition/resource.ts";
import { hasShownOnce } from "../definition/resource.ts";
import type { FieldChange, Plan } from "../engine/engine.ts";
import { isAutomaticName } from "./name.ts";
import { propertyPath } from "./value.ts";

/** Kind of a property change, with the names of `PropertyDiff.Kind` in the protocol. */
export type DiffKind = "ADD" | "DELETE" | "UPDATE" | "ADD_REPLACE" | "DELETE_REPLACE" | "UPDATE_REPLACE";

/** Plan in the form of a response to Diff. */
export interface ResourceDiff {
  /** Kind of change by property path, in comparison with the outputs, which contain every field. */
  readonly detailed: ReadonlyMap<string, DiffKind>;
  /** Names of changed properties. */
  readonly diffs: readonly string[];
  /** Names of properties whose change replaces the object. */
  readonly replaces: readonly string[];
  /** True if old and new object would have the same name, or are exclusive (docs/reliability.md#3.3). */
  readonly deleteBeforeReplace: boolean;
  /** Sentences on the consequences of the replacement, one per replacing property. */
  readonly replaceReasons: readonly string[];
}

/**
 * Converts a plan. `prior` has the old values. `logical` is the name in the program, by which an automatic name is
 * recognized.
 */
export function resourceDiff(
  resource: Resource,
  { changes: planned, problems, values }: Plan,
  prior: Values,
  logical?: string,
): ResourceDiff {
  // A changed tag says it all: `tagsAll` is shown only for tags of the provider.
  const isTagged = planned.some(({ path: [name] }) => name === "tags");
  const changes = planned.filter(({ path: [name] }) => name !== "tagsAll" || !isTagged);
  // An impossible change is part of the diff and only rejected by the update, since a refresh requests a diff too.
  const rejected = problems.map(({ path }) => path);
  const detailed = new Map<string, DiffKind>();
  for (const { path, before, after, effect } of changes)
    for (const changed of changedPaths(path, before, after, isUnordered(resource.fields, path)))
      detailed.set(
        propertyPath(changed.path),
        effect === "replace" ? `${changed.kind}_REPLACE` : changed.kind,
      );
  for (const path of rejected) detailed.set(propertyPath(path), "UPDATE");
  const replacing = changes.filter(({ effect }) => effect === "replace");
  return {
    detailed,
    diffs: topLevelNames([...changes.map(({ path }) => path), ...rejected]),
    replaces: topLevelNames(replacing.map(({ path }) => path)),
    // The engine may replace an object that changes in place, as with `replaceOnChanges`.
    deleteBeforeReplace: detailed.size > 0 && deletesFirst(resource, values, prior, logical),
    replaceReasons: replacing.map(replaceReason),
  };
}

/** Returns true if a replacement must delete the old object first. `logical` is the name in the program. */
export const deletesFirst = (
  resource: Resource,
  values: Values,
  prior: Values,
  logical: string | undefined,
): boolean =>
  resource.exclusive === true ||
  reusesId(resource, values, prior) ||
  (!hasShownOnce(resource) && reusesName(values, prior, logical));

/** Returns true if the new object has the id of the old one by configuration. */
const reusesId = ({ idField }: Resource, values: Values, prior: Values): boolean =>
  idField !== undefined && (prior[idField] ?? null) !== null && equal(values[idField], prior[idField]);

/** Returns true if the new object has the name of the old one. A replacement gets a new automatic name. */
function reusesName(
  { name = null }: Values,
  { name: old = null }: Values,
  logical: string | undefined,
): boolean {
  if (name === UNKNOWN || !equal(name, old)) return false;
  return logical === undefined || typeof name !== "string" || !isAutomaticName(name, logical);
}

const topLevelNames = (paths: readonly Path[]): string[] => [...new Set(paths.map(([name]) => String(name)))];

const replaceReason = ({ path, reason }: FieldChange): string =>
  `Changing ${propertyPath(path)} replaces the object.${reason === undefined ? "" : ` ${inWordsOf("pulumi", reason)}`}`;

interface ChangedPath {
  readonly path: Path;
  readonly kind: "ADD" | "DELETE" | "UPDATE";
}

/**
 * Returns the innermost paths that differ. A secret counts as one path, so that the diff does not disclose its members. So
 * does a value with `whole`.
 */
function changedPaths(
  path: Path,
  before: Value | undefined,
  after: Value | undefined,
  whole: boolean,
): ChangedPath[] {
  if ((before ?? null) === null) return [{ path, kind: "ADD" }];
  if ((after ?? null) === null) return [{ path, kind: "DELETE" }];
  if (!whole && isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      equal(before[name] ?? null, after[name] ?? null)
        ? []
        : changedPaths([...path, name], before[name], after[name], false),
    );
  if (!whole && Array.isArray(before) && Array.isArray(after))
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index).flatMap(
      (index) =>
        equal(before[index], after[index])
          ? []
          : changedPaths([...path, index], before[index], after[index], false),
    );
  return [{ path, kind: "UPDATE" }];
}

function isUnordered(fields: Fields, path: Path): boolean {
  const [name, ...rest] = path;
  const field: Field | undefined = fields[String(name)];
  if (field?.kind === "group") return isUnordered(field.fields, rest);
  return field?.kind === "field" && field.options.unordered === true;
}
