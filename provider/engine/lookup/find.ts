import { type Candidates, requireOne } from "../../core/candidate.ts";
import { InputError } from "../../core/error.ts";
import { comparable, idProblem, sameId } from "../../core/krn.ts";
import { term } from "../../core/name.ts";
import { equalsIgnoreCase, labelOf } from "../../core/string.ts";
import type { Value, Values } from "../../core/value.ts";
import { sameValue } from "../../definition/equality.ts";
import type { Field } from "../../definition/field.ts";
import { idKind } from "../../definition/import-id.ts";
import { listingParents, type Resource } from "../../definition/resource.ts";
import { listExisting, readCurrent, rowAsState } from "../existence/current.ts";
import type { Operation, Work } from "../operation.ts";
import { describeObject } from "../remediation.ts";
import { ever } from "../shared-listing.ts";
import { type Address, addressOf, scopeKey } from "../state/address.ts";
import { completed, missingFields } from "../state/compare.ts";
import { withAllTags } from "../state/default-tags.ts";
import { choices, hasAlwaysValue, rowFields, shownFields } from "./answer.ts";

/** Finds objects for lookups, which share the listings of reads. */

/** Scope and inputs of a lookup. */
export interface LookupRequest {
  readonly work: Work;
  readonly region: string;
  readonly inputs: Values;
}

const operationOn = (resource: Resource, work: Work): Operation => ({
  ...work,
  resource,
  verb: "list",
  subject: `the ${term(resource.name)}`,
  warn: (warning) => work.warnOf(describeObject({ kind: resource.name }), warning),
});

const pick = (names: Iterable<string>, from: Values): Values =>
  Object.fromEntries([...names].map((name) => [name, from[name] ?? null]));

/** Returns the filter fields that the inputs set, without the scope and the id. */
const wanted = (resource: Resource, inputs: Values) =>
  choices(resource).filter(([name]) => inputs[name] !== undefined);

/**
 * Lists the scope. Lists again if a response lacks an id or a value that every complete response contains.
 */
async function listWhole(resource: Resource, { region, inputs, work }: LookupRequest): Promise<Values[]> {
  const { listings } = work.session;
  const address = addressOf(resource, "", region, inputs);
  const list = async (after: number) =>
    (await listExisting(operationOn(resource, work), address, after)) as unknown as Values[];
  const rows = await list(listings.lastWrite(scopeKey(resource, address)));
  const fields = rowFields(resource);
  if (rows.every((row) => row.id !== "" && missingFields(fields, row, {}).length === 0)) return rows;
  const before = new Map(rows.map((row) => [comparable(String(row.id)), row]));
  const later = await list(listings.mark());
  return later.map((row) =>
    row.id === "" ? row : completed(fields, before.get(comparable(String(row.id))) ?? {}, row),
  );
}

/**
 * Returns the rows of the scope and those that match the inputs, from a listing that began after the last write in the
 * scope.
 */
async function rowsOf(resource: Resource, request: LookupRequest): Promise<Candidates<Values>> {
  const { inputs } = request;
  const all = await listWhole(resource, request);
  const filters = wanted(resource, inputs);
  const hasValues = (row: Values) =>
    filters.every(([name, field]) => {
      const [shown, wanted]: Value[] = [row[name] ?? null, inputs[name] ?? null];
      return name === resource.lifecycle?.field
        ? equalsIgnoreCase(String(shown), String(wanted))
        : sameValue(field, shown ?? null, wanted ?? null);
    });
  const hasId = ({ id }: Values) => inputs.id === undefined || sameId(String(id), String(inputs.id));
  return { all, matching: all.filter((row) => hasId(row) && hasValues(row)) };
}

/** Returns every matching object, with the fields that the listing shows. */
export async function findAll(resource: Resource, request: LookupRequest): Promise<Values[]> {
  const { matching } = await rowsOf(resource, request);
  return matching.map((row) => pick(["id", ...Object.keys(rowFields(resource))], row));
}

/** Returns the only object that matches the id or the other inputs. Throws `InputError` for none and for several. */
export async function findOne(resource: Resource, request: LookupRequest): Promise<Values> {
  const { region, work, inputs } = request;
  const { parents = [] } = resource;
  // The id is enough if all parents are given; otherwise only the listing shows them.
  const listed = inputs.id === undefined || listingParents(resource).length < parents.length;
  const row = listed ? only(resource, inputs, await rowsOf(resource, request)) : undefined;
  const id = String(inputs.id ?? row?.id);
  const place = pick(parents, { ...row, ...inputs });
  const observed =
    (row && rowAsState(resource, row as never, place)) ??
    (await readWhole(resource, work, addressOf(resource, id, region, place), place));
  if (observed === undefined)
    throw refused(
      "id",
      `no ${term(resource.name)} has the ID ${id}${region && ` in ${region}`}`,
      `No matching ${term(resource.name)}`,
    );
  // A lookup returns every tag, including the provider's; inputs keep their spelling.
  const shown = withAllTags(resource, observed, { defaultTags: {} });
  return { ...pick(Object.keys(shownFields(resource)), { ...shown, ...place }), ...inputs, id };
}

/** Reads one object. Reads again if the response lacks a value that every object has. */
async function readWhole(
  resource: Resource,
  work: Work,
  address: Address,
  place: Values,
): Promise<Values | undefined> {
  const operation = operationOn(resource, work);
  const fields = shownFields(resource);
  const observed = await readCurrent(operation, address, { after: ever, known: place });
  if (observed === undefined) return undefined;
  const isNull = ([name, field]: [string, Field]) =>
    hasAlwaysValue(field) && (observed[name] ?? null) === null;
  if (!Object.entries(fields).some(isNull) && missingFields(fields, observed, {}).length === 0)
    return observed;
  const later = await readCurrent(operation, address, { after: work.session.listings.mark(), known: place });
  return later === undefined ? observed : completed(fields, observed, later);
}

const refused = (name: string, problem: string, title?: string) =>
  new InputError([{ path: [name], problem, ...(title && { title }) }]);

/** Returns the only matching row. Throws `InputError` for none, for several, and for an invalid or masked id. */
function only(resource: Resource, inputs: Values, rows: Candidates<Values>): Values {
  const names = wanted(resource, inputs).map(([name]) => name);
  const filters = [...new Set(["name", ...names])].filter((name) => name in inputs);
  const values = Object.fromEntries(filters.map((name) => [name, inputs[name]]));
  const row = requireOne(resource.name, values, rows, ({ id, name }) => labelOf(String(id), name));
  const wrong = idProblem(String(row.id ?? ""), idKind(resource));
  if (wrong !== undefined) throw refused(filters[0] ?? "id", `the ID of the matching object ${wrong}`);
  return row;
}
