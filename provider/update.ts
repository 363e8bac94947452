import { verbInputs } from "./check.ts";
import { CloudError, FailedError, type Held, OperationError, StopError } from "./errors.ts";
import { addressOf, observe, remember, wrote } from "./observe.ts";
import { type Operation, regionFor } from "./operation.ts";
import type { FieldChange } from "./plan.ts";
import { becomeReady } from "./ready.ts";
import type { Values } from "./value.ts";

/**
 * Sends what changed and waits until the cloud shows it. With nothing to send it only waits: so a run takes up
 * what an earlier one left half made.
 */
export async function update(
  operation: Operation,
  prior: Held,
  inputs: Values,
  changes: readonly FieldChange[],
): Promise<Held> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, prior.values.region);
  const { id } = prior;
  if (id === undefined) throw operation.failed("its id is not known", { is: "may exist" }, "Refresh first");
  const address = addressOf(resource, id, region, prior.values);
  const changed = new Set(changes.filter(({ recordOnly }) => !recordOnly).map(({ path }) => String(path[0])));
  const kept = (values: Values): Held => ({
    id,
    task: undefined,
    values,
    unread: prior.unread.filter((path) => !changes.some((change) => change.path.join(".") === path)),
  });
  try {
    if (changed.size > 0 && resource.verbs.update !== undefined) {
      const call = {
        api: operation.api(region),
        ...address,
        inputs: verbInputs(inputs),
        prior: verbInputs(prior.values),
        changed,
      };
      await resource.verbs.update(call as never).finally(() => wrote(operation, address));
    }
    const seen = await becomeReady(operation, address, inputs);
    return kept(remember(resource.fields, { ...seen, region }, inputs));
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const held = await whatStands(operation, prior, region);
    const next =
      error instanceof FailedError ? "Look at it in the cloud; a replacement may be needed" : "Run again";
    if (error instanceof CloudError || error instanceof StopError || error instanceof FailedError)
      throw operation.failed("the change was not confirmed", { is: "recorded", id }, next, held, error);
    throw error;
  }
}

/** After a failed change, the truth as far as it can be had: some of it may have been done. */
async function whatStands(operation: Operation, prior: Held, region: string): Promise<Held> {
  const address = addressOf(operation.resource, prior.id ?? "", region, prior.values);
  try {
    const seen = await observe(operation, address, operation.session.listings.mark(), prior.values);
    if (seen === undefined) return prior;
    return { ...prior, values: remember(operation.resource.fields, { ...seen, region }, prior.values) };
  } catch (error) {
    operation.session.log("debug", "not readable after a failed change", {
      why: error instanceof CloudError ? error.said : "stopped",
    });
    return prior;
  }
}
