import { FailedError, textOf } from "../../core/error.ts";
import type { ResourceState } from "../../core/state.ts";
import { includesIgnoreCase } from "../../core/string.ts";
import type { Value } from "../../core/value.ts";
import type { Text } from "../../core/wording.ts";
import type { Poll } from "../../definition/function.ts";
import { readCurrent } from "../existence/current.ts";
import { recordCreation } from "../existence/owned.ts";
import { conformToPlan } from "../state/merge.ts";
import { statusText } from "../state/status.ts";
import { waitFor } from "../wait/waiter.ts";
import { addressIn, type CreateContext } from "./search.ts";

/** Objects whose create starts work that runs and is billed even if the wait fails. */

/**
 * Returns true if an error after an accepted create is only a warning: every error of work, and every error but a
 * failure of the object itself if its lifecycle keeps late objects.
 */
export const isTolerated = ({ operation: { resource } }: CreateContext, error: unknown): boolean =>
  resource.work !== undefined || (resource.lifecycle?.late === "kept" && !(error instanceof FailedError));

/** Returns the state of an accepted object after a tolerated error, and warns. */
export function keepStarted(context: CreateContext, id: string, error: unknown): ResourceState {
  const { operation, inputs, region } = context;
  operation.warn({ code: "started-unknown", subject: operation.subject, id, why: messageOf(error) });
  const values = conformToPlan(operation.resource.fields, { ...inputs, region }, inputs);
  const createdAt = recordCreation(operation, addressIn(context, id));
  return { id, task: undefined, values, unread: [], createdAt };
}

const messageOf = (error: unknown): Text => (error instanceof Error ? textOf(error) : "an internal error");

/**
 * Waits until work has one of the statuses that the user waits for. Returns the state with the values of the last poll. A
 * failed status and any error of the wait become warnings.
 */
export async function awaitStatus(context: CreateContext, state: ResourceState): Promise<ResourceState> {
  const { operation, inputs, region } = context;
  const { resource } = operation;
  const { work } = resource;
  const { id } = state;
  const wanted = work === undefined ? [] : textsOf(inputs[work.waitFor]);
  if (work === undefined || id === undefined || wanted.length === 0) return state;
  const address = addressIn(context, id);
  const unwanted = textsOf(inputs[work.waitFailed]);
  let last = state;
  const poll = async (after: number): Promise<Poll<string | undefined>> => {
    const observed = await readCurrent(operation, address, { after, known: inputs });
    if (observed === undefined) return { pending: "not visible" };
    // An incomplete response does not change what an earlier one showed.
    const shown = Object.fromEntries(
      Object.entries(observed).filter(([, value]) => (value ?? null) !== null),
    );
    last = { ...last, values: conformToPlan(resource.fields, { ...last.values, ...shown, region }, inputs) };
    const status = statusText(observed[work.status]);
    if (includesIgnoreCase(wanted, status)) return { done: undefined };
    return includesIgnoreCase(unwanted, status) ? { done: status } : { pending: status || "no status" };
  };
  try {
    const failed = await waitFor(operation, `${resource.name} status`, poll);
    if (failed !== undefined)
      operation.warn({ code: "started-failed", subject: operation.subject, id, status: failed });
  } catch (error) {
    operation.warn({
      code: "started-not-ready",
      subject: operation.subject,
      id,
      status: statusText(last.values[work.status]) || "unknown",
      wanted: wanted.join(" or "),
      why: messageOf(error),
    });
  }
  return last;
}

const textsOf = (value: Value | undefined): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
