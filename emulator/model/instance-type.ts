import { Refusal } from "../http/wire.ts";
import { uuidOf } from "../state/id.ts";
import type { Resource } from "../state/store.ts";
import { type Flavor, flavors } from "./catalogue.ts";
import { type Cloud, existing } from "./cloud.ts";

/** Instance type of an inventory, in addition to those of the catalogue. */
export type InstanceType = Resource & Pick<Flavor, "cpus" | "memory" | "cost" | "type">;

const instanceTypeModel = (cloud: Cloud) => cloud.store.model<InstanceType>("instance_type");

/** Returns all instance types; one of the inventory replaces that of the catalogue with the same name. */
export function allFlavors(cloud: Cloud): Flavor[] {
  const added = existing(cloud, instanceTypeModel(cloud).all());
  const names = new Set(added.map(({ name }) => name));
  return [
    ...flavors.filter(({ name }) => !names.has(name)),
    ...added.map(({ krn, name, cpus, memory, cost, type }) => ({
      ...{ name, uuid: uuidOf(krn), cpus, memory, cost, type },
    })),
  ];
}

/** Returns the instance type of a name; 404 with the list of the existing ones. */
export function requireFlavor(cloud: Cloud, name: string): Flavor {
  const all = allFlavors(cloud);
  const flavor = all.find((candidate) => candidate.name === name);
  if (flavor) return flavor;
  const names = all.map((candidate) => candidate.name).join(", ");
  throw new Refusal(404, `instance type ${name} not found; there are ${names}`);
}
