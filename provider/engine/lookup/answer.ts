import * as z from "zod/mini";
import type { Field, Fields } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";
import { memberOf, valueSchema } from "../../definition/shape.ts";

/** What the cloud shows of a resource's objects: what a lookup can answer, and what it can be asked by. */

/** A field that holds one value. */
export type Single = Exclude<Field, { kind: "group" }>;

/** What is said of an object's place, or for the provider's own sake: a lookup tells tags as the cloud has them. */
const aside = ["region", "tagsAll"];

/** What a read tells beside where the object is found: nothing secret. */
export const shownFields = ({ fields, parents = [], listedIn = parents }: Resource): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, { options }]) => {
      const hidden = "unreadable" in options || "secret" in options || "writeOnly" in options;
      return !hidden && !aside.includes(name) && !listedIn.includes(name);
    }),
  );

/** What a row of the listing tells: all of it, or no more than what it is called and where it stands. */
export function rowFields(resource: Resource): Fields {
  const shown = shownFields(resource);
  if (resource.verbs.whole !== undefined) return shown;
  const known = ["name", resource.lifecycle?.field];
  return Object.fromEntries(Object.entries(shown).filter(([name]) => known.includes(name)));
}

/** Whether every object has one: otherwise none is an answer too. */
function isAlways(field: Field): boolean {
  const { required, default: standIn } = memberOf(field);
  return field.kind === "computed" ? valueSchema(field) === field.schema : required || standIn !== undefined;
}

/** What it holds, as an answer. */
export function answerSchema(field: Field): z.ZodMiniType {
  const inner = field.kind === "group" ? z.object(answerSchemas(field.fields)) : valueSchema(field);
  return isAlways(field) ? inner : z.optional(inner);
}

/** The same of several fields. */
export const answerSchemas = (fields: Fields): { [name: string]: z.ZodMiniType } =>
  Object.fromEntries(Object.entries(fields).map(([name, of]) => [name, answerSchema(of)]));

/** What an object may be asked for by: whatever a row shows as one plain value that is never none. */
export const choices = (resource: Resource): readonly (readonly [string, Single])[] =>
  Object.entries(rowFields(resource)).flatMap(([name, field]) => {
    const plain = ["string", "number", "boolean"].includes(memberOf(field).shape.kind);
    return field.kind !== "group" && plain && isAlways(field) ? [[name, field] as const] : [];
  });
