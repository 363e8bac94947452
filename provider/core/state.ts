import { isRecord, type Value, type Values } from "./value.ts";
import type { Text } from "./wording.ts";

/** Create that was interrupted while the outcome of its request was unknown. */
export interface InterruptedCreate {
  /** Time of the request in ms since 1970, by the clock of the API: an older object is not the created one. */
  readonly sentAt?: number | undefined;
  /**
   * Time of the interruption in ms since 1970, by the clock of the API: an object that is created `settle_seconds` later is
   * not the created one. States of version 0.1.0 have none, and then nothing shows which object is.
   */
  readonly stoppedAt?: number | undefined;
  /** Ids in the listing before the request. */
  readonly seenIds: readonly string[];
  /** True if all rows of that listing had a creation time: a row without one can be older than the request. */
  readonly isDated?: true | undefined;
}

/** Change that must not be sent twice and whose effect no read has shown yet. */
export interface UnconfirmedChange {
  /** Time of the request in ms since 1970. */
  readonly sentAt: number;
  /** Values that were sent; empty if a value was removed, as a removal may be sent again. */
  readonly values: Values;
  /** True if the response was ambiguous: what the API returns only there, such as the id of a job, is not known. */
  readonly isUnanswered?: true;
}

/** Returns true for a stored change. The state of another version may contain any value instead. */
export const isUnconfirmed = (
  stored: Value | undefined,
): stored is UnconfirmedChange & { [name: string]: Value } =>
  isRecord(stored) && typeof stored.sentAt === "number" && isRecord(stored.values);

/** State of an object that the engine stores, also after a failed operation. */
export interface ResourceState {
  readonly id: string | undefined;
  /** Id of the task that returns the id of the object, while the latter is unknown. */
  readonly task: string | undefined;
  /** Set while neither id nor task is known: the next read searches for the object. */
  readonly interrupted?: InterruptedCreate | undefined;
  /** Values of all fields; null for a field without a value. */
  readonly values: Values;
  /** Dotted paths of unreadable fields whose real value is unknown, as the object was imported or adopted. */
  readonly unread: readonly string[];
  /**
   * Possible values of each unread group, from the import. The configuration selects one of them, whose computed values
   * are then known in the plan.
   */
  readonly candidates?: Values | undefined;
  /**
   * Time of the create in ms since 1970, recorded for objects that reads can show: a miss soon after the create proves
   * nothing. Also recorded while only the task is known, which may not show the id yet, and for an interrupted create.
   */
  readonly createdAt?: number | undefined;
  /**
   * Time of the last update that wrote the whole object, in ms since 1970: until `settle_seconds` after it, a read may show
   * the object as it was before.
   */
  readonly writtenAt?: number | undefined;
  /**
   * Account of the credentials that created or imported the object, recorded if it was known and neither the id nor the
   * values contain it.
   */
  readonly account?: string | undefined;
  /**
   * Set by a failed update or create whose change only listings show. The next run does not send the same change again
   * while a listing may not show it yet.
   */
  readonly unconfirmed?: UnconfirmedChange | undefined;
  /** Error of a failed create: the object was never ready, and the next apply replaces it. */
  readonly failed?: Text;
  /**
   * Set if only a search found the object and its create failed later. Terraform must not store such a state: it taints
   * the object, and the next apply would delete an object that may belong to somebody else.
   */
  readonly foundBySearch?: true;
}
