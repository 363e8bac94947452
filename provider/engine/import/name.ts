import { namesOf } from "../../core/candidate.ts";
import { comparable, isMasked, isUuid, mayBeSameId, sameId } from "../../core/krn.ts";
import { plural, term } from "../../core/name.ts";
import type { GivenRemedy } from "../../core/remedy.ts";
import { didYouMean, labelOf, nearest, sameText } from "../../core/string.ts";
import type { Values } from "../../core/value.ts";
import { attribute, joinTexts, type Text, wording } from "../../core/wording.ts";
import type { Fields } from "../../definition/field.ts";
import { type ImportTarget, importableFields, referenceOf } from "../../definition/import-id.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { listExisting } from "../existence/current.ts";
import type { Operation } from "../operation.ts";
import { importIdIn, importOneOf } from "../remediation.ts";
import { addressOf } from "../state/address.ts";

/** Resolves an import id that contains a name or another field of the object instead of its id. */

/**
 * Returns the id of the object to import: a full id unchanged, any other value by a search in the listing of its scope.
 * Throws `OperationError` if not exactly one object matches.
 */
export async function resolveImportId(
  operation: Operation,
  imported: ImportTarget,
  region: string,
): Promise<string> {
  const { resource, session } = operation;
  const { id: requested, values } = imported;
  const names = importableFields(resource);
  if (resource.idField !== undefined) return requested;
  if (requested.startsWith("krn:") && names.every((name) => referenceOf(resource, name) === undefined))
    return requested;
  const listed = await listExisting(
    operation,
    addressOf(resource, "", region, values),
    session.listings.mark(),
  );
  if (listed === undefined) return requested;
  const rows = listed.filter((row) => isBelow(resource, row, values));
  const byId = rows.filter(({ id, task }) => sameId(id, requested) || task === requested);
  const byName = rows.filter((row) => names.some((name) => isNamed(resource, name, row, requested)));
  const matching = byId.length > 0 ? byId : byName;
  // An object with several parents may be listed once with each of them.
  const found = [...new Map(matching.map((row) => [comparable(row.id), row])).values()];
  return requireOneRow(operation, imported, region, { all: rows, found });
}

/** Returns the id of the only match. Throws `OperationError` for none, for several, and for a masked id. */
function requireOneRow(
  { resource, session, failed }: Operation,
  { id: requested, values }: ImportTarget,
  region: string,
  { all, found }: { readonly all: readonly Row<Fields>[]; readonly found: readonly Row<Fields>[] },
): string {
  const refuse = (step: Text, remedy: GivenRemedy) => failed(step, { is: "nothing changed" }, [remedy]);
  const nameOf = (id: string) => importIdIn(session, resource, { id, values, region });
  const above = (resource.parents ?? []).map((name) => values[name]).join(", ");
  const place = `${above && ` of ${above}`}${region && ` in ${region}`}`;
  const known = wording`the ${joinTexts(["ID", ...importableFields(resource).map(attribute)], " or ")} ${JSON.stringify(requested)}`;
  const [row] = found;
  if (row === undefined)
    throw refuse(
      wording`no ${term(resource.name)}${place} has ${known}${didYouMean(nearest(requested, namesOf(all as never)))} (${all.length} listed)${all.length > 0 ? "" : nameInPlaceOfId(resource, values)}`,
      all.length > 0
        ? { code: "choose-one-of", labels: all.map(({ id, name }: Values) => labelOf(String(id), name)) }
        : "check-id",
    );
  if (found.length > 1)
    throw refuse(
      wording`${found.length} ${term(plural(resource.name))}${place} have ${known}`,
      importOneOf(resource, found, nameOf),
    );
  if (isMasked(row.id))
    throw refuse(wording`a listing shows the object that has ${known} with a masked ID`, {
      code: "import-by-full-id",
      resource: resource.name,
      importId: nameOf("ID"),
    });
  // A listed object may have no id yet.
  return row.id || requested;
}

/** Returns the end of a sentence on the parents that a user may have given by name; empty if there are none. */
function nameInPlaceOfId(resource: Resource, values: Values): Text {
  for (const field of resource.parents ?? []) {
    const kind = referenceOf(resource, field);
    const value = String(values[field]);
    if (kind !== undefined && !value.startsWith("krn:") && !isUuid(value))
      return wording`; ${attribute(field)} ${JSON.stringify(value)} looks like a name: it must be the ID of the ${term(kind)}`;
  }
  return "";
}

/**
 * Returns true if a row belongs to all the parents that it contains: a listing may also contain objects of other parents.
 */
const isBelow = ({ parents = [] }: Resource, row: Values, values: Values): boolean =>
  parents.every((name) => typeof row[name] !== "string" || mayBeSameId(row[name], String(values[name])));

function isNamed(resource: Resource, name: string, row: Values, requested: string): boolean {
  const shown = row[name];
  if (typeof shown !== "string") return false;
  return referenceOf(resource, name) === undefined
    ? sameText(shown, requested)
    : mayBeSameId(shown, requested);
}
