import { remedyFor } from "./advice.ts";
import { verbInputs } from "./check.ts";
import {
  type CloudError,
  type Held,
  isConflict,
  isMissing,
  isUnclear,
  OperationError,
  StopError,
} from "./errors.ts";
import { isSame, kindOf } from "./krn.ts";
import { ever } from "./listing.ts";
import { type Address, addressOf, decidedIn, listing, observe, standing, wrote } from "./observe.ts";
import { type Operation, regionFor } from "./operation.ts";
import { remains } from "./plan.ts";
import { idOf } from "./task.ts";
import type { Values } from "./value.ts";
import { type Look, waitFor } from "./wait.ts";

/** Removes an object and proves that it is gone. Doubt is an error, and the state keeps what it had. */
export async function remove(operation: Operation, held: Held): Promise<void> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, held.values.region);
  const id = await idOf(operation, held, region);
  if (id === undefined) return;
  if (session.adopted.has(id)) {
    operation.warn(
      "The object was kept, not deleted",
      `${operation.subject} (${id}) was taken over (adopt_existing) by another resource in this run, and stays. To replace it, give the new one another name.`,
    );
    return;
  }
  const stays = remains(resource);
  if (stays !== undefined) {
    session.released.add(id);
    operation.warn("Nothing was deleted", `${stays} Nobody manages ${operation.subject} (${id}) any more.`);
    return;
  }
  const address = addressOf(resource, id, region, held.values);
  await accepted(operation, held, address);
  try {
    await gone(operation, address, held.values);
  } catch (error) {
    const step = "the cloud took the delete, but does not show it gone";
    throw operation.failed(step, { is: "may exist" }, remedyFor(error), undefined, error);
  }
}

/** Sends the delete until the cloud takes it: an object still in use is waited for, an unclear answer is looked up. */
async function accepted(operation: Operation, held: Held, address: Address): Promise<void> {
  const { verbs, name } = operation.resource;
  const call = { ...address, prior: verbInputs(held.values) };
  let blocked: CloudError | undefined;
  try {
    await waitFor(operation, `${name} accepted`, async () => {
      try {
        if (typeof verbs.delete === "function")
          await verbs.delete({ ...call, api: operation.api(address.region) } as never);
        return { done: undefined };
      } catch (error) {
        // What is on its way at the deadline says nothing: what was in the way before it still is.
        if (error instanceof StopError) throw error;
        blocked = isConflict(error) ? error : undefined;
        if (blocked !== undefined) return { still: blocked.said };
        if (isMissing(error) && isProof(operation, address)) return { done: undefined };
        if (!isUnclear(error)) throw error;
        const seen = await observe(operation, address, operation.session.listings.mark(), held.values);
        // What is shown nowhere is not proven gone: its delete is sent again until an answer says so.
        const underWay =
          seen === undefined
            ? operation.resource.shownBy === undefined && operation.resource.unseen === undefined
            : /delet/i.test(standing(operation.resource, seen).word);
        return underWay ? { done: undefined } : { still: error.said };
      } finally {
        wrote(operation, address);
      }
    });
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const still = { is: "still exists" } as const;
    if (blocked !== undefined && error instanceof StopError)
      throw operation.failed(
        `it could not be removed: ${error.message}`,
        still,
        "Remove what it names first, then run again",
        undefined,
        blocked,
      );
    throw operation.failed("it could not be removed", still, remedyFor(error), undefined, error);
  }
}

/** Of what nobody can read, an id that routes are not known to take may name nothing though it stands (contract 17.7). */
const isProof = ({ resource }: Operation, { id }: Address): boolean =>
  resource.unseen === undefined || kindOf(id) !== undefined;

/** Proof: it cannot be read, and a complete listing begun after the delete does not hold it. */
async function gone(operation: Operation, address: Address, mine: Values): Promise<void> {
  const { resource, session } = operation;
  const sent = session.listings.mark();
  const look = async (after: number): Promise<Look<undefined>> => {
    // What takes a task is not gone at once: the next listing, which all share, is soon enough.
    if (resource.verbs.task && resource.verbs.whole && after === ever) return { still: "accepted" };
    const since = Math.max(after, sent);
    const seen = await observe(operation, address, since, mine);
    if (seen !== undefined) return { still: standing(resource, seen).word };
    const rows = await listing(operation, address, since);
    return rows?.some(({ id }) => isSame(id, address.id)) ? { still: "still listed" } : { done: undefined };
  };
  await waitFor(operation, `${resource.name} gone`, look, decidedIn(resource, address));
}
