import type { Api } from "./api.ts";
import type { Fields } from "./field.ts";
import type { Inputs, Observed, State } from "./inference.ts";

/** How a resource travels: the second part of its definition. */

/** What an object is found by: its id, its parents, its region. */
export type Key<F extends Fields, P extends keyof F & string> = {
  readonly id: string;
  readonly region: string;
} & { readonly [K in P]: string };
/** Where objects are listed: a key without the id. */
export type Scope<F extends Fields, P extends keyof F & string> = Omit<Key<F, P>, "id">;

/** One row of a listing: as much of the object as a listing shows, and the task that makes it where it names one. */
export type Row<F extends Fields> = { readonly id: string; readonly task?: string | undefined } & Partial<
  Observed<F>
>;

/** What an accepted create gives back: the id, or a task that will name it, or nothing at all. */
export interface Receipt {
  readonly id?: string | undefined;
  readonly task?: string | undefined;
  /** The fields that are shown `once`. */
  readonly once?: Readonly<Record<string, string | undefined>>;
}

/** Where a task stands. An id may be known long before it is done. */
export interface TaskState {
  readonly status: "running" | "done" | "failed";
  readonly id?: string | undefined;
  /** The cloud's own word or sentence, for progress and failure texts. */
  readonly detail?: string | undefined;
}

/** What a delete is done with. */
export type Deletion<F extends Fields, P extends keyof F & string> = Key<F, P> & {
  readonly api: Api;
  readonly prior: State<F>;
  /** A one-time password, for a resource with `otpDelete`: asked for last, when nothing but its request is left to do. */
  readonly otp: () => Promise<string | undefined>;
};

/** What stands in the way of something else, as a listing shows it. */
export interface RelatedObject {
  /** Its noun: `security-group`. */
  readonly kind: string;
  readonly id: string;
  readonly name?: string | undefined;
}

/** How a resource travels. `create`, `delete` and a way to read it are due; a missing verb has a meaning. */
export interface Verbs<F extends Fields, P extends keyof F & string> {
  /**
   * All objects of a scope. Must be complete: it is what decides whether a thing exists. With `whole`, its rows
   * are as good as a read, and refreshes and waits share one listing per scope; a task is then asked only while no
   * row tells of it. As a function, `whole` completes a row by what is remembered, or says that a read is due.
   */
  readonly list?: (call: { api: Api } & Scope<F, P>) => Promise<Row<F>[]>;
  readonly whole?: true | ((row: Row<F>, remembered: State<F>) => Row<F> | undefined);
  /** Whether a row could be what these inputs would make. Default: equal names. */
  readonly matches?: (row: Row<F>, inputs: Inputs<F>) => boolean;
  /** One request, once. */
  readonly create: (call: { api: Api; region: string; inputs: Inputs<F> }) => Promise<Receipt>;
  /** Where a task stands; undefined while the cloud does not know it. */
  readonly task?: (call: {
    api: Api;
    region: string;
    task: string;
    inputs: Inputs<F> | undefined;
  }) => Promise<TaskState | undefined>;
  /**
   * One object by its key; needless where a whole listing is all there is to read. `remembered` is what was
   * configured or kept of it: a hint for what the cloud shows without a name.
   */
  readonly read?: (call: { api: Api; remembered: State<F> } & Key<F, P>) => Promise<Observed<F> | undefined>;
  /** Sends what changed, nothing else. Without this verb every change replaces. */
  readonly update?: (
    call: { api: Api; inputs: Inputs<F>; prior: State<F>; changed: ReadonlySet<keyof F> } & Key<F, P>,
  ) => Promise<void>;
  /** What keeps it from being made, asked for once the cloud says that something does. */
  readonly conflicts?: (call: {
    api: Api;
    region: string;
    inputs: Inputs<F>;
  }) => Promise<readonly RelatedObject[]>;
  /** What keeps it from being deleted, asked for once the cloud says that something does. */
  readonly dependents?: (
    call: { api: Api; prior: State<F> } & Key<F, P>,
  ) => Promise<readonly RelatedObject[]>;
  /** Where no route deletes it, what becomes of it, as a sentence: a destroy says that, and forgets it. */
  readonly delete: ((call: Deletion<F, P>) => Promise<void>) | { stays: string };
}
