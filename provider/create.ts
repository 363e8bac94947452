import { verbInputs } from "./check.ts";
import type { Fields, Receipt, Row } from "./define.ts";
import { CloudError, FailedError, type Held, OperationError } from "./errors.ts";
import { ever } from "./listing.ts";
import { terraformType } from "./names.ts";
import { addressOf, differing, halfMade, listing, observe, remember, unreadPaths, wrote } from "./observe.ts";
import { type Operation, regionFor } from "./operation.ts";
import { becomeReady } from "./ready.ts";
import type { Values } from "./value.ts";
import { waitFor } from "./wait.ts";

/**
 * The create protocol (reliability 3.3): search, send once, keep the identity before waiting, settle an unclear
 * answer by search. Whatever goes wrong after the request has left says what exists and carries it home.
 */
export async function create(operation: Operation, inputs: Values): Promise<Held> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, inputs.region);
  const before = await siblings(operation, inputs, region, ever);
  const same = before.filter((row) => matches(operation, row, inputs));
  if (same.length > 0) return takeOver(operation, inputs, region, same);
  const known: { id?: string | undefined; task?: string | undefined } = {};
  try {
    const receipt = await send(operation, inputs, region, before);
    Object.assign(known, receipt);
    known.id ??= await identify(operation, inputs, region, before, known);
    return await complete(operation, inputs, region, known.id);
  } catch (error) {
    if (error instanceof OperationError) throw error;
    throw leftBehind(operation, inputs, region, known, error);
  }
}

const mayExist = { is: "may exist" } as const;

/**
 * Every object beside the new one. A search that failed is not an empty one: then nothing is sent. Creates of
 * other names may share it; after one of this name it begins anew.
 */
async function siblings(
  operation: Operation,
  inputs: Values,
  region: string,
  after: number,
): Promise<Row<Fields>[]> {
  return (await listing(operation, nameless(operation, inputs, region), after)) ?? [];
}

/** Stands for the object that has no id yet, by its name. */
const nameless = (operation: Operation, inputs: Values, region: string) =>
  addressOf(operation.resource, `name ${String(inputs.name)}`, region, inputs);

function matches(operation: Operation, row: Row<Fields>, inputs: Values): boolean {
  const { matches: own } = operation.resource.verbs;
  if (own !== undefined) return own(row, verbInputs(inputs));
  const { name } = row as unknown as Values;
  return (
    typeof name === "string" &&
    typeof inputs.name === "string" &&
    name.normalize() === inputs.name.normalize()
  );
}

/** Sends the one request. An unclear answer is settled by search and never by sending again. */
async function send(
  operation: Operation,
  inputs: Values,
  region: string,
  before: Row<Fields>[],
): Promise<Receipt> {
  try {
    return await sendOnce(operation, inputs, region).finally(() =>
      wrote(operation, nameless(operation, inputs, region)),
    );
  } catch (error) {
    if (error instanceof CloudError && (error.failure === "ambiguous" || error.failure === "unreadable"))
      return { id: await settle(operation, inputs, region, before, error) };
    if (error instanceof CloudError || error instanceof FailedError) {
      const conflict = error instanceof CloudError && error.failure === "conflict";
      const next = conflict
        ? "Remove or import what is in the way, then run again"
        : "Correct it and run again";
      throw operation.failed(
        "the cloud did not accept it",
        { is: "nothing created" },
        next,
        undefined,
        error,
      );
    }
    throw operation.failed(
      "stopped while the request was on its way",
      mayExist,
      lookFor(operation, inputs),
      undefined,
      error,
    );
  }
}

const parentVisibleMs = 60_000;

/**
 * Sends the request. Where the cloud does not know a parent that this process made a moment ago, it has done
 * nothing and is asked again until it does.
 */
async function sendOnce(operation: Operation, inputs: Values, region: string): Promise<Receipt> {
  const { resource, session } = operation;
  const { clock } = session.ports;
  const parents = (resource.parents ?? []).map((name) => session.made.get(String(inputs[name])));
  const until = Math.max(...parents.map((made) => (made ?? Number.NEGATIVE_INFINITY) + parentVisibleMs));
  for (let pause = 500; ; pause *= 2) {
    try {
      return await resource.verbs.create({ api: operation.api(region), region, inputs: verbInputs(inputs) });
    } catch (error) {
      if (!(error instanceof CloudError) || error.status !== 404 || clock.monotonic() > until) throw error;
      operation.report(error.said);
      await clock.sleep(Math.min(pause, 8_000));
    }
  }
}

/** Searches until the one new object that could be ours shows itself, or the window for that is over. */
async function settle(
  operation: Operation,
  inputs: Values,
  region: string,
  before: Row<Fields>[],
  cause: unknown,
): Promise<string> {
  const { session, resource } = operation;
  const { clock } = session.ports;
  const until = clock.monotonic() + session.settings.settleSeconds * 1000;
  const old = new Set(before.map(({ id }) => id));
  operation.report("no clear answer; searching for what was made");
  return waitFor(operation, `${resource.name} settled`, async (after) => {
    const rows = resource.verbs.list === undefined ? [] : await siblings(operation, inputs, region, after);
    const fresh = rows.filter((row) => !old.has(row.id) && matches(operation, row, inputs));
    const [only] = fresh;
    if (fresh.length > 1)
      throw operation.failed(
        "several new objects match",
        mayExist,
        choices(operation, fresh),
        undefined,
        cause,
      );
    if (only !== undefined) {
      operation.warn(
        "An unclear answer was settled by search",
        `${operation.subject} was found as ${only.id} and is taken as the one just made.`,
      );
      return { done: only.id };
    }
    if (clock.monotonic() < until) return { still: "no clear answer; searching for what was made" };
    throw operation.failed(
      "no clear answer came, and a search finds nothing new",
      mayExist,
      lookFor(operation, inputs),
      undefined,
      cause,
    );
  });
}

