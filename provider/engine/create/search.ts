import type { ResourceState } from "../../core/state.ts";
import { parseZonedTime } from "../../core/time.ts";
import type { Values } from "../../core/value.ts";
import type { RequestTracker } from "../../definition/api.ts";
import { verbInputs } from "../../definition/check.ts";
import type { Fields } from "../../definition/field.ts";
import { listsNew, type Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import type { Operation } from "../operation.ts";
import { ever } from "../shared-listing.ts";
import { type Address, addressOf, idIn, listExisting, readCurrent, scopeKey } from "../state/state.ts";

/** Finds existing objects that match the inputs of a create. */

/** A create in progress. */
export interface CreateContext {
  readonly operation: Operation;
  readonly inputs: Values;
  readonly region: string;
  /** Record of the create request; missing if this operation sends none. */
  readonly tracker?: RequestTracker;
}

/** Returns the address of an object that has no id yet, by its name. */
export const placeholderAddress = ({ operation: { resource }, inputs, region }: CreateContext): Address =>
  addressOf(resource, idIn(resource, inputs) ?? `name ${String(inputs.name)}`, region, inputs);

/**
 * Lists the objects of the scope; empty if no listing would show the new one. Throws if the listing fails. Creates of
 * other names may share the listing; one of the same name needs a later one.
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
 * Lists what exists before the create request. Rows that show when they were created may come from a shared listing,
 * since a search can tell later which object is older than the request; any others come from a new one.
 */
export async function rowsBefore(context: CreateContext): Promise<Row<Fields>[]> {
  const { resource, session } = context.operation;
  const began = session.ports.clock.monotonic();
  if (resource.idField === undefined && session.serverClock.now() !== undefined) {
    const rows = await existingRows(context, ever);
    if (areDated(rows)) return rows;
  }
  return existingRows(context, ever, began);
}

/** Time of the create in ms since 1970; undefined if the row shows none, or one without a zone or of unknown form. */
export const createdAtOf = ({ createdAt }: Row<Fields>): number | undefined =>
  typeof createdAt === "string" ? parseZonedTime(createdAt) : undefined;

/** Returns true if there are rows, and all show when they were created. */
export const areDated = (rows: readonly Row<Fields>[]): boolean =>
  rows.length > 0 && rows.every((row) => createdAtOf(row) !== undefined);

/** Returns true if a listing, or a read by the id that the user chose, shows a new object. */
export const isListed = ({
  operation: { resource },
  inputs,
}: Pick<CreateContext, "operation" | "inputs">): boolean =>
  listsNew(resource) || idIn(resource, inputs) !== undefined;

/** Returns true if a row can be the object created from these inputs. */
export function matches(resource: Resource, row: Row<Fields>, inputs: Values): boolean {
  if (resource.verbs.matches !== undefined) return resource.verbs.matches(row, verbInputs(inputs));
  const { name } = row as unknown as Values;
  return (
    typeof name === "string" &&
    typeof inputs.name === "string" &&
    name.normalize() === inputs.name.normalize()
  );
}

/** Returns true if a row without an id may be the object that has these values. */
export const isListedWithoutId = (
  resource: Resource,
  rows: readonly Row<Fields>[],
  values: Values,
): boolean => rows.some((row) => row.id === "" && matches(resource, row, values));

/** Returns the matching rows, each id once: pages that shift while they are read repeat a row. */
export function matching(resource: Resource, rows: readonly Row<Fields>[], inputs: Values): Row<Fields>[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    if (seen.has(row.id) || !matches(resource, row, inputs)) return false;
    if (row.id !== "") seen.add(row.id);
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

/** Returns the objects of the scope that this process removed from the state without a delete; a listing may be late. */
export const retained = (context: CreateContext): Row<Fields>[] =>
  [...context.operation.session.retained]
    .filter(([, { scope }]) => scope === scopeOf(context))
    .map(([id, { values }]) => ({ ...values, id }) as unknown as Row<Fields>);

/** Returns the inputs of the creates that are running in the scope. */
export const runningCreates = (context: CreateContext): Set<Values> => {
  const { creating } = context.operation.session;
  const scope = scopeOf(context);
  const under = creating.get(scope) ?? new Set();
  creating.set(scope, under);
  return under;
};

/**
 * Registers the create and returns the function that releases it. Throws if this process is already creating the same
 * object: neither search would find the other one's object.
 */
export function claim(context: CreateContext): () => void {
  const { operation, inputs } = context;
  const under = runningCreates(context);
  const row = (values: Values) => ({ ...values, id: "" }) as unknown as Row<Fields>;
  if ([...under].some((other) => matches(operation.resource, row(other), inputs)))
    throw operation.failed(
      "another resource of this run is creating an object with this name",
      { is: "nothing created" },
      ["choose-other-name", "remove-duplicate"],
    );
  under.add(inputs);
  return () => under.delete(inputs);
}
