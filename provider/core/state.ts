import { isRecord, type Value, type Values } from "./value.ts";

/** Create that a stop interrupted while the outcome of its request was unknown. */
export interface InterruptedCreate {
  /** Time of the request in ms since 1970, by the clock of the API: an older object is another one. */
  readonly sentAt?: number | undefined;
  /** Ids that the listing before the request showed. */
  readonly seenIds: readonly string[];
}

/** Change that must not be sent twice, and whose effect no read has shown. */
export interface UnconfirmedChange {
  /** Time of the request in ms since 1970. */
  readonly sentAt: number;
  /** Values that were sent; empty for a value that was removed, as that may be sent again. */
  readonly values: Values;
}

/** Returns true for a stored change; a state that another version wrote may hold anything. */
export const isUnconfirmed = (
  stored: Value | undefined,
): stored is UnconfirmedChange & { [name: string]: Value } =>
  isRecord(stored) && typeof stored.sentAt === "number" && isRecord(stored.values);

/** State of an object as the engine stores it, also after a failed operation. */
export interface ResourceState {
  readonly id: string | undefined;
  /** Task that returns the id of the object, while the id is unknown. */
  readonly task: string | undefined;
  /** Set while neither id nor task is known: the next read searches for the object. */
  readonly interrupted?: InterruptedCreate | undefined;
  /** Values of all fields; null for a field without a value. */
  readonly values: Values;
  /** Dotted paths of unreadable fields whose real value is unknown, as the object was imported or adopted. */
  readonly unread: readonly string[];
  /**
   * For unread groups: what each can be, as the import showed it. The group that the configuration selects has computed
   * values, which are known before it is recorded.
   */
  readonly candidates?: Values | undefined;
  /**
   * Time of the create in ms since 1970, recorded once for an object that a read shows: for a while, that it is not found
   * proves nothing. Also recorded while only the task is known, which may not show the id yet, and for a create that a
   * stop interrupted.
   */
  readonly createdAt?: number | undefined;
  /**
   * Account of the credentials that created or imported the object, recorded once if it was known and neither the id nor
   * the values name it.
   */
  readonly account?: string | undefined;
  /**
   * Set by a failed update or create whose change only listings show: the next run does not send the same change again
   * while they may not show it yet.
   */
  readonly unconfirmed?: UnconfirmedChange | undefined;
  /** Error of a failed create: the object was never ready, and the next apply replaces it. */
  readonly failed?: string;
  /**
   * Set if only a search found the object, and its create failed later. Terraform must not store such a state: it taints
   * the object, and the next apply would delete what may be somebody else's.
   */
  readonly foundBySearch?: true;
}
