import type { Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";

/** Location of one object: its id, region and parents. */
export type Address = { readonly id: string; readonly region: string } & {
  readonly [parent: string]: string;
};

/** Returns the address of an id, with the parents from the values. */
export function addressOf(resource: Resource, id: string, region: string, values: Values): Address {
  const parents = (resource.parents ?? []).map((name) => [name, String(values[name])]);
  return { ...Object.fromEntries(parents), id, region };
}

/** Returns the id from the values, if a field of the resource is its id; otherwise undefined. */
export function idIn({ idField }: Pick<Resource, "idField">, values: Values): string | undefined {
  const id = idField === undefined ? undefined : values[idField];
  return typeof id === "string" ? id : undefined;
}

/** Returns the address after an update, which may change a field that is the id. */
export const addressAfterUpdate = (resource: Resource, address: Address, inputs: Values): Address => ({
  ...address,
  id: idIn(resource, inputs) ?? address.id,
});

/** Returns the key of an object, unique across all kinds. */
export const addressKey = ({ name }: Resource, address: Address): string => JSON.stringify([name, address]);

/** Returns the key of the scope in which an object is listed: its kind, region, and the parents that the listing covers. */
export const scopeKey = ({ name, parents = [], listedIn = parents }: Resource, address: Address): string =>
  JSON.stringify([name, address.region, ...listedIn.map((parent) => address[parent] ?? null)]);
