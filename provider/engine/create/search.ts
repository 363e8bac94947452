import { isNotFound } from "../../core/error.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { RequestTracker } from "../../definition/api.ts";
import type { Fields } from "../../definition/field.ts";
import type { Poll } from "../../definition/function.ts";
import { idIn, type Work } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import { isCancelled } from "../cancel.ts";
import { hasShownAnother, isKnownGone } from "../existence/absence.ts";
import { ageOf, createdHere, freshMs, settleMs } from "../existence/age.ts";
import { listExisting, readCurrent } from "../existence/current.ts";
import { areDated, matches, matching, rowOf } from "../existence/row.ts";
import { visibilityOf } from "../existence/visibility.ts";
import { untilLeft } from "../leaving.ts";
import type { Operation } from "../operation.ts";
import type { Session } from "../session.ts";
import { ever } from "../shared-listing.ts";
import { type Address, addressOf, scopeKey } from "../state/address.ts";
import { withAllTags } from "../state/default-tags.ts";
import { waitFor } from "../wait/waiter.ts";

/** The search before a create, for existing objects that match its inputs. */

/** A create in progress. */
export interface CreateContext {
  readonly operation: Operation;
  readonly inputs: Values;
  readonly region: string;
  /** Record of the create request; missing if this operation sends none. */
  readonly tracker?: RequestTracker;
  /** Rows that were listed before the request. */
  readonly before: readonly Row<Fields>[];
}

/** Returns the address of an object with this id. */
export const addressIn = ({ operation: { resource }, inputs, region }: CreateContext, id: string): Address =>
  addressOf(resource, id, region, inputs);

/** Returns an address for an object that has no id yet; its name is the id. */
export const placeholderAddress = (context: CreateContext): Address =>
  addressIn(
    context,
    idIn(context.operation.resource, context.inputs) ?? `name ${String(context.inputs.name)}`,
  );

/** Returns the arguments of the verbs that create an object and find what a create conflicts with. */
export function callOf({ operation, inputs, region, tracker }: CreateContext) {
  const { resource, session } = operation;
  const sent = withAllTags(resource, inputs, session.settings);
  return { api: operation.api(region, tracker), region, inputs: verbInputs(sent) };
}

/** Result of the search before a create. */
interface Existing {
  /** Rows of the scope. */
  readonly before: readonly Row<Fields>[];
  /** Those that match the inputs. */
  readonly same: readonly Row<Fields>[];
}

/** Searches for existing objects. Waits first while this run deletes or renames one of the name. */
export async function searchBefore(context: CreateContext): Promise<Existing> {
  await untilNameLeft(context);
  const existing = await listBefore(context);
  if (!isLeftSoon(context, existing.same)) return existing;
  await untilNameLeft(context, existing.same);
  return listBefore(context);
}

async function listBefore(context: CreateContext): Promise<Existing> {
  const { resource } = context.operation;
  const before = await afterParents(context, () => rowsBefore(context));
  return { before, same: await withoutGone(context, matching(resource, before, context.inputs)) };
}

/**
 * Returns true if existing objects may leave their name: the create does not adopt them, or another resource of the configuration
 * has one of them until this run deletes, replaces or renames it.
 */
const isLeftSoon = ({ operation }: CreateContext, rows: readonly Row<Fields>[]): boolean =>
  rows.length > 0 &&
  (!operation.session.settings.adoptExisting ||
    rows.some(({ id }) => operation.holderOf?.(id) === "leaving"));

/** Waits while this run deletes or renames an object with the name; `rows` are the existing objects of that name. */
export const untilNameLeft = (context: CreateContext, rows: readonly Row<Fields>[] = []): Promise<boolean> =>
  untilLeft(
    context.operation,
    placeholderAddress(context),
    ({ id, values }) => matches(context.operation.resource, rowOf(id, values), context.inputs),
    rows.map(({ id }) => id),
  );

/**
 * Sends a request that contains ids of other objects. Retries after a 404 while one of them is fresh, as the API may not show
 * that one yet: a request with a 404 was not executed.
 */
export async function afterParents<T>(
  { operation, inputs }: CreateContext,
  send: () => Promise<T>,
): Promise<T> {
  const { session, signal } = operation;
  for (let pause = 500; ; pause = Math.min(8_000, pause * 2)) {
    try {
      return await send();
    } catch (error) {
      if (!isNotFound(error) || !namesFresh(session, inputs)) throw error;
      operation.report(error.reason);
      await session.ports.clock.sleep(pause, signal);
    }
  }
}

