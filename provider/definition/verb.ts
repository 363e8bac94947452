import type { GivenRemedy } from "../core/remedy.ts";
import type { Api } from "./api.ts";
import type { Fields } from "./field.ts";
import type { Inputs, Observed, State } from "./inference.ts";

/** Verbs: the second part of a definition, the requests of a resource. */

/** Key of an object: its id, its parents, its region. */
export type Key<F extends Fields, P extends keyof F & string> = {
  readonly id: string;
  readonly region: string;
} & { readonly [K in P]: string };
/** Key of a listing: parents and region, without the id. */
export type Scope<F extends Fields, P extends keyof F & string> = Omit<Key<F, P>, "id">;

/**
 * Row of a listing: the fields that it shows, the task that creates the object, if the row names one, and the time of
 * the create, if the row shows it. An id of "" means that the listing hides it.
 */
export type Row<F extends Fields> = {
  readonly id: string;
  readonly task?: string | undefined;
  readonly createdAt?: string | undefined;
} & Partial<Observed<F>>;

/** Reason of a conflict that does not clear by itself, as a clause, and what the user can do about it. */
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
  /** Values of an object that exists in the state only (`stateOnly`). */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** State of a task. The id may be known long before the task is done. */
export interface TaskState {
  readonly status: "running" | "done" | "failed";
  readonly id?: string | undefined;
  /** Status or message of the API, for progress and errors. */
  readonly detail?: string | undefined;
}

/** Arguments of the verb `delete`. */
export type Deletion<F extends Fields, P extends keyof F & string> = Key<F, P> & {
  readonly api: Api;
  readonly prior: State<F>;
  /** True until `settle_seconds` after the create, or a change with the option `once`: listings may not show all of it. */
  readonly isRecent: boolean;
  /**
   * Returns a one-time password, for a resource with `otpDelete`. Ask for it last, when only the request with
   * the password is left.
   */
  readonly otp: () => Promise<string | undefined>;
};

/** Object that blocks another one, as a listing shows it. */
export interface RelatedObject {
  /** Resource kind: `security-group`. */
  readonly kind: string;
  readonly id: string;
  readonly name?: string | undefined;
}

/**
 * Requests of a resource. `create`, `delete` and either `read` or `list` with `whole` are required.
 * A missing verb has a meaning: without `update` every change replaces; without `list` there is no lookup, no
 * import by name and no search after an ambiguous create.
 *
 * A verb sends requests and translates values. Order, retries, waiting, recovery, adoption and proof of
 * deletion belong to the engine.
 * An error that does not prove that nothing was created is thrown on as a `CloudError` with
 * `mayHaveExecuted`: the engine searches for the object first.
 */
export interface Verbs<F extends Fields, P extends keyof F & string> {
  /**
   * Returns all objects of a scope. The listing must be complete: search, recovery and proof of deletion rely
   * on it. An answer with very many rows is read row by row with `inRows` (`endpoint.ts`).
   */
  readonly list?: (call: { api: Api } & Scope<F, P>) => Promise<Row<F>[]>;
  /**
   * True if a row shows everything that a read shows: refreshes and waits then share one listing per scope, and tasks
   * are read only while no row shows their object. As a function, it completes a row with stored values, or returns
   * undefined if a read is needed.
   */
  readonly whole?: true | ((row: Row<F>, remembered: State<F>) => Row<F> | undefined);
  /** Returns true if the row can be the object that these inputs create. Default: equal names. */
  readonly matches?: (row: Row<F>, inputs: Inputs<F>) => boolean;
  /**
   * Sends the create, exactly one request. The engine never repeats it after an ambiguous response
   * (docs/reliability.md#3.3).
   */
  readonly create: (call: { api: Api; region: string; inputs: Inputs<F> }) => Promise<Receipt>;
  /** Returns the state of a task; undefined while the API does not know it. */
  readonly task?: (call: {
    api: Api;
    region: string;
    task: string;
    inputs: Inputs<F> | undefined;
  }) => Promise<TaskState | undefined>;
  /**
   * Reads one object by its key; undefined if the API answers 404. Not needed if a `whole` listing shows
   * everything.
   * `remembered` is the configured or stored object: a hint for values that the API returns without a name.
   */
  readonly read?: (
    call: {
      api: Api;
      remembered: State<F>;
      /** True until `settle_seconds` after the create, or a change with the option `once`: listings may not show all of it. */
      isRecent: boolean;
    } & Key<F, P>,
  ) => Promise<Observed<F> | undefined>;
  /**
   * Returns the object created last, for a resource without a listing: the error of a create with an ambiguous response
   * names its import.
   */
  readonly newest?: (call: { api: Api; region: string }) => Promise<Row<F> | undefined>;
  /**
   * Returns true if another route than that of the read shows all objects of the parent, and not this one. For
   * resources without a listing that decides whether an object exists.
   */
  readonly isAbsent?: (call: { api: Api } & Key<F, P>) => Promise<boolean>;
  /**
   * Returns true while the API works on something that shows the object only afterwards: until then it is not missing.
   */
  readonly isInProgress?: (call: { api: Api } & Key<F, P>) => Promise<boolean>;
  /**
   * Sends the fields in `changed`, and nothing else. Without this verb every change replaces. Returns new values of the
   * computed fields that identify the object, if the response shows some.
   */
  readonly update?: (
    call: {
      api: Api;
      inputs: Inputs<F>;
      prior: State<F>;
      changed: ReadonlySet<keyof F>;
      /** True if an earlier attempt of this update may have been executed. */
      repeated: boolean;
      /** True until `settle_seconds` after the create, or a change with the option `once`: listings may not show all of it. */
      isRecent: boolean;
    } & Key<F, P>,
  ) => Promise<void> | Promise<Partial<State<F>> | undefined>;
  /**
   * Lists the objects that block the create. Called after the API reported a conflict; the error names them.
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
    seen: Partial<State<F>>;
  }) => Blocked | undefined;
  /**
   * Lists the objects that block the delete. Called after the API reported a conflict; the error names them.
   */
  readonly dependents?: (
    call: { api: Api; prior: State<F> } & Key<F, P>,
  ) => Promise<readonly RelatedObject[]>;
  /**
   * Deletes the object. For an undeletable object, which no route deletes, `{ undeletable }` is the sentence that says
   * what happens to it: plan and destroy show the sentence, and the object is removed from the state. An equal create
   * in the same run resumes with that object.
   */
  readonly delete: ((call: Deletion<F, P>) => Promise<void>) | { undeletable: string };
}
