import type { Values } from "./value.ts";

/** What must be remembered of an object that a failed operation leaves behind. */
export interface ResourceState {
  readonly id: string | undefined;
  /** The task that will name the object, while its id is not known. */
  readonly task: string | undefined;
  /** Every field; null where there is none. */
  readonly values: Values;
  /** Dotted paths of unreadable fields whose real value was never seen (imported, adopted). */
  readonly unread: readonly string[];
  /** The cloud's verdict on its making: it never was ready, and is made anew. */
  readonly failed?: string;
}
