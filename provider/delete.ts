import { verbInputs } from "./check.ts";
import { finishTask } from "./create.ts";
import { CloudError, FailedError, type Held, OperationError } from "./errors.ts";
import { type Address, addressOf, listing, observe, standing, wrote } from "./observe.ts";
import { type Operation, regionFor } from "./operation.ts";
import type { Values } from "./value.ts";
import { waitFor } from "./wait.ts";

/** Removes an object and proves that it is gone. Doubt is an error, and the state keeps what it had. */
export async function remove(operation: Operation, held: Held): Promise<void> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, held.values.region);
  const id = held.id ?? (await pending(operation, held, region));
  if (id === undefined) return;
  const address = addressOf(resource, id, region, held.values);
  try {
    await accepted(operation, held, address);
    await gone(operation, address, held.values);
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const conflict = error instanceof CloudError && error.failure === "conflict";
    const next = conflict ? "Remove what it names first, then run again" : "Run again";
    throw operation.failed("it could not be removed", { is: "still exists" }, next, undefined, error);
  }
}

/** The id of an object known only by its task; none if the task came to nothing. */
async function pending(operation: Operation, held: Held, region: string): Promise<string | undefined> {
  if (held.task === undefined) return undefined;
  const known: { id?: string; task: string } = { task: held.task };
  try {
    return await finishTask(operation, undefined, region, known);
  } catch (error) {
    if (error instanceof FailedError) return known.id;
    throw error;
  }
}

/** Sends the delete until the cloud takes it: an object still in use is waited for, an unclear answer is looked up. */
async function accepted(operation: Operation, held: Held, address: Address): Promise<void> {
  const { verbs } = operation.resource;
  const call = { api: operation.api(address.region), ...address, prior: verbInputs(held.values) };
  let blocked: CloudError | undefined;
  await waitFor(operation, `${operation.resource.name} accepted`, async (after) => {
    try {
      await verbs.delete(call as never);
      return { done: undefined };
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      if (error.failure === "rejected" && error.status === 404) return { done: undefined };
      if (error.failure === "conflict") {
        blocked = error;
        return { still: error.said };
      }
      if (error.failure !== "ambiguous" && error.failure !== "unreadable") throw error;
      const seen = await observe(operation, address, after, held.values);
      return seen === undefined || deleting(operation, seen) ? { done: undefined } : { still: error.said };
    } finally {
      wrote(operation, address);
    }
  }).catch((error) => {
    throw blocked ?? error;
  });
}

const deleting = (operation: Operation, seen: Parameters<typeof standing>[1]): boolean =>
  /delet/i.test(standing(operation.resource, seen).word);

/** Proof: it cannot be read, and a complete listing begun after the delete does not hold it. */
async function gone(operation: Operation, address: Address, mine: Values): Promise<void> {
  const sent = operation.session.listings.mark();
  await waitFor(operation, `${operation.resource.name} gone`, async (after) => {
    const since = Math.max(after, sent);
    const seen = await observe(operation, address, since, mine);
    if (seen !== undefined) return { still: standing(operation.resource, seen).word };
    const rows = await listing(operation, address, since);
    return rows?.some(({ id }) => id === address.id) ? { still: "still listed" } : { done: undefined };
  });
}