/** Turns what the answer gave into an id: a task is asked until it names one, an empty answer is settled. */
async function identify(
  operation: Operation,
  inputs: Values,
  region: string,
  before: Row<Fields>[],
  known: Receipt,
): Promise<string> {
  if (known.task !== undefined) {
    const id = await finishTask(operation, inputs, region, known as { id?: string; task: string });
    if (id !== undefined) return id;
  }
  return settle(operation, inputs, region, before, undefined);
}

/** Follows a task to its end. The id is noted in `known` as soon as the task names it. */
export async function finishTask(
  operation: Operation,
  inputs: Values | undefined,
  region: string,
  known: { id?: string; task: string },
): Promise<string | undefined> {
  const { verbs, name } = operation.resource;
  if (verbs.task === undefined) return undefined;
  const { task } = verbs;
  const given = inputs === undefined ? undefined : verbInputs(inputs);
  return waitFor(operation, `${name} task`, async () => {
    const state = await task({ api: operation.api(region), region, task: known.task, inputs: given });
    if (state.id !== undefined) known.id = state.id;
    if (state.status === "running") return { still: state.detail ?? "running" };
    if (state.status === "failed")
      throw new FailedError(`the cloud says: ${operation.session.redact(state.detail ?? "failed")}`);
    return { done: known.id };
  });
}

async function complete(operation: Operation, inputs: Values, region: string, id: string): Promise<Held> {
  const { resource, session } = operation;
  const address = addressOf(resource, id, region, inputs);
  wrote(operation, address);
  session.made.set(id, session.ports.clock.monotonic());
  const seen = await becomeReady(operation, address, inputs);
  return {
    id,
    task: undefined,
    values: remember(operation.resource.fields, { ...seen, region }, inputs),
    unread: [],
  };
}

/** After the request left, an error never comes alone: id or task go with it, or the words "may exist". */
function leftBehind(
  operation: Operation,
  inputs: Values,
  region: string,
  known: Receipt,
  error: unknown,
): OperationError {
  if (known.id !== undefined) {
    const held = halfMade(operation.resource, inputs, region, known);
    return operation.failed(
      "it was made but did not become ready",
      { is: "recorded", id: known.id },
      "Run again: the next run takes it up or replaces it",
      held,
      error,
    );
  }
  if (error instanceof FailedError)
    return operation.failed(
      "the cloud took the request and failed",
      { is: "nothing created" },
      "Correct it and run again",
      undefined,
      error,
    );
  const held = known.task === undefined ? undefined : halfMade(operation.resource, inputs, region, known);
  const step =
    known.task === undefined
      ? "its id is not known yet"
      : `its id is not known yet; the task is ${known.task}`;
  return operation.failed(step, mayExist, lookFor(operation, inputs), held, error);
}

/** An object of that name stood there before: it is taken over when that was asked for and it is what was asked for. */
async function takeOver(
  operation: Operation,
  inputs: Values,
  region: string,
  same: Row<Fields>[],
): Promise<Held> {
  const { resource, session } = operation;
  const [only] = same;
  if (only === undefined || same.length > 1)
    throw operation.failed(
      "several objects of that name exist",
      { is: "nothing created" },
      choices(operation, same),
    );
  const address = addressOf(resource, only.id, region, inputs);
  if (!session.settings.adoptExisting)
    throw operation.failed(
      "an object of that name exists",
      { is: "exists", id: only.id },
      `Import it (${importCommand(operation, only.id, inputs)}), choose another name, or set adopt_existing to take it over`,
    );
  const seen = await observe(operation, address, ever, inputs);
  if (seen === undefined)
    throw operation.failed(
      "an object of that name was listed but cannot be read",
      { is: "exists", id: only.id },
      "Run again",
    );
  const other = differing(resource.fields, seen, inputs);
  if (other.length > 0)
    throw operation.failed(
      `an object of that name exists with another ${other.join(", ")}`,
      { is: "exists", id: only.id },
      "Make the configuration match it, choose another name, or remove it",
    );
  operation.warn(
    "An existing object was taken over",
    `${operation.subject} existed as ${only.id} and is managed from now on.`,
  );
  const ready = await becomeReady(operation, address, inputs);
  const values = remember(resource.fields, { ...ready, region }, inputs);
  return { id: only.id, task: undefined, values, unread: unreadPaths(resource.fields, values) };
}

const importId = (operation: Operation, id: string, inputs: Values): string =>
  [...(operation.resource.parents ?? []).map((parent) => String(inputs[parent])), id].join(",");

const importCommand = (operation: Operation, id: string, inputs: Values): string =>
  `terraform import ${terraformType(operation.resource.name)}.NAME '${importId(operation, id, inputs)}', or pulumi import`;

const lookFor = (operation: Operation, inputs: Values): string =>
  `Look for it in the cloud; if it is there, import it (${importCommand(operation, "ID", inputs)}) before the next run, or set adopt_existing`;

const choices = (operation: Operation, rows: readonly Row<Fields>[]): string =>
  `Import the one that is meant, by its id: ${rows.map(({ id }) => id).join(", ")}${operation.resource.parents ? ` (after ${operation.resource.parents.join(", ")} and a comma)` : ""}`;
