import type { Departure } from "../client/client.ts";
import {
  CloudError,
  FailedError,
  type Held,
  InputError,
  isConflict,
  isMissing,
  isUnclear,
  OperationError,
  StopError,
} from "../core/error.ts";
import type { Values } from "../core/value.ts";
import { verbInputs } from "../definition/check.ts";
import type { Fields, Resource } from "../definition/resource.ts";
import { echoSeconds } from "./create/recover.ts";
import { idOf } from "./create/task.ts";
import { type Operation, regionFor } from "./operation.ts";
import type { FieldChange } from "./plan.ts";
import { remedyFor, stepOf } from "./remediation.ts";
import { isFresh } from "./session.ts";
import {
  type Address,
  addressOf,
  differing,
  movedTo,
  observe,
  remember,
  standing,
  unshown,
  wrote,
} from "./state/current.ts";
import { withAllTags, withKeptTags } from "./state/default-tags.ts";
import { asPlanned, withKnown } from "./state/merge.ts";
import { becomeReady, verdictOn } from "./wait/wait.ts";
import { waitFor } from "./wait/waiter.ts";

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

/** Sends the changes; those that may be sent once come last, each alone, and are noted in `sent`. */
export async function sendChanges(
  operation: Operation,
  address: Address,
  prior: Values,
  inputs: Values,
  changed: ReadonlySet<string>,
  sent: Set<string> = new Set(),
): Promise<void> {
  const { fields, unseen: blind } = operation.resource;
  // What no look shows done cannot be looked up after an unclear answer either.
  const single = [...changed].filter((name) => blind !== undefined || isOnce(fields[name]));
  const plain = new Set([...changed].filter((name) => !single.includes(name)));
  if (plain.size > 0) await sendShown(operation, address, prior, inputs, plain);
  for (const name of single) await sendOnce(operation, address, prior, inputs, name, sent);
}

/** What the verb gets in any case. */
function callOf({ resource, session }: Operation, address: Address, prior: Values, inputs: Values) {
  const wanted = withAllTags(resource, inputs, session.settings);
  return { ...address, inputs: verbInputs(wanted), prior: verbInputs(prior) };
}

const isOnce = (field: Fields[string] | undefined): boolean =>
  field?.kind === "field" && field.options.once === true;

/**
 * Sends a change that leaves no trace to look for. An unclear answer counts as done: to send it again could do it
 * twice (reliability 3.2).
 */
async function sendOnce(
  operation: Operation,
  address: Address,
  prior: Values,
  inputs: Values,
  name: string,
  sent: Set<string>,
): Promise<void> {
  const { update } = operation.resource.verbs;
  const call = { ...callOf(operation, address, prior, inputs), changed: new Set([name]) };
  const { clock } = operation.session.ports;
  let refused: { readonly at: number; readonly still: string } | undefined;
  await waitFor(operation, `${operation.resource.name} change accepted`, async () => {
    // Until listings would show it done, it is not sent again.
    if (refused !== undefined && clock.monotonic() - refused.at < echoSeconds * 1000) return refused;
    const departure: Departure = { left: false };
    try {
      await update?.({ ...call, api: operation.api(address.region, departure) } as never);
      sent.add(name);
      return { done: undefined };
    } catch (error) {
      if (isConflict(error)) refused = { at: clock.monotonic(), still: error.said };
      if (isConflict(error) || (isMissing(error) && isFresh(operation.session, address.id)))
        return { still: error.said };
      if (departure.left) sent.add(name);
      if (!isUnclear(error)) throw error;
      // What shows itself needs no word: the wait that follows sees whether it was done.
      if (operation.resource.unseen !== undefined || isBlind(operation.resource.fields[name]))
        operation.warn(
          "A change may not have been made",
          `${operation.subject} was sent its ${name} and no clear answer came. It counts as done and is not sent again; if it was not, change ${name} once more.`,
        );
      return { done: undefined };
    } finally {
      wrote(operation, address);
    }
  });
}

/**
 * Sends the changes, each once it can be taken: an object busy with one is asked again for the rest. After an
 * unclear answer only what the cloud does not show yet is sent again (reliability 3.2).
 */
async function sendShown(
  operation: Operation,
  address: Address,
  prior: Values,
  inputs: Values,
  changed: ReadonlySet<string>,
): Promise<void> {
  const { update } = operation.resource.verbs;
  const call = callOf(operation, address, prior, inputs);
  let rest: ReadonlySet<string> | undefined;
  await waitFor(operation, `${operation.resource.name} change accepted`, async () => {
    if (rest !== undefined) {
      const moved = movedTo(operation.resource, address, inputs);
      const seen = await observe(operation, moved, operation.session.listings.mark(), inputs);
      const { at, word } = seen === undefined ? unseen : standing(operation.resource, seen);
      // Something is under way; it may be this very change.
      if (at === "pending") return { still: word };
      if (seen !== undefined) rest = notYetShown(operation, seen, inputs, rest);
    }
    rest ??= changed;
    if (rest.size === 0) return { done: undefined };
    try {
      await update?.({ ...call, api: operation.api(address.region), changed: rest } as never);
      return { done: undefined };
    } catch (error) {
      if (isConflict(error) || (isMissing(error) && isFresh(operation.session, address.id)))
        return { still: error.said };
      // A refusal ends the wait; an answer that tells nothing is one look that failed.
      throw error;
    } finally {
      wrote(operation, address);
    }
  });
}

const unseen = { at: "unknown", word: "not visible" } as const;
/** Those of the changes that the cloud does not show. What it never shows counts as not made. */
function notYetShown(
  operation: Operation,
  seen: Values,
  inputs: Values,
  changed: ReadonlySet<string>,
): ReadonlySet<string> {
  const { fields } = operation.resource;
  // It takes no changes any more, however long it is asked.
  if (standing(operation.resource, seen).at === "failed") throw verdictOn(operation, seen);
  const other = new Set(differing(fields, seen, inputs, changed).map((path) => path.split(".")[0]));
  return new Set([...changed].filter((name) => other.has(name) || isBlind(fields[name])));
}

const isBlind = (field: Fields[string] | undefined): boolean =>
  field !== undefined && field.kind !== "computed" && field.options.unreadable === true;

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
