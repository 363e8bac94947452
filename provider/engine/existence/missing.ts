import type { OperationError } from "../../core/error.ts";
import { matchesMasked, sameId, uuidOf } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { Fields } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Row } from "../../definition/verb.ts";
import { refuseUnidentified } from "../identity.ts";
import type { Operation } from "../operation.ts";
import { importIdIn } from "../remediation.ts";
import { ever } from "../shared-listing.ts";
import type { Address } from "../state/address.ts";
import { confirmed, hasLost } from "../state/compare.ts";
import { isProvenAbsent, unprovenMs } from "./absence.ts";
import { settleMs } from "./age.ts";
import { listIfAuthoritative, readCurrent } from "./current.ts";
import { createdAtOf, isListedWithoutId, matches, matching } from "./row.ts";
import { visibilityOf } from "./visibility.ts";

/** Reads of an object that may be gone (docs/reliability.md#3.9). */

/** Pauses in ms between the consecutive misses before an object counts as gone; the last one is repeated. */
const pauses = [1_000, 2_000, 4_000, 8_000];

/** Result of `readUnlessGone`. */
export type Sought =
  | { readonly is: "shown"; readonly values: Values }
  /** No read shows the object, which proves nothing yet. */
  | { readonly is: "young" }
  /** Proven gone. `namesakes` are the ids of listed objects that have its name. */
  | { readonly is: "gone"; readonly namesakes: readonly string[] };

/**
 * Reads an object. It counts as gone after several reads with pauses and, if available, a complete listing. For a young object
 * (`isYoung`, called after each response) misses are no such proof. Throws `OperationError` if something contradicts them.
 */
export async function readUnlessGone(
  operation: Operation,
  address: Address,
  { values: recorded }: Pick<ResourceState, "values">,
  isYoung: () => boolean,
): Promise<Sought> {
  const { resource, session } = operation;
  const { ports, listings } = session;
  const { isReadable, misses } = visibilityOf(resource);
  // For an object that no route reads, more than one attempt proves nothing.
  const reads = isReadable ? misses : 1;
  let after = ever;
  let since = ports.clock.monotonic();
  for (let [attempt, last] = [1, since]; ; attempt++) {
    const observed = await readCurrent(operation, address, { after, known: recorded });
    const now = ports.clock.monotonic();
    since += unprovenMs(last, now);
    last = now;
    after = listings.mark();
    if (observed !== undefined) {
      const again = () => readCurrent(operation, address, { after, known: recorded });
      return { is: "shown", values: await withoutDoubt(resource, observed, recorded, again) };
    }
    // The caller keeps a young object in the state, so it needs no proof.
    if (attempt >= reads && (isYoung() || (await isProvenAbsent(operation, address, since)))) break;
    if (attempt >= reads && now - since >= 2 * settleMs(session)) throw listedOnly(operation);
    await ports.clock.sleep(pauses[Math.min(attempt, pauses.length) - 1] ?? 0, operation.signal);
  }
  const rows = await listIfAuthoritative(operation, address, after);
  const contradiction = rows && contradictionIn(operation, rows, address, recorded);
  if (contradiction !== undefined) throw contradiction;
  if (isYoung()) return { is: "young" };
  const other = rows?.find((row) => isPossibly(resource, row, address, recorded));
  if (other !== undefined) throw possiblyListed(operation, other, address, recorded);
  await refuseUnidentified(operation, address, { values: recorded });
  const isNamed = Object.hasOwn(resource.fields, "name");
  const namesakes = isNamed ? matching(resource, rows ?? [], recorded).map(({ id }) => id) : [];
  return { is: "gone", namesakes };
}

/** Returns the error of a listing that shows the object, or may do so; undefined if it does not. */
function contradictionIn(
  operation: Operation,
  rows: readonly Row<Fields>[],
  { id }: Address,
  recorded: Values,
): OperationError | undefined {
  if (isListedWithoutId(operation.resource, rows, recorded))
    return operation.failed(
      "a listing shows an object without an ID, which may be this one",
      { is: "unknown" },
      ["run-again-later"],
    );
  return rows.some((row) => matchesMasked(row.id, id)) ? listedOnly(operation) : undefined;
}

/**
 * Returns true if a row with another id can be the recorded object: it has the same UUID, or the same name and creation
 * time. Any other object of the name is another object.
 */
function isPossibly(resource: Resource, row: Row<Fields>, { id }: Address, recorded: Values): boolean {
  if (row.id === "" || sameId(row.id, id)) return false;
  const uuid = uuidOf(id);
  if (uuid !== undefined && uuidOf(row.id) === uuid) return true;
  const createdAt = createdAtOf(recorded);
  return createdAt !== undefined && createdAtOf(row) === createdAt && matches(resource, row, recorded);
}

/** Returns the error for a row that may be the object, under another id. */
function possiblyListed(
  operation: Operation,
  row: Row<Fields>,
  { id, region }: Address,
  recorded: Values,
): OperationError {
  const { resource, session } = operation;
  return operation.failed(
    `a listing shows ${row.id}, which may be the object with the recorded ID ${id}`,
    { is: "unknown" },
    [
      {
        code: "import-listed",
        resource: resource.name,
        importId: importIdIn(session, resource, { id: row.id, values: recorded, region }),
      },
    ],
  );
}

/** Returns the error for an object that a listing shows and reads do not find. */
const listedOnly = (operation: Operation): OperationError =>
  operation.failed("a listing shows it, but it cannot be read", { is: "unknown" }, ["run-again-later"]);

/** Returns the values of a read. Reads again if a recorded value is missing that an object can lose. */
async function withoutDoubt(
  { fields }: Resource,
  observed: Values,
  recorded: Values,
  again: () => Promise<Values | undefined>,
): Promise<Values> {
  if (!hasLost(fields, observed, recorded)) return observed;
  const later = await again();
  return later === undefined ? observed : confirmed(fields, observed, later, recorded);
}
