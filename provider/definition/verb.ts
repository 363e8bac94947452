import type { GivenRemedy } from "../core/remedy.ts";
import type { Api } from "./api.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Fields } from "./field.ts";
import type { Current, Inputs, Observed, State } from "./inference.ts";

/** Verbs: the second part of a definition, the requests of a resource. */

/** Key of an object: its id, its parents, its region. */
export type Key<F extends Fields, P extends keyof F & string> = {
  readonly id: string;
  readonly region: string;
} & { readonly [K in P]: string };
/** Key of a listing: parents and region, without the id. */
export type Scope<F extends Fields, P extends keyof F & string> = Omit<Key<F, P>, "id">;

/**
 * Row of a listing: the fields that it shows and, if the row has them, the id of the task that creates the object and the
 * creation time. An id of "" means that the listing does not show the id.
 */
export type Row<F extends Fields> = {
  readonly id: string;
  readonly task?: string | undefined;
  readonly createdAt?: string | undefined;
} & Partial<Observed<F>>;

/** Reason of a conflict that does not clear by itself, as a clause, and its remedies. */
export interface Blocked {
  readonly reason: string;
  readonly remedies: readonly GivenRemedy[];
}

/** Result of an accepted create: the id, a task that will return the id, or neither. */
export interface Receipt {
  readonly id?: string | undefined;
  readonly task?: string | undefined;
  /** Values of the fields with the option `once`, which no later response shows. */
  readonly once?: Readonly<Record<string, string | undefined>>;
  /** Values of an object that exists only in the state (`stateOnly`). */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** State of a task. The id may be known long before the task is done. */
export interface TaskState {
  readonly status: "running" | "done" | "failed";
  readonly id?: string | undefined;
  /** Status or message of the API, for progress and errors. */
  readonly detail?: string | undefined;
}

/** Functions that judge a listing by the time of the create or of the last change of a field with `once`. */
export interface Timing {
  /** Returns true until `settle_seconds` after that time: listings may be incomplete. */
  readonly isRecent: () => boolean;
  /**
   * Returns true for an object whose creation time is more than `settle_seconds` after that time: that request did not create it.
   * Returns undefined if one of the times is not known.
   */
  readonly isLater: (createdAt: string | undefined) => boolean | undefined;
}

/** Arguments of the verb `delete`. */
export type Deletion<F extends Fields, P extends keyof F & string> = Key<F, P> &
  Timing & {
    readonly api: Api;
    readonly prior: State<F>;
    /**
     * Returns a one-time password, for a resource with `otpDelete`. Call it last, when only the request with the password
     * remains.
     */
    readonly otp: () => Promise<string | undefined>;
  };

/** Object that blocks another one, from a listing. */
export interface RelatedObject {
  /** Resource kind: `security-group`. */
  readonly kind: string;
  readonly id: string;
  readonly name?: string | undefined;
}

/** Requests by which the engine learns whether an object exists, for kinds whose reads and listings do not decide it. */
interface Evidence<F extends Fields, P extends keyof F & string> {
  /**
   * Returns the object created last, for a resource without a listing. The error of a create with an ambiguous response
   * contains its import id.
   */
  readonly newest?: (call: { api: Api; region: string }) => Promise<Row<F> | undefined>;
  /**
   * Returns true if a route other than that of the read shows all objects of the parent and does not show this one, false if
   * it shows this one; undefined if it proves nothing. For resources without a listing that decides whether an object exists.
   */
  readonly isAbsent?: (call: { api: Api } & Key<F, P>) => Promise<boolean | undefined>;
  /**
   * Returns true while the API runs an operation after which the object becomes visible: until then a miss means nothing.
   */
  readonly isInProgress?: (call: { api: Api } & Key<F, P>) => Promise<boolean>;
}

/**
 * Requests of a resource. `create`, `delete` and either `read` or `list` with `whole` are required.
 * Without `update` every change replaces the object; without `list` there is no lookup, no import by name and no search
 * after an ambiguous create.
 *
 * A verb sends requests and translates values. The engine is responsible for order, retries, waits, recovery, adoption and
 * proof of deletion.
 * A verb throws an error that does not prove that nothing was created as a `CloudError` with `mayHaveExecuted`: the engine
 * then searches for the object first.
 */
export interface Verbs<F extends Fields, P extends keyof F & string> {
  /**
   * Returns all objects of a scope. The listing must be complete: search, recovery and proof of deletion depend
   * on it. A response with very many rows is read row by row with `inRows` (`endpoint.ts`).
   */
  readonly list?: (call: { api: Api } & Scope<F, P>) => Promise<Row<F>[]>;
  /**
   * True if a row shows everything that a read shows: refreshes and waits then share one listing per scope, and tasks
   * are read only while no row shows their object. A function completes a row with stored values, or returns undefined if
   * a read is needed.
   */
  readonly whole?: true | ((row: Row<F>, recorded: State<F>) => Row<F> | undefined);
  /** Returns true if the row can be the object that these inputs create. Default: equal names. */
  readonly matches?: (row: Row<F>, inputs: Inputs<F>) => boolean;
  /**
   * Sends the create, exactly one request. The engine never repeats it after an ambiguous response
   * (docs/reliability.md#3.3).
   */
  readonly create: (call: { api: Api; region: string; inputs: Inputs<F> }) => Promise<Receipt>;
  /** Returns the state of a task; undefined while the API does not show the task. */
  readonly task?: (call: {
    api: Api;
    region: string;
    task: string;
    inputs: Inputs<F> | undefined;
  }) => Promise<TaskState | undefined>;
  /**
   * Reads one object by its key; returns undefined for a 404. Not needed if a `whole` listing shows everything.
   * `recorded` has the configured or stored values, for values that the API does not return in full.
   */
  readonly read?: (
    call: {
      api: Api;
      recorded: State<F>;
    } & Timing &
      Key<F, P>,
  ) => Promise<Observed<F> | undefined>;
  readonly evidence?: Evidence<F, P>;
  /**
   * Sends the fields in `changed`, and no others, except to an endpoint with `writes`. Without this verb every change
   * replaces the object. Returns new values of the computed fields that identify the object, if the response contains some.
   */
  readonly update?: (
    call: {
      api: Api;
      inputs: Inputs<F>;
      prior: State<F>;
      changed: ReadonlySet<keyof F>;
      /**
       * Reads the object and returns the values to send to an endpoint with `writes`: planned ones for what the plan changes,
       * all others as the API shows them.
       */
      current: (endpoint: Endpoint) => Promise<Current<F>>;
      /** True if an earlier attempt of this update may have been executed. */
      repeated: boolean;
    } & Timing &
      Key<F, P>,
  ) => Promise<void> | Promise<Partial<State<F>> | undefined>;
  /**
   * Lists the objects that block the create. Called after the API reported a conflict; the error lists them.
   */
  readonly conflicts?: (call: {
    api: Api;
    region: string;
    inputs: Inputs<F>;
  }) => Promise<readonly RelatedObject[]>;
  /**
   * Returns the reason of a conflict with the change that does not clear by itself, from the values that the API shows;
   * undefined if there is none. Called after the API reported a conflict.
   */
  readonly changeBlocked?: (call: {
    inputs: Inputs<F>;
    changed: ReadonlySet<keyof F>;
    observed: Partial<State<F>>;
  }) => Blocked | undefined;
  /**
   * Lists the objects that block the delete. Called after the API reported a conflict; the error lists them.
   */
  readonly dependents?: (
    call: { api: Api; prior: State<F> } & Key<F, P>,
  ) => Promise<readonly RelatedObject[]>;
  /**
   * Deletes the object. If no route deletes objects of this kind, `{ undeletable }` is a sentence on what happens to the
   * object: plan and destroy show the sentence, and the object is removed from the state. A matching create in the same
   * run resumes with that object.
   */
  readonly delete: ((call: Deletion<F, P>) => Promise<void>) | { undeletable: string };
}
