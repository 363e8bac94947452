import { comparable, sameId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import { parseZonedTime } from "../../core/time.ts";
import type { Values } from "../../core/value.ts";
import type { RequestTracker } from "../../definition/api.ts";
import type { Fields } from "../../definition/field.ts";
import { idIn, listsNew, type Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import type { Operation } from "../operation.ts";
import { ever } from "../shared-listing.ts";
import { type Address, addressOf, listExisting, readCurrent, scopeKey } from "../state/state.ts";

/** Finds existing objects that match the inputs of a create. */

/** A create in progress. */
export interface CreateContext {
  readonly operation: Operation;
  readonly inputs: Values;
  readonly region: string;
  /** Record of the create request; missing if this operation sends none. */
  readonly tracker?: RequestTracker;
}

/** Returns an address for an object that has no id yet; its name is the id. */
export const placeholderAddress = ({ operation: { resource }, inputs, region }: CreateContext): Address =>
  addressOf(resource, idIn(resource, inputs) ?? `name ${String(inputs.name)}`, region, inputs);

/**
 * Lists the objects of the scope; empty if no listing would show the new object. Throws if the listing fails. Creates of
 * other names may share the listing.
 *
 * @param since monotonic time in ms before which the listing must not have begun
 */
export async function existingRows(
  context: CreateContext,
  after: number,
  since?: number,
): Promise<Row<Fields>[]> {
  const { operation, inputs } = context;
  if (!isListed(context)) return [];
  const address = placeholderAddress(context);
  if (operation.resource.idField === undefined)
    return (await listExisting(operation, address, after, since)) ?? [];
  const seen = await readCurrent(operation, address, after, inputs, since);
  return seen === undefined ? [] : [{ ...seen, id: address.id } as unknown as Row<Fields>];
}

/**
 * Lists the objects that exist before the create request. A shared listing is used if all its rows have creation times, as
 * a later search can then exclude objects older than the request; otherwise a new listing.
 */
export async function rowsBefore(context: CreateContext): Promise<Row<Fields>[]> {
  const { resource, session } = context.operation;
  const began = session.ports.clock.monotonic();
  if (resource.idField === undefined && session.serverClock.known() !== undefined) {
    const rows = await existingRows(context, ever);
    if (areDated(rows)) return rows;
  }
  return existingRows(context, ever, began);
}

/** Returns the creation time in ms since 1970; undefined if it is missing, has no time zone or has an unknown format. */
export const createdAtOf = ({ createdAt }: Row<Fields>): number | undefined =>
  typeof createdAt === "string" ? parseZonedTime(createdAt) : undefined;

/** Tolerance in ms for a created object that seems older than its request: clocks and headers are inexact. */
export const clockToleranceMs = 2_000;

/** Results of `areDated` by list: creates that share a listing get the same list. */
const dated = new WeakMap<readonly Row<Fields>[], boolean>();

/** Returns true if there are rows and all have a creation time. */
export function areDated(rows: readonly Row<Fields>[]): boolean {
  const are = dated.get(rows) ?? (rows.length > 0 && rows.every((row) => createdAtOf(row) !== undefined));
  dated.set(rows, are);
  return are;
}

/** Returns true if a new object is visible in a listing, or by a read with the id that the user chose. */
export const isListed = ({
  operation: { resource },
  inputs,
}: Pick<CreateContext, "operation" | "inputs">): boolean =>
  listsNew(resource) || idIn(resource, inputs) !== undefined;

/** Returns true if a row can be the object created from these inputs. */
export function matches(resource: Resource, row: Row<Fields>, inputs: Values): boolean {
  if (resource.verbs.matches !== undefined) return resource.verbs.matches(row, verbInputs(inputs));
  const requestedId = idIn(resource, inputs);
  if (requestedId !== undefined) return sameId(row.id, requestedId);
  const { name } = row as unknown as Values;
  return (
    typeof name === "string" &&
    typeof inputs.name === "string" &&
    name.normalize() === inputs.name.normalize()
  );
}

/** Returns true for a row without a name, if objects of its kind have names. */
export const isUnnamed = ({ fields }: Resource, row: Row<Fields>): boolean =>
  fields.name !== undefined && !(row as unknown as Values).name;

/**
 * Returns true if a row without an id may be the object that has these values: their names match or the row has no name, and no
 * creation times differ.
 */
export function isListedWithoutId(resource: Resource, rows: readonly Row<Fields>[], values: Values): boolean {
  const recorded = createdAtOf({ createdAt: values.createdAt } as Row<Fields>) ?? Number.NaN;
  return rows.some((row) => {
    // The difference is NaN if one of the times is not known.
    const isOther = Math.abs((createdAtOf(row) ?? Number.NaN) - recorded) > clockToleranceMs;
    return row.id === "" && (isUnnamed(resource, row) || matches(resource, row, values)) && !isOther;
  });
}

/** Returns the matching rows, each id once: a row is repeated if it moves to another page during the listing. */
export function matching(resource: Resource, rows: readonly Row<Fields>[], inputs: Values): Row<Fields>[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    if (!matches(resource, row, inputs)) return false;
    const id = comparable(row.id);
    if (seen.has(id)) return false;
    if (id !== "") seen.add(id);
    return true;
  });
}

/** Returns the rows that match a partial state. */
export const sameNamed = async (
  operation: Operation,
  state: ResourceState,
  region: string,
): Promise<Row<Fields>[]> => {
  const context = { operation, inputs: state.values, region };
  const rows = await existingRows(context, operation.session.listings.mark());
  return matching(operation.resource, rows, state.values);
};

const scopeOf = ({ operation: { resource }, inputs, region }: CreateContext): string =>
  scopeKey(resource, addressOf(resource, "", region, inputs));

/** Returns the objects of the scope that this process removed from the state without a delete; a listing may lag. */
export const retained = (context: CreateContext): Row<Fields>[] =>
  [...context.operation.session.retained]
    .filter(([, { scope }]) => scope === scopeOf(context))
    .map(([id, { values }]) => ({ ...values, id }) as unknown as Row<Fields>);

/** Returns the inputs of the creates that are running in the scope. */
export const runningCreates = (context: CreateContext): Set<Values> => {
  const { creating } = context.operation.session;
  const scope = scopeOf(context);
  const running = creating.get(scope) ?? new Set();
  creating.set(scope, running);
  return running;
};

/**
 * Registers the create and returns a function that unregisters it. Throws `OperationError` if this process is already
 * creating the same object: the search of neither create would find the object of the other.
 */
export function claim(context: CreateContext): () => void {
  const { operation, inputs } = context;
  const running = runningCreates(context);
  const row = (values: Values) => ({ ...values, id: "" }) as unknown as Row<Fields>;
  const isNamed = Object.hasOwn(operation.resource.fields, "name");
  if ([...running].some((other) => matches(operation.resource, row(other), inputs)))
    throw operation.failed(
      isNamed
        ? "another resource of this run is creating an object with this name"
        : "another resource of this run is creating an object with these values",
      { is: "nothing created" },
      [...(isNamed ? (["choose-other-name"] as const) : []), "remove-duplicate"],
    );
  running.add(inputs);
  return () => running.delete(inputs);
}
