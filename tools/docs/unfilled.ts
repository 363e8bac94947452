import { entriesOf } from "../../provider/core/memoize.ts";
import { snakeCase, terraformType, underscored } from "../../provider/core/name.ts";
import { type Field, type Fields, isShownOnce } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { memberOf, type Shape } from "../../provider/definition/shape.ts";
import { exceptions } from "../operation-coverage.ts";
import { isImportable } from "./import.ts";
import { alignedTable } from "./markdown.ts";
import type { ListedOperation } from "./operation.ts";

/** Attributes that an import does not fill, by the definitions, and their table in `docs/guides/limits.md`. */

/**
 * Reason why an import does not fill an attribute: no response to a read has the value, or a response can have it, but does not say
 * that it is the one of this attribute.
 */
export type Reason = "not returned" | "not assigned";

/** Attribute of a state. */
export interface Attribute {
  /** Dotted path, as in a plan. */
  readonly path: string;
  readonly reason: Reason;
  /** True if the value has parts: a list, a set, a map or a group. */
  readonly hasParts: boolean;
}

const hasParts = ({ kind }: Shape): boolean => ["list", "set", "map", "object"].includes(kind);

/** Returns the reason why an import does not fill a field; undefined if it does. */
function reasonOf(field: Field): Reason | undefined {
  if (isShownOnce(field)) return "not returned";
  if (field.kind === "computed") return undefined;
  if (field.kind === "field") {
    const { unreadable, importFallback, isProven, calculated } = field.options;
    if (isProven !== undefined) return calculated === undefined ? "not assigned" : "not returned";
    if (unreadable !== true) return undefined;
    return importFallback === undefined ? "not returned" : "not assigned";
  }
  if (field.options.unreadable !== true) return undefined;
  const members: Fields = field.fields;
  const isShown = entriesOf(members).some(
    ({ value: member }) => member.kind === "field" && member.options.shownBy !== undefined,
  );
  return isShown || field.options.candidates !== undefined ? "not assigned" : "not returned";
}

function unfilledIn(fields: Fields, above: string): Attribute[] {
  const contents = contentNames(fields);
  return entriesOf(fields).flatMap(({ name, value: field }): Attribute[] => {
    const path = `${above}${snakeCase(name)}`;
    const isSecret = field.kind === "field" && field.options.secret === true;
    const version: Attribute[] = isSecret
      ? [{ path: `${path}_wo_version`, reason: "not returned", hasParts: false }]
      : [];
    const reason = contents.includes(name) ? "not assigned" : reasonOf(field);
    if (reason !== undefined)
      return [
        { path, reason, hasParts: field.kind === "group" || hasParts(memberOf(field).shape) },
        ...version,
      ];
    return [...version, ...(field.kind === "group" ? unfilledIn(field.fields, `${path}.`) : [])];
  });
}

/** Returns the names of the fields with a content that a response has, although not in which of them it is configured. */
const contentNames = (fields: Fields): string[] =>
  entriesOf(fields).flatMap(({ value: field }) => {
    const { calculated, isProven } = field.kind === "field" ? field.options : {};
    const needs = isProven === undefined ? [] : (calculated?.needs ?? []);
    return needs.filter((need) => {
      const source = fields[need];
      return source?.kind === "field" && source.options.file !== true;
    });
  });

/** Returns the fields that are calculated from fields of which an import fills none. */
const calculatedIn = (fields: Fields): Attribute[] =>
  entriesOf(fields).flatMap(({ name, value: field }): Attribute[] => {
    const needs = field.kind === "field" ? field.options.calculated?.needs : undefined;
    const isFilled = (need: string) => fields[need] !== undefined && reasonOf(fields[need]) === undefined;
    if (needs === undefined || needs.some(isFilled) || reasonOf(field) !== undefined) return [];
    return [{ path: snakeCase(name), reason: "not returned", hasParts: false }];
  });

/** Returns the attributes of a resource that an import does not fill. */
export const unfilledAttributes = ({ fields }: Resource): Attribute[] => [
  ...unfilledIn(fields, ""),
  ...calculatedIn(fields),
  { path: "timeouts", reason: "not returned", hasParts: true },
];

/** Returns true for an attribute that resources of every kind have, or that a write-only secret adds. */
export const isCommon = ({ path }: Attribute): boolean => path === "timeouts" || path.endsWith("_wo_version");

const begin = "<!-- The table is written by `node tools/docs.ts`. -->";
const end = "<!-- End of the table -->";

/** Returns true for a kind whose objects an import can read. */
export const isListed = (resource: Resource): boolean =>
  isImportable(resource) && resource.visibility?.unreadable === undefined;

/** Returns a page with the table of the attributes that imports do not fill, between its two comments. */
export function withUnfilledTable(
  page: string,
  resources: readonly Resource[],
  operations: readonly ListedOperation[],
): string {
  const [before = "", rest = ""] = page.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`the page has no "${begin}" and "${end}"`);
  return `${before}${begin}\n\n${unfilledTable(resources, operations)}\n\n${end}${after}`;
}

function unfilledTable(resources: readonly Resource[], operations: readonly ListedOperation[]): string {
  const rows = resources
    .filter(isListed)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((resource) => {
      const attributes = unfilledAttributes(resource).filter((attribute) => !isCommon(attribute));
      const listed = (reason: Reason) =>
        attributes
          .flatMap((attribute) => (attribute.reason === reason ? `\`${attribute.path}\`` : []))
          .join(", ");
      const link = `[\`${terraformType(resource.name)}\`](../resources/${underscored(resource.name)}.md)`;
      const row = [link, listed("not returned"), listed("not assigned")];
      return attributes.length === 0 ? [] : [[...row, sectionsOf(resource, operations).join(", ")]];
    });
  const head = ["resource", "in no response", "in a response, not assigned", "contract"];
  return alignedTable([head, ...rows]);
}

/** Returns links to the sections of the contract with the reads of a resource. */
const sectionsOf = (resource: Resource, operations: readonly ListedOperation[]): string[] => [
  ...new Set(readsOf(resource, operations).map(({ section }) => `[${section}](../contract.md#${section})`)),
];

/** Returns true for the name of an operation that only reads. */
export const isRead = (name: string): boolean => /^(get|list|search|describe|download)_/.test(name);

/** Returns the operations that read objects of a kind. */
export function readsOf({ name }: Resource, operations: readonly ListedOperation[]): ListedOperation[] {
  const covering = `resource ${name}` as const;
  return operations.filter(
    (operation) =>
      isRead(operation.name) &&
      (exceptions[operation.name]?.includes(covering) ?? operation.kind === underscored(name)),
  );
}
