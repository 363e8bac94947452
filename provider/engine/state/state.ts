import type { Held } from "../../core/state.ts";
import { emptyRecord, isRecord, type Values } from "../../core/value.ts";
import { type Field, type Fields, isLocal, laterFields } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";



export { type Address, addressOf, idIn, movedTo, scopeKey } from "./address.ts";
export { differing } from "./compare.ts";
export { decidedIn, deciding, inFull, listing, looksDue, observe, shared, wrote } from "./current.ts";
export { followsProvider, plannedTags, withAllTags, withKeptTags, withOwnTags } from "./default-tags.ts";
export { asPlanned, remember, unreadPaths, withKnown } from "./merge.ts";
export { standing } from "./status.ts";

/** What is kept of an object that is shown nowhere, while that does not prove it gone; undefined where it does. */
export const unshown = ({ shownBy }: Resource, held: Held): Held | undefined =>
  shownBy === undefined ? undefined : { ...held, values: { ...held.values, [shownBy]: null } };

/**
 * What is kept of an object that exists but was not seen whole: what its create asked for, and its id. What is to be
 * sent later is not kept, so that the next run sends it, but for what a new one is that nobody sees; nor is what
 * protects it, since it holds no data yet.
 */
export function halfMade(
  resource: Resource,
  inputs: Values,
  region: string,
  known: { readonly id?: string | undefined; readonly task?: string | undefined },
): Held {
  const fill = (fields: Fields, given: Values): Values => {
    const values = emptyRecord();
    for (const [name, field] of Object.entries(fields)) {
      const own = given[name] ?? null;
      values[name] = field.kind === "group" && isRecord(own) ? fill(field.fields, own) : own;
    }
    return values;
  };
  const values = fill(resource.fields, inputs);
  const localFields = Object.keys(resource.fields).filter((name) => isLocal(resource.fields[name] as Field));
  for (const name of localFields) values[name] = null;
  const unseen = (resource.unseen ?? {}) as Values;
  for (const name of laterFields(resource.fields)) values[name] = unseen[name] ?? null;
  if (resource.regional !== false) values.region = region;
  return { id: known.id, task: known.id === undefined ? known.task : undefined, values, unread: [] };
}
