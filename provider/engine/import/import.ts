import { completeId, inOtherRegion } from "../../core/krn.ts";
import { term } from "../../core/name.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { attributes, wording } from "../../core/wording.ts";
import { checkIdentity, type ImportTarget, parseImportId } from "../../definition/import-id.ts";
import type { Resource } from "../../definition/resource.ts";
import { memberOf } from "../../definition/shape.ts";
import { readCurrent } from "../existence/current.ts";
import { visibilityOf } from "../existence/visibility.ts";
import type { Operation } from "../operation.ts";
import { regionFor } from "../region.ts";
import { ever } from "../shared-listing.ts";
import { addressOf } from "../state/address.ts";
import { completed, missingFields } from "../state/compare.ts";
import { mergeState, unreadPaths } from "../state/merge.ts";
import { resolveImportId } from "./name.ts";

/**
 * Imports an object by its import id or by an identity. A field that the API never returns is recorded as unread, with
 * its default as value.
 */
export async function importObject(
  operation: Operation,
  where: string | ImportTarget,
): Promise<ResourceState> {
  const { resource, session } = operation;
  if (resource.stateOnly)
    throw operation.failed(
      "an object of this kind exists in the state only, so there is nothing to import",
      { is: "nothing changed" },
      ["create-instead"],
    );
  const isIdentity = typeof where !== "string";
  if (isIdentity) checkIdentity(resource, where);
  const imported = isIdentity ? where : parseImportId(resource, where);
  const { region: importedRegion, values: parents } = imported;
  const importedObjectId = resource.idField === undefined ? imported.id : undefined;
  const region = regionFor(
    session,
    resource,
    { ...parents, region: importedRegion ?? null },
    importedObjectId,
  );
  const id = isIdentity ? where.id : await resolveImportId(operation, imported, region);
  const observed = await readCurrent(operation, addressOf(resource, id, region, parents), {
    after: ever,
    known: parents,
  });
  if (observed === undefined && !visibilityOf(resource).isReadable)
    throw operation.failed(
      `the API does not read objects of this kind, so ${id} cannot be imported`,
      { is: "nothing changed" },
      ["create-instead"],
    );
  if (observed === undefined)
    throw operation.failed(
      `no ${term(resource.name)} has the ID ${id} in ${region}`,
      { is: "nothing changed" },
      [inOtherRegion(id, region) ? "import-with-region" : "check-id"],
    );
  // The id from the API is stored if it is complete: the given id may have another form (docs/contract.md#17.3).
  const objectId = completeId(typeof observed.id === "string" ? observed.id : undefined) ?? id;
  const whole = completed(resource.fields, parents, { ...observed, region });
  const state = importedState(resource, objectId, whole);
  return { ...state, unread: [...state.unread, ...assumedFields(operation, whole, {})] };
}

/**
 * Returns the paths of fields with a default that the response lacks: their configured or default values are recorded, with
 * a warning. Throws `OperationError` if the response lacks a required field.
 */
export function assumedFields(operation: Operation, observed: Values, inputs: Values): string[] {
  const missing = missingFields(operation.resource.fields, observed, inputs);
  const needed = missing.filter(({ field }) => memberOf(field).required);
  if (needed.length > 0)
    throw operation.failed(
      wording`the API did not return its ${attributes(needed.map(({ path }) => path))}`,
      { is: "nothing changed" },
      ["run-again"],
    );
  if (missing.length > 0)
    operation.warn({
      code: "incomplete-assumed",
      subject: operation.subject,
      missing: missing.map(({ path }) => path),
    });
  return missing.map(({ path }) => path);
}

/**
 * Returns the state of an object that was read but not configured yet; `recorded` has the values of fields that the API
 * never returns.
 */
export function importedState(
  { fields }: Resource,
  id: string,
  observed: Values,
  recorded: Values = {},
): ResourceState {
  const values = mergeState(fields, observed, recorded, "defaults");
  const unread = unreadPaths(fields, values, recorded);
  const candidates = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const all =
        field.kind === "group" && values[name] === null ? observed[field.options.candidates ?? ""] : null;
      return Array.isArray(all) ? [[name, all]] : [];
    }),
  );
  const hasSome = Object.keys(candidates).length > 0;
  return { id, task: undefined, values, unread, ...(hasSome && { candidates }) };
}
