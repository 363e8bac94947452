import { CloudError, FailedError, InputError, isMissing, OperationError, StopError } from "../core/error.ts";
import type { Held } from "../core/state.ts";
import type { Values } from "../core/value.ts";
import type { Departure } from "../definition/api.ts";
import type { Resource } from "../definition/resource.ts";
import { sendChanges } from "./change.ts";
import { idOf } from "./create/create.ts";
import { type Operation, regionFor } from "./operation.ts";
import type { FieldChange } from "./plan.ts";
import { remedyFor, stepOf } from "./remediation.ts";
import {
  type Address,
  addressOf,
  asPlanned,
  movedTo,
  observe,
  remember,
  unshown,
  withKeptTags,
  withKnown,
} from "./state/state.ts";
import { becomeReady } from "./wait/wait.ts";

/**
 * Sends what changed and waits until the cloud shows it. With nothing to send it only waits: so a run takes up
 * what an earlier one left half made.
 */
export async function update(
  operation: Operation,
  prior: Held,
  written: Values,
  changes: readonly FieldChange[],
): Promise<Held> {
  const { resource, session } = operation;
  const inputs = withKeptTags(resource, written, prior.values, session.settings);
  const region = regionFor(session, resource, prior.values.region);
  const id = await idOf(operation, prior, region);
  if (id === undefined)
    throw operation.failed("its id is not known", { is: "may exist" }, "Refresh, then run again");
  const address = addressOf(resource, id, region, prior.values);
  const moved = movedTo(resource, address, inputs);
  const changed = new Set(changes.filter(({ recordOnly }) => !recordOnly).map(({ path }) => String(path[0])));
  const sent = new Set<string>();
  const departure: Departure = { left: false };
  const watched: Operation = {
    ...operation,
    api: (region, own = departure) => operation.api(region, own),
  };
  try {
    if (changed.size > 0) await sendChanges(watched, address, prior.values, inputs, changed, sent);
    // What was not sent will not come: it is waited for no longer than after a create.
    const awaited = changed.size > 0 ? changed : undefined;
    const seen = await becomeReady(operation, moved, inputs, awaited, prior.values);
    const recorded = new Set(changes.map(({ path }) => path.join(".")));
    return {
      id: moved.id,
      task: undefined,
      values: asPlanned(
        resource.fields,
        { ...seen, region },
        withKnown(resource.fields, inputs, prior.values),
      ),
      unread: prior.unread.filter((path) => !recorded.has(path)),
    };
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const done: Values = Object.fromEntries([...sent].map((name) => [name, inputs[name] ?? null]));
    const stands = { ...prior, id, task: undefined, values: { ...prior.values, ...done } };
    const held = await whatStands(operation, stands, address, moved);
    const next = remedyAfter(resource, error);
    const isRefused = error instanceof CloudError || error instanceof InputError;
    if (isRefused && !isLost(resource, error) && !departure.left && sent.size === 0)
      throw operation.failed(stepOf(error), { is: "nothing changed" }, next, held, error);
    const fate = isLost(resource, error) ? "unknown" : "half changed";
    throw operation.failed("the change was not confirmed", { is: fate }, next, held, error);
  }
}

/** The cloud says that it is not there, and nobody can look whether that is so. */
const isLost = ({ unseen }: Resource, error: unknown): boolean => unseen !== undefined && isMissing(error);

function remedyAfter(resource: Resource, error: unknown): string {
  if (error instanceof FailedError || isLost(resource, error))
    return "Look at it in the cloud; a replacement may be needed";
  const refused = resource.unseen !== undefined && error instanceof StopError && error.why === "deadline";
  // Whether it stands as asked already, and is refused for that, shows nowhere (contract 17.7).
  const back = refused ? "; where it stands as asked already, bring it back to what is recorded first" : "";
  return `${remedyFor(error)}${back}`;
}

/** After a failed change, the truth as far as it can be had: some of it may have been done. */
async function whatStands(
  operation: Operation,
  prior: Held,
  address: Address,
  moved: Address,
): Promise<Held> {
  const { session, resource } = operation;
  try {
    for (const place of moved.id === address.id ? [address] : [moved, address]) {
      const seen = await observe(operation, place, session.listings.mark(), prior.values);
      if (seen === undefined) continue;
      const values = remember(resource.fields, { ...seen, region: address.region }, prior.values);
      return { ...prior, id: place.id, values };
    }
    return unshown(resource, prior) ?? prior;
  } catch (error) {
    if (!(error instanceof CloudError) && !(error instanceof StopError)) throw error;
    session.log("debug", "not readable after a failed change", { why: error.message });
    return prior;
  }
}
