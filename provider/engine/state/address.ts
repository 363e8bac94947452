import { plainId, uuidIn } from "../../core/krn.ts";
import type { Values } from "../../core/value.ts";
import { hasFreeId, idIn, listingParents, type Resource } from "../../definition/resource.ts";

/** Location of one object: its id, region and parents. */
export type Address = { readonly id: string; readonly region: string } & {
  readonly [parent: string]: string;
};

/** Returns the address of an id, with the parents from the values. */
export function addressOf(resource: Resource, id: string, region: string, values: Values): Address {
  const parents = (resource.parents ?? []).map((name) => [name, String(values[name])]);
  return { ...Object.fromEntries(parents), id, region };
}

/** Returns the address after an update, which may change a field that is the id. */
export const addressAfterUpdate = (resource: Resource, address: Address, inputs: Values): Address => ({
  ...address,
  id: idIn(resource, inputs) ?? address.id,
});

/**
 * Returns the key of an object, unique across all kinds and equal for all spellings of its id: a UUID that the API chose
 * identifies the object alone, any other id together with region and parents.
 */
export function addressKey(resource: Resource, { id, region, ...parents }: Address): string {
  const last = hasFreeId(resource) ? id : plainId(id);
  return (
    keyOfId(resource, id) ??
    JSON.stringify([resource.name, region.toLowerCase(), ...Object.values(parents).map(plainId), last])
  );
}

/** Returns the key of an object whose id alone identifies it, as the API chose its UUID; otherwise undefined. */
export function keyOfId(resource: Resource, id: string): string | undefined {
  const uuid = hasFreeId(resource) ? undefined : uuidIn(id);
  return uuid === undefined ? undefined : keyOf(resource.name, uuid);
}

/** Returns the key of an object whose id the API chose and contains a UUID. */
export const uuidKey = (kind: string, id: string): string => keyOf(kind, plainId(id));

const keyOf = (kind: string, uuid: string): string => `${kind} ${uuid}`;

/** Returns the key of the scope in which an object is listed: its kind, region, and the parents that the listing covers. */
export const scopeKey = (resource: Resource, address: Address): string =>
  JSON.stringify([
    resource.name,
    address.region.toLowerCase(),
    ...listingParents(resource).map((parent) => plainId(address[parent] ?? "")),
  ]);
