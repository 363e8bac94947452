import { quoted } from "../client/client.ts";
import { comparable, idProblem } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import { type ImportTarget, idKind } from "../definition/import-id.ts";
import { hasFreeId, type Resource } from "../definition/resource.ts";
import { listExisting, rowAsState } from "./existence/current.ts";
import { createdAtOf } from "./existence/row.ts";
import { importedState } from "./import/import.ts";
import type { Operation } from "./operation.ts";
import { regionFor } from "./region.ts";
import { addressOf } from "./state/address.ts";
import { missingFields } from "./state/compare.ts";
import { withOwnTags } from "./state/default-tags.ts";

/** Object of a listing, with the values that an import of it needs. */
export interface Listed extends ImportTarget {
  /** Name of the object for the user, or its id if the listing shows no name. */
  readonly name: string;
  /** Complete state, if the listing shows everything; otherwise a read is needed. */
  readonly state?: ResourceState;
  /**
   * State with the values of the listing only, if `state` is missing but the listing shows every value that a configuration
   * needs.
   */
  readonly partial?: ResourceState;
  /** Time of the create in ms since 1970, if the listing shows one. */
  readonly createdAt?: number;
  /** True if the listing shows the object twice with the same parents: it may lack another object. */
  readonly isRepeated?: true;
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
  const places = new Map(rows.map((row) => [row, placeOf(resource, row as unknown as Values)]));
  const repeated = new Set(
    [...Map.groupBy(rows, (row) => places.get(row))].flatMap(([, same]) =>
      same.length > 1 ? same.map(({ id }) => id) : [],
    ),
  );
  return once.map((row) => {
    const { id, name, ...shown } = row as { id: string } & Values;
    const parents: Values = Object.fromEntries(
      (resource.parents ?? []).map((parent) => [parent, scope[parent] ?? shown[parent] ?? null]),
    );
    const problem = hasFreeId(resource) ? undefined : idProblem(id, idKind(resource));
    const createdAt = createdAtOf(row);
    const whole = rowAsState(resource, row, parents);
    const stateOf = (values: Values) => {
      const observed = withOwnTags(resource, values, {}, session.settings);
      return importedState(resource, id, { ...parents, ...observed, region });
    };
    return {
      id,
      region,
      values: parents,
      name: quoted(typeof name === "string" && name !== "" ? name : id, session.redact),
      ...(whole !== undefined && { state: stateOf(whole) }),
      ...(whole === undefined &&
        isConfigurable(resource, { ...parents, ...(row as object), region }) && {
          partial: stateOf(row as unknown as Values),
        }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(repeated.has(id) && { isRepeated: true as const }),
      ...(problem === undefined ? {} : { problem }),
    };
  });
}

/** Returns the key of a row by its id and its parents. */
const placeOf = ({ parents = [] }: Resource, row: Values): string =>
  JSON.stringify([row.id ?? null, ...parents.map((parent) => row[parent] ?? null)]);

/** Returns true if a row has a value for every field that a configuration needs, and the candidates of groups. */
const isConfigurable = ({ fields }: Resource, shown: Values): boolean =>
  missingFields(fields, shown, {}).length === 0 &&
  Object.values(fields).every(
    ({ kind, options }) =>
      kind !== "group" || !("candidates" in options) || shown[String(options.candidates)] !== undefined,
  );
