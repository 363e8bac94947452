import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { type ImportTarget, joinImportId } from "../definition/import-id.ts";
import type { Resource } from "../definition/resource.ts";
import { membersOf } from "../definition/shape.ts";
import type { Session } from "../engine/engine.ts";

/**
 * Returns the object to import if the engine asks to read one that is not in the stack (`import`, `get`), with the
 * properties that a `get` passes; `undefined` for a stored state, which has every required field and every default. The
 * id of a stored state is never taken apart: that of an object is its key, which may contain commas.
 */
export function importIdOf(
  resource: Resource,
  { id = "", values }: ResourceState,
): string | ImportTarget | undefined {
  const members = Object.entries(membersOf(resource.fields));
  const isStored = members.every(
    ([name, { required, default: standIn }]) => values[name] !== null || !(required || standIn !== undefined),
  );
  if (isStored) return undefined;
  const names = resource.parents ?? [];
  const parents = names.map((parent) => values[parent]);
  const region = typeof values.region === "string" ? values.region : undefined;
  if (!parents.every((parent) => typeof parent === "string")) return id;
  const place = joinImportId(parents);
  const isWhole = [place, `${region},${place}`].some((start) => id.startsWith(`${start},`));
  if (id.includes(",") && (resource.idField === undefined || isWhole)) return id;
  if (id.includes(","))
    return { id, region, values: Object.fromEntries(names.map((name, at) => [name, parents[at] ?? null])) };
  // The id of other kinds may be written as part of an import id already.
  const own = resource.idField === undefined ? id : joinImportId([id]);
  return [
    ...(region === undefined ? [] : [region]),
    ...parents.map((parent) => joinImportId([parent])),
    own,
  ].join(",");
}

/** Returns the `region` input of an imported object: none in the provider's own region. */
export const regionInput = ({ values: { region = null } }: ResourceState, { settings }: Session): Values =>
  region === null || region === settings.region ? {} : { region };
