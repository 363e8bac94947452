import type { Held } from "../../core/error.ts";
import { nameable } from "../../core/krn.ts";
import type { Values } from "../../core/value.ts";
import { verbInputs } from "../../definition/check.ts";
import type { Fields, Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import type { Operation } from "../operation.ts";
import { type Address, addressOf, idIn, isToldOnce, listing, observe, scopeKey } from "../state/current.ts";
import { waitFor } from "../wait/waiter.ts";

/**
 * Seconds for which a conflict may be the echo of what was just done itself (reliability 4.3): it mostly means what it
 * says.
 */
export const echoSeconds = 5;

/** A create under way: what is asked for, and where. */
export interface Making {
  readonly operation: Operation;
  readonly inputs: Values;
  readonly region: string;
}

/** Stands for the object that has no id yet, by its name. */
export const nameless = ({ operation: { resource }, inputs, region }: Making): Address =>
  addressOf(resource, idIn(resource, inputs) ?? `name ${String(inputs.name)}`, region, inputs);

/**
 * Every object beside the new one; none where no listing would show it. A search that fails is not an empty one, and
 * throws. Creates of other names may share it; after one of this name it begins anew.
 */
export async function siblings(making: Making, after: number): Promise<Row<Fields>[]> {
  const { operation, inputs } = making;
  if (!isListed(operation)) return [];
  const address = nameless(making);
  if (operation.resource.idField === undefined) return (await listing(operation, address, after)) ?? [];
  const seen = await observe(operation, address, after, inputs);
  return seen === undefined ? [] : [{ ...seen, id: address.id } as unknown as Row<Fields>];
}

/** Whether a listing shows what was just made. */
export const isListed = ({ resource: { verbs, shownBy } }: Operation): boolean =>
  verbs.list !== undefined && shownBy === undefined;

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

const scopeOf = ({ operation: { resource }, inputs, region }: Making): string =>
  scopeKey(resource, addressOf(resource, "", region, inputs));

/** Two creates of the same object at once would not find each other by search: the second one ends here. */
export function claim(making: Making): () => void {
  const { operation, inputs } = making;
  const { resource, session } = operation;
  const scope = scopeOf(making);
  const under = session.making.get(scope) ?? new Set();
  session.making.set(scope, under);
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
 * Searches until what was not there `before` shows itself, for at most so many seconds (reliability 3.3). Undefined
 * when nothing does. Several of them, or one whose id is masked, cannot be told apart: all are the answer then.
 */
export async function settle(
  making: Making,
  before: readonly Row<Fields>[],
  seconds: number,
): Promise<readonly Row<Fields>[]> {
  const { operation, inputs } = making;
  const { session, resource } = operation;
  if (!isListed(operation)) return [];
  const { clock } = session.ports;
  const until = clock.monotonic() + seconds * 1000;
  const old = new Set([...before.map(({ id }) => id), ...session.buried]);
  // What is told once cannot be told from one whose answer is still to come, as this one's is not any more.
  const others = isToldOnce(resource) ? session.making.get(scopeOf(making)) : undefined;
  others?.delete(inputs);
  const still = "no clear answer; searching for what was made";
  operation.report(still);
  return waitFor(operation, `${resource.name} settled`, async (after) => {
    // An answer may be long on its way: what counts is when it was asked for.
    const asked = clock.monotonic();
    if (others !== undefined && others.size > 0 && asked < until) return { still };
    const rows = await siblings(making, after);
    // What is told once has no name: whatever is new may be it, but for what this process made beside it.
    const like = isToldOnce(resource)
      ? rows.filter(({ id }) => !session.made.has(id))
      : matching(resource, rows, inputs);
    const fresh = like.filter(({ id }) => !old.has(id));
    const shown = fresh.some(({ id }) => id !== "");
    return shown || asked >= until ? { done: fresh } : { still };
  });
}

/** The id of the one object found; undefined where there is none, several, or one that nobody can name. */
export function only(found: readonly Row<Fields>[]): string | undefined {
  const [row] = found;
  return found.length > 1 ? undefined : nameable(row?.id);
}

/** Everything of the name of a half-made object. */
export const namesakes = async (operation: Operation, held: Held, region: string): Promise<Row<Fields>[]> => {
  const making = { operation, inputs: held.values, region };
  const rows = await siblings(making, operation.session.listings.mark());
  return matching(operation.resource, rows, held.values);
};
