import { quoted } from "../client/client.ts";
import { comparable, idProblem } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import type { ImportTarget } from "../definition/import-id.ts";
import { listExisting, rowAsState } from "./existence/current.ts";
import { importedState } from "./import/import.ts";
import type { Operation } from "./operation.ts";
import { regionFor } from "./region.ts";
import { addressOf } from "./state/address.ts";
import { withOwnTags } from "./state/default-tags.ts";

/** Object of a listing, with the values that an import of it needs. */
export interface Listed extends ImportTarget {
  /** Name of the object for the user, or its id if the listing shows no name. */
  readonly name: string;
  /** Complete state, if the listing shows everything; otherwise a read is needed. */
  readonly state?: ResourceState;
  /** Reason why the object cannot be imported, such as a masked or empty id, as the end of a sentence about the id. */
  readonly problem?: string;
}

/** Lists every object of a scope with one listing that begins after the call. */
export async function listObjects(operation: Operation, scope: Values): Promise<Listed[]> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, scope);
  const rows = await listExisting(operation, addressOf(resource, "", region, scope), session.listings.mark());
  if (rows === undefined) throw new TypeError(`a ${resource.name} cannot be listed`);
  // An object with several parents may be listed once with each of them.
  const once = [...new Map(rows.toReversed().map((row) => [comparable(row.id), row])).values()].toReversed();
  return once.map((row) => {
    const { id, name, ...shown } = row as { id: string } & Values;
    const parents: Values = Object.fromEntries(
      (resource.parents ?? []).map((parent) => [parent, scope[parent] ?? shown[parent] ?? null]),
    );
    const problem = idProblem(id, resource.name);
    const whole = rowAsState(resource, row, parents);
    const observed = whole && withOwnTags(resource, whole, {}, session.settings);
    return {
      id,
      region,
      values: parents,
      name: quoted(typeof name === "string" && name !== "" ? name : id, session.redact),
      ...(observed === undefined
        ? {}
        : { state: importedState(resource, id, { ...parents, ...observed, region }) }),
      ...(problem === undefined ? {} : { problem }),
    };
  });
}
