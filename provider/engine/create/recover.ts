import type { OperationError } from "../../core/error.ts";
import { completeId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { attribute } from "../../core/wording.ts";
import { verbInputs } from "../../definition/check.ts";
import type { Fields } from "../../definition/field.ts";
import { hasShownOnce, type Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { type Operation, regionIfNotDefault } from "../operation.ts";
import { candidates, importCommand, importId } from "../remediation.ts";
import { type Address, addressOf, idIn, listExisting, readCurrent, scopeKey } from "../state/state.ts";
import { waitFor } from "../wait/wait.ts";

/** Finds the object of a create whose response was lost, or reports that it may exist. */

export const mayExist = { is: "may exist" } as const;
/** Existence and remedy after a metered request: neither a read nor a listing shows its result. */
const mayBeBilled = { is: "may be billed" } as const;
const billedAgain = "Run again, which sends it, and is billed for it, once more";

/**
 * Returns the id of the created object by search alone. Throws an error with existence "may exist" if none is found.
 */
export async function recoverId(
  context: CreateContext,
  before: readonly Row<Fields>[],
  seconds: number,
  cause?: unknown,
): Promise<string> {
  const found = await findCreated(context, before, seconds);
  if (found.length > 0) return pickCreated(context, found, cause);
  const { operation } = context;
  const step = isListed(operation)
    ? "no clear answer came, and a search finds nothing new"
    : operation.resource.visibleThrough === undefined
      ? "no clear answer came, and the cloud lists nothing of this kind"
      : "no clear answer came, and no search shows what is only half made";
  throw unknownOutcome(context, step, cause);
}

/** Returns the error of a create whose request may have been executed, and whose object no search found. */
export function unknownOutcome(context: CreateContext, step: string, cause: unknown): OperationError {
  const { operation } = context;
  const isMetered = operation.resource.billed !== undefined && !isListed(operation);
  return isMetered
    ? operation.failed(step, mayBeBilled, billedAgain, undefined, cause)
    : operation.failed(step, mayExist, searchHint(context), undefined, cause);
}

/**
 * Returns the id of the one object found. Throws if several match, if the id is masked, or if the lost response
 * contained a secret that is shown once.
 */
export function pickCreated(context: CreateContext, found: readonly Row<Fields>[], cause: unknown): string {
  const { operation, inputs, region } = context;
  const { resource, session } = operation;
  const id = onlyId(found);
  const nameOf = (id: string) => importId(resource, id, inputs, regionIfNotDefault(session, region));
  if (hasShownOnce(resource))
    throw operation.failed(
      "what its answer alone tells is lost",
      mayExist,
      `Delete what was made in vain: ${candidates(found, nameOf)}, unless somebody else made it; then run again, which makes another`,
      undefined,
      cause,
    );
  if (id === undefined) {
    const several = found.length > 1;
    throw operation.failed(
      several ? "several new objects match" : "it is listed without an id, or with a masked one",
      mayExist,
      several ? `Import the one that is meant: ${candidates(found, nameOf)}` : searchHint(context),
      undefined,
      cause,
    );
  }
  operation.warn(
    "An unclear answer was settled by search",
    `${operation.subject} was found as ${id} and is taken as the one just made.`,
  );
  return id;
}

/** Returns the remedy for an object that may exist. */
export function searchHint({ operation, inputs, region }: CreateContext, look = "Look"): string {
  const { resource, session } = operation;
  // No listing shows it, and unattached it has no effect (docs/reliability.md#3.5).
  if (resource.visibleThrough !== undefined)
    return "Run again, which makes another; if this one was made, it is attached to nothing and without effect";
  if (resource.notReadable !== undefined)
    return "Look for it where the cloud shows it; if it is there, remove it there before the next run, which makes another";
  if (hasShownOnce(resource))
    return `${look} for it in the cloud; if it is there, delete it there, since what its answer told is lost; then run again, which makes another`;
  const id = importId(resource, ownId(resource, inputs), inputs, regionIfNotDefault(session, region));
  return `${look} for it in the cloud; if it is there, import it (${importCommand(resource, id)}) before the next run, or set ${attribute("adoptExisting")}`;
}

/** Returns the value that alone identifies the object to an import, or the placeholder `ID`. */
function ownId({ importedBy = [] }: Resource, inputs: Values): string {
  const [field, ...more] = importedBy;
  const value = field === undefined || more.length > 0 ? undefined : inputs[field];
  return typeof value === "string" ? value : "ID";
}

/** A create in progress. */
export interface CreateContext {
  readonly operation: Operation;
  readonly inputs: Values;
  readonly region: string;
}

/** Returns the address of an object that has no id yet, by its name. */
export const placeholderAddress = ({ operation: { resource }, inputs, region }: CreateContext): Address =>
  addressOf(resource, idIn(resource, inputs) ?? `name ${String(inputs.name)}`, region, inputs);

/**
 * Lists the objects of the scope; empty if no listing would show the new one. Throws if the listing fails. Creates of
 * other names may share the listing; one of the same name needs a later one.
 */
export async function existingRows(context: CreateContext, after: number): Promise<Row<Fields>[]> {
  const { operation, inputs } = context;
  if (!isListed(operation)) return [];
  const address = placeholderAddress(context);
  if (operation.resource.idField === undefined) return (await listExisting(operation, address, after)) ?? [];
  const seen = await readCurrent(operation, address, after, inputs);
  return seen === undefined ? [] : [{ ...seen, id: address.id } as unknown as Row<Fields>];
}

/** Returns true if a listing shows a new object. */
export const isListed = ({ resource: { verbs, visibleThrough } }: Operation): boolean =>
  verbs.list !== undefined && visibleThrough === undefined;

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

const scopeOf = ({ operation: { resource }, inputs, region }: CreateContext): string =>
  scopeKey(resource, addressOf(resource, "", region, inputs));

/**
 * Registers the create and returns the function that releases it. Throws if this process is already creating the same
 * object: neither search would find the other one's object.
 */
export function claim(context: CreateContext): () => void {
  const { operation, inputs } = context;
  const { resource, session } = operation;
  const scope = scopeOf(context);
  const under = session.creating.get(scope) ?? new Set();
  session.creating.set(scope, under);
  const row = (values: Values) => ({ ...values, id: "" }) as unknown as Row<Fields>;
  if ([...under].some((other) => matches(resource, row(other), inputs)))
    throw operation.failed(
      "another one of that name is being made in this run",
      { is: "nothing created" },
      "Give each of them a name of its own, or remove one",
    );
  under.add(inputs);
  return () => under.delete(inputs);
}

/** Returns the matching rows, each id once: pages that shift while they are read repeat a row. */
export function matching(resource: Resource, rows: readonly Row<Fields>[], inputs: Values): Row<Fields>[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    if (seen.has(row.id) || !matches(resource, row, inputs)) return false;
    if (row.id !== "") seen.add(row.id);
    return true;
  });
}

