import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import type { Resource } from "../definition/resource.ts";
import { membersOf } from "../definition/shape.ts";
import type { Session } from "../engine/engine.ts";

/**
 * Returns the import id if the engine asks to read an object that is not in the stack (`import`, `get`), with the
 * properties that a `get` passes; `undefined` for a stored state, which has every required field and every default.
 */
export function importIdOf(resource: Resource, { id = "", values }: ResourceState): string | undefined {
  const members = Object.entries(membersOf(resource.fields));
  const isStored = members.every(
    ([name, { required, default: standIn }]) => values[name] !== null || !(required || standIn !== undefined),
  );
  if (id.includes(",")) return id;
  if (isStored) return undefined;
  const parents = (resource.parents ?? []).map((parent) => values[parent]);
  const region = typeof values.region === "string" ? [values.region] : [];
  return parents.every((parent) => typeof parent === "string") ? [...region, ...parents, id].join(",") : id;
}

/** Returns the `region` input of an imported object: none in the provider's own region. */
export const regionInput = ({ values: { region = null } }: ResourceState, { settings }: Session): Values =>
  region === null || region === settings.region ? {} : { region };
