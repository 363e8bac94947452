import { remedyFor, stepOf } from "./advice.ts";
import { check, verbInputs } from "./check.ts";
import { createApi } from "./client.ts";
import type { Lookup } from "./define-function.ts";
import { CloudError, FailedError, InputError, OperationError, StopError } from "./errors.ts";
import { type Call, regionFor } from "./operation.ts";
import type { Session } from "./session.ts";
import { reveal, type Values } from "./value.ts";

/** Asks the cloud a question that changes nothing. */
export async function lookup(session: Session, asked: Lookup, written: Values, call: Call): Promise<Values> {
  const { inputs, problems } = check(asked, written);
  if (problems.length > 0) throw new InputError(problems);
  const region = regionFor(session, asked, reveal(inputs.region ?? null));
  const api = createApi(session, region, call.stop);
  try {
    const found = await asked.read({ api, region, inputs: verbInputs(inputs) });
    return { ...(found as Values), ...(asked.regional === false ? {} : { region }) };
  } catch (error) {
    if (![CloudError, StopError, FailedError].some((kind) => error instanceof kind)) throw error;
    const failed = {
      doing: `looking up the ${asked.name.replaceAll("-", " ")}`,
      step: stepOf(error),
      fate: { is: "nothing changed" },
      next: remedyFor(error),
    } as const;
    throw new OperationError(failed, error);
  }
}
