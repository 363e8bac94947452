import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { referenceNames } from "../definition/field.ts";
import { idIn, type Resource } from "../definition/resource.ts";
import { describeObject } from "./remediation.ts";
import type { Session } from "./session.ts";

/** Objects in the titles of warnings. Terraform merges warnings of equal title, so two objects must not have the same. */

/** Name and id of an object; undefined if not known. */
export interface Label {
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  /** Id of the object to which this one belongs, such as its VPC. */
  readonly owner?: string | undefined;
}

/** Definition of an object in a title: of a resource, a lookup, an ephemeral resource or an action. */
type Titled = Pick<Resource, "name" | "fields"> & Partial<Pick<Resource, "parents" | "idField">>;

/** Returns the name or id of an object for messages; undefined if it is secret or missing. */
const nameOf = (definition: Titled, values: Values): string | undefined =>
  typeof values.name === "string" ? values.name : idIn(definition, values);

/** Returns the label of an object, or of the inputs of a create. */
export const labelOf = (
  definition: Titled,
  { id, values }: Partial<Pick<ResourceState, "id">> & Pick<ResourceState, "values">,
): Label => ({ name: nameOf(definition, values), id, owner: ownerIn(definition, values) });

/** Returns the id of the innermost parent, or of the first object that the values refer to. */
function ownerIn({ parents = [], fields }: Titled, values: Values): string | undefined {
  const ids = [...parents.toReversed(), ...referenceNames(fields)].map((name) => values[name]);
  return ids.find((id) => typeof id === "string");
}

/** Returns the object of written values, such as those of a validation, for a title. */
export const writtenObject = (definition: Titled, values: Values): string =>
  titleObject(undefined, definition, labelOf(definition, { values }));

/**
 * Returns an object for the title of a warning: with its id or owner if it has no name, or if this process has shown the
 * name of another object.
 */
export function titleObject(
  session: Pick<Session, "messages"> | undefined,
  { name: kind }: Pick<Resource, "name">,
  { name, id, owner }: Label,
): string {
  const plain = describeObject({ kind, name });
  const isNew = id === undefined || id === name;
  const exact = isNew
    ? owner === undefined
      ? plain
      : `${plain} of ${owner}`
    : describeObject({ kind, name, id });
  if (name === undefined) return exact;
  if (session === undefined) return plain;
  const first = session.messages.titled.get(plain) ?? exact;
  session.messages.titled.set(plain, first);
  return first === exact ? plain : exact;
}
