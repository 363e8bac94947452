import { mayBeSameId } from "../core/krn.ts";
import type { ResourceState } from "../core/state.ts";
import { equal, type Value, type Values } from "../core/value.ts";
import { engineNames, wording } from "../core/wording.ts";
import { computedWith } from "../definition/field.ts";
import type { Poll } from "../definition/function.ts";
import type { Resource } from "../definition/resource.ts";
import { readCurrent } from "./existence/current.ts";
import type { Operation } from "./operation.ts";
import type { Address } from "./state/address.ts";
import { waitFor } from "./wait/waiter.ts";

/** Comparison of an object with the recorded one, for ids that the user or a parent determines (`sameBy`). */

/**
 * Returns true if a read shows the object of the state, judged by the fields in `sameBy`. Somebody else may have created
 * another object of the same name meanwhile.
 */
export const isRecorded = ({ sameBy = [] }: Resource, observed: Values, recorded: Values): boolean =>
  sameBy.every(
    (name) => (recorded[name] ?? null) !== null && equal(observed[name] ?? null, recorded[name] ?? null),
  );

/** Returns true if a read shows another object than that of the state; a value that either of them masks may be equal. */
const isAnother = ({ sameBy = [] }: Resource, observed: Values, recorded: Values): boolean =>
  sameBy.some((name) => {
    const [a, b] = [observed[name] ?? null, recorded[name] ?? null];
    return !(typeof a === "string" && typeof b === "string"
      ? mayBeSameId(a, b)
      : equal(a as Value, b as Value));
  });

/** Number of consecutive reads without the object after which it counts as absent. */
const missesBeforeAbsent = 2;

/**
 * Reads an object before the first request that changes or deletes it. Returns true if it is the recorded one, and false if no
 * read shows it, or if the state has no values of `sameBy` to compare, as that of an unfinished create. Throws
 * `OperationError` for another object: somebody else stored other content or created another object under its id. A response
 * that lacks one of the values is read once more.
 */
export async function requireRecorded(
  operation: Operation,
  address: Address,
  { values }: ResourceState,
): Promise<boolean> {
  const { resource, session } = operation;
  const { sameBy = [] } = resource;
  if (sameBy.length === 0 || sameBy.some((name) => (values[name] ?? null) === null)) return false;
  let isIncomplete = false;
  let misses = 0;
  const found = await waitFor(
    operation,
    `${resource.name} read`,
    async (): Promise<Poll<"recorded" | "other" | "absent">> => {
      const observed = await readCurrent(operation, address, {
        after: session.listings.mark(),
        known: values,
      });
      if (observed === undefined) {
        misses += 1;
        return misses < missesBeforeAbsent ? { pending: "the object is not shown" } : { done: "absent" };
      }
      if (!isAnother(resource, observed, values)) return { done: "recorded" };
      if (isIncomplete || sameBy.every((name) => (observed[name] ?? null) !== null)) return { done: "other" };
      isIncomplete = true;
      return { pending: "the response is incomplete" };
    },
  );
  if (found !== "other") return found === "recorded";
  throw operation.failed(
    wording`the object was changed or replaced outside of ${engineNames} after it was last read`,
    { is: "nothing changed" },
    ["refresh", "run-again"],
  );
}

/**
 * Returns the values of the state after changes of an object that no read had shown before them. A value of `sameBy` that only
 * a change of the id explains stays the recorded one, so that the next refresh compares it: the object may be another one.
 */
export function withRecordedIdentity(
  { fields, idField = "", sameBy = [] }: Resource,
  values: Values,
  prior: Values,
  changed: ReadonlySet<string>,
): Values {
  const others = new Set([...changed].filter((name) => name !== idField));
  const explained = computedWith(fields, others);
  const unexplained = sameBy.filter((name) => !explained.includes(name) && (prior[name] ?? null) !== null);
  return { ...values, ...Object.fromEntries(unexplained.map((name) => [name, prior[name] ?? null])) };
}
