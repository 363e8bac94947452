import { importCommand, importId } from "./advice.ts";
import { verbInputs } from "./check.ts";
import { FailedError, type Held, isMissing } from "./errors.ts";
import { standing } from "./observe.ts";
import { elsewhere, type Operation } from "./operation.ts";
import { namesakes } from "./settle.ts";
import type { Values } from "./value.ts";
import { waitFor } from "./wait.ts";

/** A task that the cloud has just named may be unknown to it for a while (contract 1.1). */
const visibleMs = 60_000;

/**
 * Follows a task to its end. The id is noted in `known` as soon as the task names it, also when it fails. Undefined
 * when it names none, or the cloud has forgotten it.
 */
export async function finishTask(
  operation: Operation,
  inputs: Values,
  region: string,
  known: { id?: string | undefined; task: string },
): Promise<string | undefined> {
  const { session } = operation;
  const { verbs, name } = operation.resource;
  const { task } = verbs;
  if (task === undefined) return undefined;
  const { clock } = session.ports;
  const began = clock.monotonic();
  const call = { api: operation.api(region), region, task: known.task, inputs: verbInputs(inputs) };
  return waitFor(operation, `${name} task`, async () => {
    const state = await task(call).catch((error) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (state === undefined && clock.monotonic() - began < visibleMs)
      return { still: "the task is not known yet" };
    if (state === undefined) return { done: known.id };
    if (state.id !== undefined) known.id = state.id;
    if (state.status === "running") return { still: state.detail ?? "running" };
    if (state.status === "failed")
      throw new FailedError(`the cloud says: ${session.redact(state.detail ?? "failed")}`);
    return { done: known.id };
  });
}

/**
 * The id of a remembered object, by its task where only that is known. Undefined when the task left nothing behind.
 * A name alone proves no identity: only a failed object of that name is taken for what a failed task left.
 */
export async function idOf(operation: Operation, held: Held, region: string): Promise<string | undefined> {
  if (held.id !== undefined || held.task === undefined) return held.id;
  const { resource } = operation;
  const known: { id?: string; task: string } = { task: held.task };
  try {
    const id = await finishTask(operation, held.values, region, known);
    if (id !== undefined) return id;
  } catch (error) {
    if (!(error instanceof FailedError)) throw error;
    if (known.id !== undefined) return known.id;
  }
  const rows = await namesakes(operation, held, region);
  const [row] = rows;
  if (row === undefined) return undefined;
  if (rows.length === 1 && standing(resource, row as unknown as Values).at === "failed") return row.id;
  const id = importId(resource, row.id, held.values, elsewhere(operation.session, region));
  throw operation.failed(
    "its task names no id, and nothing says that the object of that name is this one",
    { is: "exists", id: row.id },
    `If it is, forget this one and import it (${importCommand(resource, id)})`,
  );
}
