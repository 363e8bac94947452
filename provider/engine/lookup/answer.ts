import * as z from "zod/mini";
import type { Field, Fields } from "../../definition/field.ts";
import { listingParents, type Resource } from "../../definition/resource.ts";
import { described, memberOf, valueSchema } from "../../definition/shape.ts";

/** Fields of derived lookups: those that a lookup returns, and those that it filters by. */

/** Field with one value. */
export type Single = Exclude<Field, { kind: "group" }>;

/**
 * Fields that a lookup does not return with the others: `region` is an input, and `tags` of a lookup already contains all
 * tags.
 */
const excluded = ["region", "tagsAll"];

/** Returns the fields that a read shows, without the region, the parents of the listing and secret fields. */
export const shownFields = (resource: Resource): Fields =>
  Object.fromEntries(
    Object.entries(resource.fields).filter(([name, { options }]) => {
      const hidden = "unreadable" in options || "secret" in options;
      return !hidden && !excluded.includes(name) && !listingParents(resource).includes(name);
    }),
  );

/** Returns the fields that a row of the listing shows: all of them with `whole`, otherwise only the name and the status. */
export function rowFields(resource: Resource): Fields {
  const shown = shownFields(resource);
  if (resource.verbs.whole !== undefined) return shown;
  const known = ["name", resource.lifecycle?.field];
  return Object.fromEntries(Object.entries(shown).filter(([name]) => known.includes(name)));
}

/** Returns true if every object has a value for the field; otherwise null is a valid result. */
export function hasAlwaysValue(field: Field): boolean {
  const { required, default: standard } = memberOf(field);
  return field.kind === "computed" ? valueSchema(field) === field.schema : required || standard !== undefined;
}

/** Returns the schema of a field in the result of a lookup. */
export function answerSchema(field: Field): z.ZodMiniType {
  const inner = field.kind === "group" ? z.object(answerSchemas(field.fields)) : valueSchema(field);
  return hasAlwaysValue(field) ? inner : z.optional(inner);
}

/** Returns the result schemas of several fields, with their descriptions. */
export const answerSchemas = (fields: Fields): { [name: string]: z.ZodMiniType } =>
  Object.fromEntries(
    Object.entries(fields).map(([name, of]) => [name, described(answerSchema(of), of.about)]),
  );

/** Returns the fields that a lookup can filter by: those with one plain value that every row shows. */
export const choices = (resource: Resource): readonly (readonly [string, Single])[] =>
  Object.entries(rowFields(resource)).flatMap(([name, field]) => {
    const plain = ["string", "number", "boolean"].includes(memberOf(field).shape.kind);
    return field.kind !== "group" && plain && hasAlwaysValue(field) ? [[name, field] as const] : [];
  });
