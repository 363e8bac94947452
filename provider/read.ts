import { finishTask } from "./create.ts";
import type { Resource } from "./define.ts";
import { FailedError, type Held, InputError } from "./errors.ts";
import { isMasked, misfit } from "./krn.ts";
import { ever } from "./listing.ts";
import { type Address, addressOf, listing, observe, remember, unreadPaths } from "./observe.ts";
import { type Operation, regionFor } from "./operation.ts";
import type { Values } from "./value.ts";

/** Pauses between the looks that have to agree before an object found missing unasked counts as gone. */
const pauses = [1_000, 2_000];

/**
 * What the cloud shows of a remembered object; undefined only when it is proven gone (reliability 3.9). A refusal,
 * a page, a cut body is an error and leaves the state alone.
 */
export async function read(operation: Operation, held: Held): Promise<Held | undefined> {
  const { resource, session } = operation;
  const region = regionFor(session, resource, held.values.region);
  const id = held.id ?? (await named(operation, held, region));
  if (id === undefined) return held.task === undefined ? undefined : held;
  const seen = await look(operation, addressOf(resource, id, region, held.values), held.values);
  if (seen === undefined) {
    operation.warn(
      "An object is gone",
      `${operation.subject} (${id}) was deleted outside: three looks found nothing. The next apply makes it again.`,
    );
    return undefined;
  }
  const unread = held.unread.filter((path) => path !== "");
  return { id, task: undefined, values: remember(resource.fields, { ...seen, region }, held.values), unread };
}

/** The id that a kept task has named meanwhile. A task that failed left nothing. */
async function named(operation: Operation, held: Held, region: string): Promise<string | undefined> {
  const known: { id?: string; task: string } = { task: held.task ?? "" };
  if (held.task === undefined) return undefined;
  try {
    return await finishTask(operation, held.values, region, known);
  } catch (error) {
    if (error instanceof FailedError) return known.id;
    throw error;
  }
}

/** Sees an object, or proves that it is not there: three spaced looks and, where there is one, a complete listing. */
async function look(operation: Operation, address: Address, mine: Values): Promise<Values | undefined> {
  const { ports, listings } = operation.session;
  let after = ever;
  for (const pause of [0, ...pauses]) {
    if (pause > 0) await ports.clock.sleep(pause, operation.signal);
    const mark = listings.mark();
    const seen = await observe(operation, address, after, mine);
    if (seen !== undefined) return seen;
    after = mark;
  }
  const rows = await listing(operation, address, after);
  if (rows?.some(({ id }) => id === address.id))
    throw operation.failed(
      "a listing shows it, but it cannot be read",
      { is: "unknown" },
      "Run again in a minute",
    );
  return undefined;
}

/** `In-Hyderabad-1,vpc,volume`: region if it is another than the provider's, parents, id. */
export function parseImportId(
  resource: Resource,
  text: string,
): { id: string; region: string | undefined; values: Values } {
  const parents = resource.parents ?? [];
  const parts = text.split(",").map((part) => part.trim());
  const form = [...parents, "id"].join(",");
  const regional = resource.regional !== false;
  const given = parts.length === parents.length + 2 && regional ? parts.shift() : undefined;
  const problem = (what: string) => new InputError([{ path: ["id"], problem: what }]);
  if (parts.length !== parents.length + 1 || parts.includes("") || given === "")
    throw problem(
      `${JSON.stringify(text)} is not of the form ${form}${regional ? ` or region,${form}` : ""}`,
    );
  if (parts.some(isMasked)) throw problem("is masked (***); the full id is needed");
  const id = parts.at(-1) ?? "";
  const wrong = misfit(id, resource.name);
  if (wrong !== undefined) throw problem(wrong);
  const values = Object.fromEntries(parents.map((name, index) => [name, parts[index] ?? ""]));
  return { id, region: given, values };
}

/** Takes up an object by its import id. What the cloud never returns stays unread, or takes its default. */
export async function importObject(operation: Operation, text: string): Promise<Held> {
  const { resource, session } = operation;
  const { id, region: given, values: parents } = parseImportId(resource, text);
  const region = regionFor(session, resource, given);
  const seen = await observe(operation, addressOf(resource, id, region, parents), ever, parents);
  if (seen === undefined)
    throw operation.failed(
      `nothing is there under ${id} in ${region}`,
      { is: "unknown" },
      "Check the id, the region and the account of the API key",
    );
  const values = remember(resource.fields, { ...parents, ...seen, region }, {}, "defaults");
  return { id, task: undefined, values, unread: unreadPaths(resource.fields, values) };
}
