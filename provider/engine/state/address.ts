import type { Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";

/** Where one object is found: id, region, parents. */
export type Address = { readonly id: string; readonly region: string } & {
  readonly [parent: string]: string;
};

/** The address of an id, with the parents that the values name. */
export function addressOf(resource: Resource, id: string, region: string, values: Values): Address {
  const parents = (resource.parents ?? []).map((name) => [name, String(values[name])]);
  return { ...Object.fromEntries(parents), id, region };
}

/** The id that the values of an object are, where one of its fields is its id. */
export function idIn({ idField }: Resource, values: Values): string | undefined {
  const id = idField === undefined ? undefined : values[idField];
  return typeof id === "string" ? id : undefined;
}

/** The address after an update: where a field is the id, what it was changed to. */
export const addressAfterUpdate = (resource: Resource, address: Address, inputs: Values): Address => ({
  ...address,
  id: idIn(resource, inputs) ?? address.id,
});

/** What one listing is of: a region, and what stands there above the objects that it shows. */
export function scopeOf({ parents = [], listedIn = parents }: Resource, address: Address) {
  const above = listedIn.map((name) => [name, address[name]]);
  return { ...Object.fromEntries(above), region: address.region };
}

/** Names the place that an object is listed in. */
export const scopeKey = (resource: Resource, address: Address): string =>
  JSON.stringify([resource.name, scopeOf(resource, address)]);
