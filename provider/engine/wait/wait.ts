import { FailedError } from "../../core/error.ts";
import type { Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Operation } from "../operation.ts";
import type { Address } from "../state/state.ts";
import { driftedFields, listingKey, readCurrent, statusOf } from "../state/state.ts";
import { type Poll, waitFor } from "./waiter.ts";

export { isLastPoll, type Poll, waitFor } from "./waiter.ts";

/** A word nobody knows is tolerated so often, each time so long after the last. */
const unknownWords = 3;
const unknownMs = 2_000;
const visibleMs = 120_000;
/** How long a ready object may still show other values. A change in place can take its time without a word of it. */
const settledMs = { made: 60_000, changed: 300_000 };

/**
 * Waits until an object is there, ready, and shows what it was asked to be, also of what was `changed`: that may have
 * been taken away. A failed state ends the wait; a word nobody knows does when it has been seen four times, and is named; absence
 * counts as "not yet" for two minutes (docs/contract.md#17.1). What no source shows is taken to be as it was asked to
 * be, and for the rest as it `stood`.
 */
export async function waitUntilReady(
  operation: Operation,
  address: Address,
  inputs: Values,
  changed?: ReadonlySet<string>,
  stood: Values = {},
): Promise<Values> {
  const { resource, session } = operation;
  const { clock } = session.ports;
  const began = clock.monotonic();
  const { notReadable } = resource as { readonly notReadable?: Values };
  const mine = notReadable === undefined ? inputs : { ...notReadable, ...stood, ...inputs };
  let strange: number[] = [];
  let readySince: number | undefined;
  const expects = changed === undefined ? "made" : "changed";
  const look = async (after: number): Promise<Poll<Values>> => {
    const seen = await readCurrent(operation, address, after, mine);
    if (seen === undefined) {
      if (notReadable !== undefined) return { done: mine };
      if (clock.monotonic() - began > visibleMs)
        throw new FailedError("the cloud does not show it after 120 s");
      return { still: "not visible yet" };
    }
    const { at, word } = statusOf(resource, seen);
    if (at === "failed") throw failureOf(operation, seen);
    const now = clock.monotonic();
    if (at !== "unknown") strange = [];
    else if (now - (strange.at(-1) ?? Number.NEGATIVE_INFINITY) >= unknownMs) strange.push(now);
    if (strange.length > unknownWords)
      throw new FailedError(`the cloud reports it as ${word}, a word that is not known here`);
    if (at !== "ready") return { still: word };
    readySince ??= clock.monotonic();
    const other = driftedFields(resource.fields, seen, inputs, changed);
    if (other.length === 0) return { done: seen };
    if (clock.monotonic() - readySince > settledMs[expects])
      throw new FailedError(
        `the cloud shows another ${other.join(", ")} than was asked for${notAppliedHints(resource, other)}`,
      );
    return { still: `${word}, ${other.join(", ")} not as asked yet` };
  };
  return waitFor(operation, `${resource.name} ${expects}`, look, listingKey(resource, address));
}

/** What may be wrong with fields that do not show what they should. */
const notAppliedHints = ({ fields }: Resource, names: readonly string[]): string =>
  names
    .flatMap((name) => {
      const field = fields[name];
      return (field?.kind === "field" && field.options.notAppliedHint) || [];
    })
    .map((doubt) => `; ${doubt}`)
    .join("");

/** What the cloud says of an object that stands failed. */
export function failureOf({ resource, session }: Operation, seen: Values): FailedError {
  const why = seen[resource.lifecycle?.reason ?? ""];
  const words = typeof why === "string" && why !== "" ? `: ${session.redact(why)}` : "";
  return new FailedError(`the cloud reports it as ${statusOf(resource, seen).word}${words}`, seen);
}