/** Returns true if the inputs name an object that this process created a moment ago. */
export const namesFresh = (session: Session, inputs: Values): boolean =>
  Object.values(inputs)
    .flat()
    .some((value) => typeof value === "string" && ageOf(session, createdHere(session, value)) <= freshMs);

/**
 * Lists the objects that exist before the create request. A shared listing is used if all its rows have creation times, as
 * a later search can then exclude objects older than the request; otherwise a new listing.
 */
async function rowsBefore(context: CreateContext): Promise<Row<Fields>[]> {
  const { resource, session } = context.operation;
  const began = session.ports.clock.monotonic();
  if (resource.idField === undefined && session.serverClock.known() !== undefined) {
    const rows = await existingRows(context, ever);
    if (areDated(rows)) return rows;
  }
  return existingRows(context, ever, began);
}

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
  const observed = await readCurrent(operation, address, { after, known: inputs, since });
  return observed === undefined ? [] : [rowOf(address.id, observed)];
}

/** Returns true if a new object is visible in a listing, or by a read with the id that the user chose. */
export const isListed = ({
  operation: { resource },
  inputs,
}: Pick<CreateContext, "operation" | "inputs">): boolean =>
  visibilityOf(resource).isNewListed || idIn(resource, inputs) !== undefined;

/**
 * Returns the rows without objects that this process deleted, which a late listing may show, and without cancelled work,
 * which listings show for an unknown time (docs/contract.md#12).
 */
async function withoutGone(
  context: CreateContext,
  rows: readonly Row<Fields>[],
): Promise<readonly Row<Fields>[]> {
  const { operation } = context;
  const { resource } = operation;
  if (resource.idField !== undefined) return rows;
  const existing = rows.filter(({ id }) => !isKnownGone(operation, addressIn(context, id)));
  if (resource.work === undefined) return existing;
  const running: Row<Fields>[] = [];
  for (const row of existing) if (await isRunning(context, resource.work, row)) running.push(row);
  return running;
}

/**
 * Returns true if listed work was not cancelled. A gateway may have sent a 404: a 404 counts if the route has shown another
 * object in this run, or after `settle_seconds` (docs/reliability.md#3.9).
 */
function isRunning(context: CreateContext, work: Work<string>, { id }: Row<Fields>): Promise<boolean> {
  const { operation, inputs } = context;
  const { clock } = operation.session.ports;
  const address = addressIn(context, id);
  const until = clock.monotonic() + settleMs(operation.session);
  return waitFor(operation, `${operation.resource.name} found`, async (after): Promise<Poll<boolean>> => {
    const observed = await readCurrent(operation, address, { after, known: inputs });
    if (observed !== undefined) return { done: !isCancelled(work, observed) };
    const isGone = hasShownAnother(operation, address) || clock.monotonic() >= until;
    return isGone
      ? { done: false }
      : { pending: "an object with this name is listed, but a read does not show it" };
  });
}

/** Returns the rows that match a partial state. */
export async function sameNamed(
  operation: Operation,
  state: ResourceState,
  region: string,
): Promise<Row<Fields>[]> {
  const context = { operation, inputs: state.values, region, before: [] };
  const rows = await existingRows(context, operation.session.listings.mark());
  return matching(operation.resource, rows, state.values);
}

const scopeOf = (context: CreateContext): string =>
  scopeKey(context.operation.resource, addressIn(context, ""));

/** Returns the objects of the scope that this process removed from the state without a delete; a listing may lag. */
export function retained(context: CreateContext): Row<Fields>[] {
  const scope = scopeOf(context);
  return [...context.operation.session.objects.retained]
    .filter(([, object]) => object.scope === scope)
    .map(([id, { values }]) => rowOf(id, values));
}

/** Returns the inputs of the creates that are running in the scope. */
export function runningCreates(context: CreateContext): Set<Values> {
  const { creating } = context.operation.session.running;
  const scope = scopeOf(context);
  const running = creating.get(scope) ?? new Set();
  creating.set(scope, running);
  return running;
}

/**
 * Registers the create and returns a function that unregisters it. Throws `OperationError` if this process is already
 * creating the same object: the search of neither create would find the object of the other.
 */
export function claim(context: CreateContext): () => void {
  const { operation, inputs } = context;
  const running = runningCreates(context);
  const isNamed = Object.hasOwn(operation.resource.fields, "name");
  if ([...running].some((other) => matches(operation.resource, rowOf("", other), inputs)))
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
