import { idProblem } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import type { ImportTarget } from "../definition/import-id.ts";
import { importedState } from "./import/import.ts";
import { type Operation, regionFor } from "./operation.ts";
import { addressOf, listExisting, rowAsState, withOwnTags } from "./state/state.ts";

/** An object that a listing shows; with what it holds here, an import takes it up. */
export interface Listed extends ImportTarget {
  /** What to call it: its name, or its id where it has none. */
  readonly name: string;
  /** All of it, where the listing shows all; else a read of it does. */
  readonly state?: ResourceState;
  /** Why nobody can take it up: its id is masked, or none. The end of a sentence about the id. */
  readonly problem?: string;
}

/** Every object of a scope, by one listing that begins now. */
export async function listObjects(operation: Operation, scope: Values): Promise<Listed[]> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, scope.region);
  const rows = await listExisting(operation, addressOf(resource, "", region, scope), session.listings.mark());
  if (rows === undefined) throw new TypeError(`a ${resource.name} cannot be listed`);
  // What hangs on several things may be listed with each of them.
  const once = [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed();
  return once.map((row) => {
    const { id, name, ...shown } = row as { id: string } & Values;
    const parents: Values = Object.fromEntries(
      (resource.parents ?? []).map((parent) => [parent, scope[parent] ?? shown[parent] ?? null]),
    );
    const problem = idProblem(id, resource.name);
    const whole = rowAsState(resource, row, parents);
    const seen = whole && withOwnTags(resource, whole, {}, session.settings);
    return {
      id,
      region,
      values: parents,
      name: typeof name === "string" && name !== "" ? name : id,
      ...(seen === undefined ? {} : { state: importedState(resource, id, { ...parents, ...seen, region }) }),
      ...(problem === undefined ? {} : { problem }),
    };
  });
}
