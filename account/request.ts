import { explain, InputError, OperationError } from "../provider/core/error.ts";
import { comparable } from "../provider/core/krn.ts";
import type { ResourceState } from "../provider/core/state.ts";
import { isRecord, type Value, type Values } from "../provider/core/value.ts";
import type { Fields } from "../provider/definition/field.ts";
import type { Resource } from "../provider/definition/resource.ts";
import { engine, type Listed, type Session } from "../provider/engine/engine.ts";
import type { Journal } from "./journal.ts";
import type { Gap } from "./object.ts";
import { isStop } from "./stop.ts";

/** Listings and reads of an inventory. A journal has the results of an interrupted run. */

export interface Requests {
  readonly session: Session;
  readonly stop: AbortSignal;
  readonly journal?: Pick<Journal, "get" | "put"> | undefined;
}

/** Kind whose objects are listed, with the values that select the listing, such as the id of a VPC. */
export interface ListedScope {
  readonly resource: Resource;
  readonly scope: Values;
}

/** Returns the rows of a listing. Throws an `OperationError` or an `InputError` if it fails. */
export const listRows = (requests: Requests, { resource, scope }: ListedScope): Promise<readonly Listed[]> =>
  journaled(
    requests,
    ["list", resource.name, scope],
    () => engine.list(requests.session, resource, scope, { stop: requests.stop }),
    (rows) => rows.some(({ state, partial }) => hasSecret(resource.fields, (state ?? partial)?.values)),
  );

/** Returns the rows of a new listing; undefined if it fails. */
export const listAgain = (
  { session, stop }: Requests,
  { resource, scope }: ListedScope,
): Promise<readonly Listed[] | undefined> =>
  engine.list(session, resource, scope, { stop }).catch((failure) => {
    reasonOf(failure);
    return undefined;
  });

/** Maximum number of reads of an object that a listing shows and a read does not find (docs/reliability.md#4.3). */
const tries = 3;

/**
 * Reads an object of which a listing shows too little. A read that does not find it proves nothing: as long as a new listing
 * shows the object, it is read again. Returns the reason if it was deleted or could not be read.
 */
export async function readObject(
  requests: Requests,
  place: ListedScope,
  listed: Listed,
): Promise<{ readonly state: ResourceState } | Pick<Gap, "reason" | "isIncomplete">> {
  const { resource } = place;
  const { session, stop } = requests;
  for (let read = 1; ; read++) {
    try {
      const state = await journaled(
        requests,
        ["read", resource.name, listed.id, listed.values],
        () => engine.import(session, resource, listed, { stop }),
        ({ values }) => hasSecret(resource.fields, values),
      );
      return { state };
    } catch (error) {
      const failure = { reason: reasonOf(error), isIncomplete: true };
      if (!isMissing(error) || read === tries) return failure;
      const rows = await listAgain(requests, place);
      if (rows === undefined) return failure;
      if (!rows.some(({ id }) => comparable(id) === comparable(listed.id)))
        return { reason: "it was deleted while the account was read", isIncomplete: false };
    }
  }
}

/** Returns the result of a request, from the journal if that has it, and adds it there unless it has a secret. */
async function journaled<T>(
  { journal }: Requests,
  key: readonly Value[],
  request: () => Promise<T>,
  isSecret: (result: T) => boolean,
): Promise<T> {
  const known = journal?.get(JSON.stringify(key));
  if (known !== undefined) return known as T;
  const result = await request();
  if (!isSecret(result)) journal?.put(JSON.stringify(key), result);
  return result;
}

/** Returns true for values with a secret, also in a group. */
const hasSecret = (fields: Fields, values: Values = {}): boolean =>
  Object.entries(fields).some(([name, field]) => {
    const value = values[name] ?? null;
    if (value === null) return false;
    if (field.kind === "group") return isRecord(value) && hasSecret(field.fields, value);
    return field.options.secret === true;
  });

/** Returns the reason of a failed listing or read. Throws a stop, and an error that concerns no listing. */
export function reasonOf(error: unknown): string {
  if (error instanceof InputError) return explain(error).detail.replace(/\.$/, "");
  if (error instanceof OperationError && !isStop(error)) {
    const { summary, detail } = explain(error);
    const [step = "", why = ""] = detail.split("\n");
    return `${summary.charAt(0).toLowerCase()}${summary.slice(1)}: ${error.cause === undefined ? step : why}`.replace(
      /\.$/,
      "",
    );
  }
  throw error;
}

const notFound: ReadonlySet<string> = new Set(["check-id", "import-with-region"]);

/** Returns true if a read did not find the object. */
const isMissing = (error: unknown): boolean =>
  error instanceof OperationError &&
  error.cause === undefined &&
  error.remedies.some(({ code }) => notFound.has(code));
