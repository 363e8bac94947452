import { FailedError } from "./errors.ts";
import { type Address, differing, observe, standing } from "./observe.ts";
import type { Operation } from "./operation.ts";
import type { Values } from "./value.ts";
import { waitFor } from "./wait.ts";

const unknownWords = 3;
const visibleMs = 120_000;
/** How long a ready object may still show other values. A change in place can take its time without a word of it. */
const settledMs = { create: 60_000, update: 300_000 };

/**
 * Waits until an object is there, ready, and shows what it was asked to be, also of what was `removed`. A failed
 * state ends the wait; a word nobody knows does after three looks, and is named; absence counts as "not yet" for two
 * minutes (contract 17.1).
 */
export async function becomeReady(
  operation: Operation,
  address: Address,
  inputs: Values,
  removed?: ReadonlySet<string>,
): Promise<Values> {
  const { resource, session } = operation;
  const { clock } = session.ports;
  const began = clock.monotonic();
  let strange = 0;
  let readySince: number | undefined;
  return waitFor(operation, `${resource.name} ${operation.verb}`, async (after) => {
    const seen = await observe(operation, address, after, inputs);
    if (seen === undefined) {
      if (clock.monotonic() - began > visibleMs)
        throw new FailedError("the cloud does not show it after 120 s");
      return { still: "not visible yet" };
    }
    const { at, word } = standing(resource, seen);
    if (at === "failed") throw new FailedError(`the cloud reports it as ${word}`);
    strange = at === "unknown" ? strange + 1 : 0;
    if (strange > unknownWords)
      throw new FailedError(`the cloud reports it as ${word}, a word that is not known here`);
    if (at !== "ready") return { still: word };
    readySince ??= clock.monotonic();
    const other = differing(resource.fields, seen, inputs, removed);
    if (other.length === 0) return { done: seen };
    if (clock.monotonic() - readySince > settledMs[operation.verb === "update" ? "update" : "create"])
      throw new FailedError(`the cloud shows another ${other.join(", ")} than was asked for`);
    return { still: `${word}, ${other.join(", ")} not as asked yet` };
  });
}
