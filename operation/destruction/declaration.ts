import type { Values } from "../../provider/core/value.ts";

/** Declarations of operations that destroy. */

/** Maximum number of rows of a listing that are read. */
export const mostRows = 10_000;

/** Reads by the names of operations. Each throws the error of its request. */
export interface Reads {
  /** Returns the response of an operation. */
  one(operation: string, args: Values): Promise<unknown>;
  /** Returns the response of an operation; undefined if the API answers that there is no such object. */
  find(operation: string, args: Values): Promise<unknown>;
  /** Returns the rows of all pages of a listing, and at most `mostRows`. */
  rows(operation: string, args: Values): Promise<readonly unknown[]>;
  /** Returns the error of a response that does not show what was asked for. `reason` is the end of a sentence. */
  unread(operation: string, reason: string): Error;
}

/**
 * Reads an object. Returns undefined if a listing lacks it. Throws the error of a request, and of a response that does not name the object
 * that was asked for.
 */
export type ObjectReader = (inputs: Values, reads: Reads) => Promise<unknown>;

/** Objects that an operation may destroy in addition to its object, or that are lost because of it. */
export interface Companion {
  /** Noun phrase: "the snapshots of the volume". */
  readonly about: string;
  /** Reads them; undefined if no operation lists them. */
  readonly read?: (inputs: Values, reads: Reads, object: unknown) => Promise<CompanionRows>;
}

/** Rows of companions. */
export interface CompanionRows {
  /** Rows that belong to the object. */
  readonly rows: readonly unknown[];
  /** Rows whose IDs are missing, or masked, so that they may belong to it. */
  readonly uncertain?: readonly unknown[];
  /** True if there are more of them than were read. */
  readonly hasMore?: boolean;
}

/** Declaration of an operation that destroys. */
export interface Destruction {
  /** Reads the object that is lost, or the reason why no operation can read it, as a sentence. */
  readonly object: ObjectReader | string;
  readonly companions?: readonly Companion[];
  /** Name of the parameter that identifies the object; null if none does. Default: the last required text. */
  readonly identifier?: string | null;
  /** Condition and its sentence, for an operation that destroys with some arguments only. */
  readonly when?: { readonly about: string; readonly isMet: (inputs: Values) => boolean };
  /** Sentence about the loss, for an operation whose own sentence lacks it. */
  readonly about?: string;
  /** Names of fields of the object that change without a change of the object. */
  readonly volatile?: readonly string[];
}
