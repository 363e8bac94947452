import {
  type CloudError,
  type Existence,
  FailedError,
  isAmbiguous,
  isConflict,
  mayHaveExecuted,
  type OperationError,
  StopError,
} from "../../core/error.ts";
import type { Fields } from "../../definition/field.ts";
import type { Receipt, Row } from "../../definition/verb.ts";
import type { CreateContext } from "./search.ts";

/** Outcomes of a create request that returned no receipt (docs/reliability.md#3.3). */

/**
 * - `unanswered`: no clear response.
 * - `conflict`: the first request was rejected because of another object; `late-conflict`: a later one.
 * - `refused`: a 404 or a 429: a later request may succeed, and this one may have been executed.
 * - `doubtful`: another rejection or failure that does not prove that nothing was created.
 * - `interrupted`: a stop while the request was in flight.
 * - `unclear`: another error after the request was sent.
 * - `unsent`: nothing was sent.
 */
export type Outcome =
  | "unanswered"
  | "conflict"
  | "late-conflict"
  | "refused"
  | "doubtful"
  | "interrupted"
  | "unclear"
  | "unsent";

/** Create request without a receipt. */
export interface Attempt<E = CloudError> {
  readonly context: CreateContext;
  readonly error: E;
  /** Number of the request, from 1. */
  readonly number: number;
  /** Existence of an object of the earlier requests. */
  readonly existence: Existence;
}

/** Number of the next request, and existence of an object of those before it. */
export type Again = Pick<Attempt, "number" | "existence">;

/** Receipt of the API, or the id that a search found. */
export type Created = Receipt & { readonly isFound?: true };

/** Step after an attempt: the request is sent again, an existing object is adopted, or the create ends. */
export type Next =
  | { readonly created: Created }
  | { readonly again: Again }
  | { readonly existing: readonly Row<Fields>[]; readonly conflict: CloudError }
  | { readonly failed: OperationError };

/** Returns the outcome of an attempt. A verb may read other objects before it sends the request. */
export function outcomeOf({ context: { tracker }, error, number }: Attempt<unknown>): Outcome {
  const isSent = tracker?.sent === true;
  if (isAmbiguous(error) && isSent) return "unanswered";
  if (isConflict(error)) return number === 1 ? "conflict" : "late-conflict";
  if (mayHaveExecuted(error) && (error.failure === "throttled" || error.status === 404)) return "refused";
  if (mayHaveExecuted(error) || error instanceof FailedError) return "doubtful";
  if (!isSent) return "unsent";
  return error instanceof StopError ? "interrupted" : "unclear";
}
