import { sameId } from "../provider/core/krn.ts";
import { sameText } from "../provider/core/string.ts";
import { isRecord, type Value, type Values } from "../provider/core/value.ts";
import type { Resource } from "../provider/definition/resource.ts";
import { shellArgument } from "./export/shell.ts";

/** Selection of the objects of an account. An empty list selects all objects. */
export interface Filter {
  /** Names or ids of VPCs: these, and the objects in them. */
  readonly vpcs: readonly string[];
  readonly kinds: readonly string[];
  /** Patterns of names, of which one has to match. */
  readonly names: readonly string[];
  /** Tags as `KEY` or `KEY=VALUE`, all of which an object has to have. */
  readonly tags: readonly string[];
  /** Patterns of the names of objects that are left out. */
  readonly excluded: readonly string[];
}

export const everything: Filter = { vpcs: [], kinds: [], names: [], tags: [], excluded: [] };

/** Returns true if the filter may leave out an object. */
export const isNarrow = (filter: Filter): boolean => Object.values(filter).some(({ length }) => length > 0);

/** Returns the filter as the options of `kcloud export`. */
export const asOptions = ({ vpcs, kinds, names, tags, excluded }: Filter): string =>
  Object.entries({ vpc: vpcs, kind: kinds, name: names, tag: tags, exclude: excluded })
    .flatMap(([option, texts]) => texts.map((text) => `--${option} ${shellArgument(text)}`))
    .join(" ");

/** Returns true if a text matches a pattern, in which `*` stands for any text. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern
    .normalize()
    .split("*")
    .map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "su").test(text.normalize());
}

/**
 * Returns true if a pattern matches an object. A pattern is `NAME` or `KIND/NAME`; a part before `/` that is no kind belongs
 * to the name.
 */
function matchesObject(pattern: string, kind: string, name: string, kinds: ReadonlySet<string>): boolean {
  const slash = pattern.indexOf("/");
  const patternKind = pattern.slice(0, Math.max(0, slash));
  if (!kinds.has(patternKind)) return matches(pattern, name);
  return patternKind === kind && matches(pattern.slice(slash + 1), name);
}

/** Returns true if the filter selects an object by its kind and its name. */
export function selectsName(
  { kinds, names, excluded }: Filter,
  { kind, name }: { readonly kind: string; readonly name: string },
  known: ReadonlySet<string>,
): boolean {
  const isMatched = (pattern: string) => matchesObject(pattern, kind, name, known);
  return (
    (kinds.length === 0 || kinds.includes(kind)) &&
    (names.length === 0 || names.some(isMatched)) &&
    !excluded.some(isMatched)
  );
}

const hasTag = (labels: Value | undefined, tag: string): boolean => {
  if (labels === undefined || !isRecord(labels)) return false;
  const [key = "", ...rest] = tag.split("=");
  return Object.hasOwn(labels, key) && (rest.length === 0 || labels[key] === rest.join("="));
};

/** Returns true if an object has all tags of the filter, as tags or as labels. */
export const selectsTags = ({ tags }: Filter, values: Values): boolean =>
  tags.every((tag) => hasTag(values.tags, tag) || hasTag(values.metadata, tag));

/** Returns true if a text of the filter is the name or the id of the VPC. */
export const selectsVpc = (
  { vpcs }: Filter,
  { id, name }: { readonly id: string; readonly name: string },
): boolean => vpcs.length === 0 || vpcs.some((vpc) => sameText(vpc, name) || sameId(vpc, id));

/** Returns the name of the field with the VPC of an object; undefined for a kind outside of VPCs. */
export const vpcFieldOf = ({ fields }: Resource): string | undefined =>
  Object.entries(fields).find(
    ([, field]) => field.kind === "field" && field.options.references === "vpc",
  )?.[0];
