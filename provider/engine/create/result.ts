import { StopError } from "../../core/error.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { RequestTracker } from "../../definition/api.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import type { Random } from "../../platform/ports.ts";
import { remediesFor, requestStopped, stepOf } from "../remediation.ts";
import { conformToPlan } from "../state/merge.ts";
import { unknownOutcome } from "./failure.ts";
import type { CreateContext } from "./search.ts";

/** Creates an object that exists only in the state: sends its request once and returns the response as its state. */
export async function createResult(context: CreateContext): Promise<ResourceState> {
  const { operation, inputs, region } = context;
  const { resource, session } = operation;
  const tracker: RequestTracker = { sent: false };
  const call = { api: operation.api(region, tracker), region, inputs: verbInputs(inputs) };
  try {
    const { values = {} } = await resource.verbs.create(call);
    return {
      id: randomId(session.ports.random),
      task: undefined,
      values: conformToPlan(resource.fields, { ...inputs, ...(values as Values) }, inputs),
      unread: [],
    };
  } catch (error) {
    const step = error instanceof StopError ? requestStopped : stepOf(error);
    throw tracker.sent
      ? unknownOutcome(context, step, error)
      : operation.failed(stepOf(error), { is: "nothing created" }, remediesFor(error), { cause: error });
  }
}

/** Returns a random id in the form of a UUID. */
function randomId(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random.next() * 16).toString(16)).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
