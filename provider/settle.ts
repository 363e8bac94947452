import { verbInputs } from "./check.ts";
import type { Fields, Resource } from "./define.ts";
import type { Held } from "./errors.ts";
import { nameable } from "./krn.ts";
import { type Address, addressOf, listing } from "./observe.ts";
import type { Operation } from "./operation.ts";
import type { Values } from "./value.ts";
import type { Row } from "./verb.ts";
import { waitFor } from "./wait.ts";

/** A create under way: what is asked for, and where. */
export interface Making {
  readonly operation: Operation;
  readonly inputs: Values;
  readonly region: string;
}

/** Stands for the object that has no id yet, by its name. */
export const nameless = ({ operation, inputs, region }: Making): Address =>
  addressOf(operation.resource, `name ${String(inputs.name)}`, region, inputs);

/**
 * Every object beside the new one; none where no listing would show it. A search that fails is not an empty one, and
 * throws. Creates of other names may share it; after one of this name it begins anew.
 */
export const siblings = async (making: Making, after: number): Promise<Row<Fields>[]> =>
  isListed(making.operation) ? ((await listing(making.operation, nameless(making), after)) ?? []) : [];

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
  const old = new Set(before.map(({ id }) => id));
  const still = "no clear answer; searching for what was made";
  operation.report(still);
  return waitFor(operation, `${resource.name} settled`, async (after) => {
    // An answer may be long on its way: what counts is when it was asked for.
    const asked = clock.monotonic();
    const rows = await siblings(making, after);
    const fresh = matching(resource, rows, inputs).filter(({ id }) => !old.has(id));
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