/**
 * Searches for at most `seconds` until a matching object appears that is not in `before` (docs/reliability.md#3.3).
 * Returns all of them: with several, or with a masked id, the created object cannot be identified.
 */
export async function findCreated(
  context: CreateContext,
  before: readonly Row<Fields>[],
  seconds: number,
): Promise<readonly Row<Fields>[]> {
  const { operation, inputs } = context;
  const { session, resource } = operation;
  if (!isListed(operation)) return [];
  const { clock } = session.ports;
  const until = clock.monotonic() + seconds * 1000;
  const old = new Set([...before.map(({ id }) => id), ...session.goneIds]);
  // An object with a show-once secret has no name: while other creates are pending, a new row may be theirs.
  const others = hasShownOnce(resource) ? session.creating.get(scopeOf(context)) : undefined;
  others?.delete(inputs);
  const still = "no clear answer; searching for what was made";
  operation.report(still);
  return waitFor(operation, `${resource.name} settled`, async (after) => {
    // A slow response counts by the time of its request.
    const asked = clock.monotonic();
    if (others !== undefined && others.size > 0 && asked < until) return { still };
    const rows = await existingRows(context, after);
    // Without a name, any new row may be it, except those that this process has created.
    const like = hasShownOnce(resource)
      ? rows.filter(({ id }) => !session.createdAt.has(id))
      : matching(resource, rows, inputs);
    const fresh = like.filter(({ id }) => !old.has(id));
    const shown = fresh.some(({ id }) => id !== "");
    return shown || asked >= until ? { done: fresh } : { still };
  });
}

/** Returns the id if exactly one object was found and its id is complete. */
export function onlyId(found: readonly Row<Fields>[]): string | undefined {
  const [row] = found;
  return found.length > 1 ? undefined : completeId(row?.id);
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
