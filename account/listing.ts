import { plural, term } from "../provider/core/name.ts";
import { attribute, type Text, wording } from "../provider/core/wording.ts";
import { referenceOf } from "../provider/definition/import-id.ts";
import { listingParents, type Resource } from "../provider/definition/resource.ts";

/**
 * Listing that shows the objects of a kind: one of the region or the account, one per object of the kind `within`, or none
 * for a reason.
 */
export type Listing =
  | { readonly of: "account" }
  | { readonly of: "parent"; readonly within: string; readonly field: string }
  | { readonly of: "none"; readonly reason: Text };

/** Returns true for a kind whose objects are content of another one, such as the objects of a bucket. */
export const isContent = ({ fields }: Resource): boolean =>
  Object.values(fields).some((field) => field.kind === "field" && field.options.file === true);

/** Returns true for a kind whose objects are lists of objects of another kind and have their ids, such as the groups of a port. */
export const isListOfOther = ({ verbs, sharedList }: Resource): boolean =>
  verbs.list === undefined && sharedList?.of !== undefined;

/** Returns the listing of a kind; undefined for a kind whose objects exist only in the state of an engine. */
export function listingOf(resource: Resource): Listing | undefined {
  const { name, noun = term(name), verbs, stateOnly, sharedList, fields } = resource;
  const kinds = plural(noun);
  if (stateOnly) return undefined;
  if (isListOfOther(resource) && sharedList !== undefined)
    return {
      of: "none",
      reason: wording`the list ${attribute(sharedList.list)} is a part of each ${sharedList.kind}, not an object`,
    };
  if (verbs.list === undefined) return { of: "none", reason: `no route of the API lists ${kinds}` };
  const [parent, ...more] = listingParents(resource);
  if (parent === undefined) return { of: "account" };
  const within = referenceOf(resource, parent);
  if (within !== undefined && more.length === 0) return { of: "parent", within, field: parent };
  const names = Object.keys(fields).filter((field) => listingParents(resource).includes(field));
  return { of: "none", reason: wording`the API finds ${kinds} only by ${attribute(names.join(", "))}` };
}
