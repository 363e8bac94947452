import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { type ImportTarget, joinImportId } from "../definition/import-id.ts";
import type { Resource } from "../definition/resource.ts";
import { membersOf } from "../definition/shape.ts";
import type { Session } from "../engine/engine.ts";

/**
 * Returns the object to import if the engine requests a read of an object outside the stack (`import`, `get`), with the
 * properties of a `get`. Returns undefined for a stored state, which has every required field and every default. The id
 * of a stored state is never split: it may contain commas.
 */
export function importIdOf(
  resource: Resource,
  { id = "", values }: ResourceState,
): string | ImportTarget | undefined {
  const members = Object.entries(membersOf(resource.fields));
  const isStored = members.every(
    ([name, { required, default: standard }]) =>
      values[name] !== null || !(required || standard !== undefined),
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
    return {
      id,
      region,
      values: Object.fromEntries(names.map((name, index) => [name, parents[index] ?? null])),
    };
  // The id of other kinds may already be encoded as part of an import id.
  const idPart = resource.idField === undefined ? id : joinImportId([id]);
  return [
    ...(region === undefined ? [] : [region]),
    ...parents.map((parent) => joinImportId([parent])),
    idPart,
  ].join(",");
}

/** Returns the `region` input of an imported object; empty in the region of the provider. */
export const regionInput = ({ values: { region = null } }: ResourceState, { settings }: Session): Values =>
  region === null || region === settings.region ? {} : { region };
