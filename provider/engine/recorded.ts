import { mayBeSameId } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import { equal, type Value, type Values } from "../core/value.ts";
import { engineNames } from "../core/wording.ts";
import type { Resource } from "../definition/resource.ts";
import type { Operation } from "./operation.ts";
import { type Address, readCurrent } from "./state/state.ts";
import { type Poll, waitFor } from "./wait/wait.ts";

/** Comparison of an object with the recorded one, for ids that the user or a parent determines (`sameBy`). */

/**
 * Returns true if a read shows the object of the state, judged by the fields in `sameBy`. Somebody else may have created
 * another object of the same name meanwhile.
 */
export const isRecorded = ({ sameBy = [] }: Resource, seen: Values, mine: Values): boolean =>
  sameBy.every((name) => (mine[name] ?? null) !== null && equal(seen[name] ?? null, mine[name] ?? null));

/** Returns true if a read shows another object than that of the state; a value that either of them masks may be equal. */
const isAnother = ({ sameBy = [] }: Resource, seen: Values, mine: Values): boolean =>
  sameBy.some((name) => {
    const [a, b] = [seen[name] ?? null, mine[name] ?? null];
    return !(typeof a === "string" && typeof b === "string"
      ? mayBeSameId(a, b)
      : equal(a as Value, b as Value));
  });

/**
 * Reads an object before the first request that changes or deletes it. Throws `OperationError` if it is not the recorded one:
 * somebody else stored other content or created another object under its id. A miss proves nothing, and a state without the
 * values of `sameBy`, as that of an unfinished create, is not compared. A response that lacks one is read once more.
 */
export async function requireRecorded(
  operation: Operation,
  address: Address,
  { values }: ResourceState,
): Promise<void> {
  const { resource, session } = operation;
  const { sameBy = [] } = resource;
  if (sameBy.length === 0 || sameBy.some((name) => (values[name] ?? null) === null)) return;
  let isIncomplete = false;
  const isSame = await waitFor(operation, `${resource.name} read`, async (): Promise<Poll<boolean>> => {
    const seen = await readCurrent(operation, address, session.listings.mark(), values);
    if (seen === undefined || !isAnother(resource, seen, values)) return { done: true };
    if (isIncomplete || sameBy.every((name) => (seen[name] ?? null) !== null)) return { done: false };
    isIncomplete = true;
    return { still: "the response is incomplete" };
  });
  if (isSame) return;
  throw operation.failed(
    `the object was changed or replaced outside of ${engineNames} after it was last read`,
    { is: "nothing changed" },
    ["refresh", "run-again"],
  );
}
