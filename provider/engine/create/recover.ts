import { completeId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { verbInputs } from "../../definition/check.ts";
import type { Fields } from "../../definition/field.ts";
import { hasShownOnce, type Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { type Operation, regionIfNotDefault } from "../operation.ts";
import { candidates, importCommand, importId } from "../remediation.ts";
import { type Address, addressOf, idIn, listExisting, readCurrent, scopeKey } from "../state/state.ts";
import { waitFor } from "../wait/wait.ts";

/** What a create does where nobody knows what it made: it searches, and says what may exist. */

export const mayExist = { is: "may exist" } as const;

/** The id of what was made, by search alone. */
export async function recoverId(
  making: CreateContext,
  before: readonly Row<Fields>[],
  seconds: number,
  cause?: unknown,
): Promise<string> {
  const found = await findCreated(making, before, seconds);
  if (found.length > 0) return pickCreated(making, found, cause);
  const { operation } = making;
  const step = isListed(operation)
    ? "no clear answer came, and a search finds nothing new"
    : operation.resource.visibleThrough === undefined
      ? "no clear answer came, and the cloud lists nothing of this kind"
      : "no clear answer came, and no search shows what is only half made";
  throw operation.failed(step, mayExist, searchHint(making), undefined, cause);
}

/** The one of these that can be ours. */
export function pickCreated(making: CreateContext, found: readonly Row<Fields>[], cause: unknown): string {
  const { operation, inputs, region } = making;
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
      several ? `Import the one that is meant: ${candidates(found, nameOf)}` : searchHint(making),
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

/** How to look for what may exist. */
export function searchHint({ operation, inputs, region }: CreateContext, look = "Look"): string {
  const { resource, session } = operation;
  // Nobody can look for it, and unattached it does nothing (docs/reliability.md#3.5).
  if (resource.visibleThrough !== undefined)
    return "Run again, which makes another; if this one was made, it is attached to nothing and without effect";
  if (resource.notReadable !== undefined)
    return "Look for it where the cloud shows it; if it is there, remove it there before the next run, which makes another";
  if (hasShownOnce(resource))
    return `${look} for it in the cloud; if it is there, delete it there, since what its answer told is lost; then run again, which makes another`;
  const id = importId(resource, ownId(resource, inputs), inputs, regionIfNotDefault(session, region));
  return `${look} for it in the cloud; if it is there, import it (${importCommand(resource, id)}) before the next run, or set adopt_existing`;
}

/** What an import finds it by, where that alone is enough; else a place for its id. */
function ownId({ importedBy = [] }: Resource, inputs: Values): string {
  const [field, ...more] = importedBy;
  const value = field === undefined || more.length > 0 ? undefined : inputs[field];
  return typeof value === "string" ? value : "ID";
}

/** A create under way: what is asked for, and where. */
export interface CreateContext {
  readonly operation: Operation;
  readonly inputs: Values;
  readonly region: string;
}

/** Stands for the object that has no id yet, by its name. */
export const placeholderAddress = ({ operation: { resource }, inputs, region }: CreateContext): Address =>
  addressOf(resource, idIn(resource, inputs) ?? `name ${String(inputs.name)}`, region, inputs);

/**
 * Every object beside the new one; none where no listing would show it. A search that fails is not an empty one, and
 * throws. Creates of other names may share it; after one of this name it begins anew.
 */
export async function existingRows(making: CreateContext, after: number): Promise<Row<Fields>[]> {
  const { operation, inputs } = making;
  if (!isListed(operation)) return [];
  const address = placeholderAddress(making);
  if (operation.resource.idField === undefined) return (await listExisting(operation, address, after)) ?? [];
  const seen = await readCurrent(operation, address, after, inputs);
  return seen === undefined ? [] : [{ ...seen, id: address.id } as unknown as Row<Fields>];
}

/** Whether a listing shows what was just made. */
export const isListed = ({ resource: { verbs, visibleThrough } }: Operation): boolean =>
  verbs.list !== undefined && visibleThrough === undefined;

/** Whether a row could be what these inputs make. */
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

/** Two creates of the same object at once would not find each other by search: the second one ends here. */
export function claim(making: CreateContext): () => void {
  const { operation, inputs } = making;
  const { resource, session } = operation;
  const scope = scopeOf(making);
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

/** The rows that could be it, each once: pages that shift while they are read show one twice. */
export function matching(resource: Resource, rows: readonly Row<Fields>[], inputs: Values): Row<Fields>[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    if (seen.has(row.id) || !matches(resource, row, inputs)) return false;
    if (row.id !== "") seen.add(row.id);
    return true;
  });
}

/**
 * Searches until what was not there `before` shows itself, for at most so many seconds (docs/reliability.md#3.3).
 * Undefined when nothing does. Several of them, or one whose id is masked, cannot be told apart: all are the answer
 * then.
 */
export async function findCreated(
  making: CreateContext,
  before: readonly Row<Fields>[],
  seconds: number,
): Promise<readonly Row<Fields>[]> {
  const { operation, inputs } = making;
  const { session, resource } = operation;
  if (!isListed(operation)) return [];
  const { clock } = session.ports;
  const until = clock.monotonic() + seconds * 1000;
  const old = new Set([...before.map(({ id }) => id), ...session.goneIds]);
  // What is told once cannot be told from one whose answer is still to come, as this one's is not any more.
  const others = hasShownOnce(resource) ? session.creating.get(scopeOf(making)) : undefined;
  others?.delete(inputs);
  const still = "no clear answer; searching for what was made";
  operation.report(still);
  return waitFor(operation, `${resource.name} settled`, async (after) => {
    // An answer may be long on its way: what counts is when it was asked for.
    const asked = clock.monotonic();
    if (others !== undefined && others.size > 0 && asked < until) return { still };
    const rows = await existingRows(making, after);
    // What is told once has no name: whatever is new may be it, but for what this process made beside it.
    const like = hasShownOnce(resource)
      ? rows.filter(({ id }) => !session.createdAt.has(id))
      : matching(resource, rows, inputs);
    const fresh = like.filter(({ id }) => !old.has(id));
    const shown = fresh.some(({ id }) => id !== "");
    return shown || asked >= until ? { done: fresh } : { still };
  });
}

/** The id of the one object found; undefined where there is none, several, or one that nobody can name. */
export function onlyId(found: readonly Row<Fields>[]): string | undefined {
  const [row] = found;
  return found.length > 1 ? undefined : completeId(row?.id);
}

/** Everything of the name of a half-made object. */
export const sameNamed = async (
  operation: Operation,
  held: ResourceState,
  region: string,
): Promise<Row<Fields>[]> => {
  const making = { operation, inputs: held.values, region };
  const rows = await existingRows(making, operation.session.listings.mark());
  return matching(operation.resource, rows, held.values);
};
