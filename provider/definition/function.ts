import * as z from "zod/mini";
import { formatDuration } from "../core/duration.ts";
import type { GivenRemedy } from "../core/remedy.ts";
import type { Values } from "../core/value.ts";
import type { Text } from "../core/wording.ts";
import type { Api } from "./api.ts";
import type { Category } from "./category.ts";
import { type Fields, field } from "./field.ts";
import type { Inputs, State } from "./inference.ts";
import { type Region, type Resource, type Rule, regionalFields } from "./resource.ts";
import { duration } from "./validator.ts";

/** Credentials of the root user, or of a user of the account if `account` is set. */
export interface Login {
  readonly email: string;
  readonly password: string;
  readonly account: string | undefined;
}

/** Result of one poll: the awaited value, or the current status while the wait continues. */
export type Poll<T> = { readonly done: T } | { readonly pending: Text };

/** Definitions of everything that has no state: lookups, pure functions, ephemeral resources and actions. */

/** Contract of a lookup: its inputs and its results. */
export interface LookupContract<F extends Fields> {
  /** Resource kind that is looked up; plural if the lookup returns several objects. */
  readonly name: string;
  readonly category: Category;
  readonly about: Text;
  readonly regional?: boolean;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
}

/** Arguments of the function `read` of a lookup. */
export interface LookupRequest<F extends Fields> {
  readonly api: Api;
  readonly region: string;
  readonly inputs: Inputs<F>;
  /** Calls `list`, or returns the recent result of another lookup in this run with the same key `what`. */
  readonly share: <T>(what: string, list: () => Promise<T>) => Promise<T>;
  /** Returns the time in ms since 1970: that of the API once a request of this process was answered. */
  readonly now: () => number;
}

/** Lookup with its own requests. */
export interface CustomLookup extends LookupContract<Fields> {
  readonly read: (question: LookupRequest<Fields>) => Promise<State<Fields>>;
}

/** Lookup derived from a resource that can be listed: the engine sends the requests. */
export interface ResourceLookup extends LookupContract<Fields> {
  readonly resource: Resource;
  /** One object by its id or other fields, or all matching objects of the scope. */
  readonly finds: "one" | "all";
}

/** Data source or invoke: reads from the API and changes nothing. */
export type Lookup = CustomLookup | ResourceLookup;

/** Defines a lookup in two calls, as `defineResource` does: the contract, then the function `read`. */
export const defineLookup =
  <const F extends Fields>(contract: LookupContract<F>) =>
  (read: (question: LookupRequest<F & Region>) => Promise<State<F & Region>>): CustomLookup =>
    ({ ...contract, fields: regionalFields(contract), read }) as unknown as CustomLookup;

/** Contract of a function: its arguments and its result. */
export interface FunctionContract<F extends Fields, R> {
  /** Name in kebab-case: `parse-id`. */
  readonly name: string;
  readonly category: Category;
  readonly about: Text;
  /** Arguments in their order. */
  readonly fields: F;
  /** True if the last argument is a list whose entries are passed one by one. */
  readonly variadic?: true;
  readonly result: z.ZodMiniType<R>;
}

/** Function that sends no request: equal arguments give equal results. */
export interface PureFunction extends FunctionContract<Fields, unknown> {
  /** Returns the result. Throws `InputError` with paths that start with the name of the argument. */
  readonly run: (inputs: Inputs<Fields>) => unknown;
}

/** Defines a function in two calls, as `defineResource` does: the contract, then the calculation. */
export const defineFunction =
  <const F extends Fields, R>(contract: FunctionContract<F, R>) =>
  (run: (inputs: Inputs<F>) => R): PureFunction =>
    ({ ...contract, run }) as unknown as PureFunction;

/** Contract of an ephemeral resource: its inputs and its values. */
export interface EphemeralContract<F extends Fields> {
  readonly name: string;
  readonly category: Category;
  readonly about: Text;
  readonly regional?: boolean;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
}

/** Data by which an ephemeral resource is renewed or closed. No state and no log contains it. */
export interface Lease {
  readonly key: Values;
  /** Seconds until the renewal; undefined if none is needed. */
  readonly renewAfter?: number;
}

type LeaseCall = { readonly api: Api; readonly region: string; readonly key: Values };

/** Requests that open, renew and close an ephemeral resource. */
export interface EphemeralVerbs<F extends Fields> {
  readonly open: (call: {
    api: Api;
    region: string;
    inputs: Inputs<F>;
    /**
     * Returns a new token for the given login or, without one, for that of the provider. The token is redacted from all
     * later texts. Throws `InputError` if no login is given and the provider uses an API key.
     */
    signIn: (as?: Login) => Promise<string>;
    /** Returns the time in ms since 1970: that of the API once a request of this process was answered. */
    now: () => number;
    /** Calls `read` until its result is done, at most until the deadline. */
    poll: <T>(read: () => Promise<Poll<T>>) => Promise<T>;
  }) => Promise<{ readonly values: State<F>; readonly lease?: Lease }>;
  /** Renews the lease and returns the new one. */
  readonly renew?: (call: LeaseCall) => Promise<Lease>;
  /** Closes the resource. The key can be that of `open` or of the last renewal: both must work. */
  readonly close?: (call: LeaseCall) => Promise<void>;
}

/** Ephemeral resource: exists while an engine runs and is never stored in a state. */
export interface Ephemeral extends EphemeralContract<Fields> {
  readonly verbs: EphemeralVerbs<Fields>;
}

/** Defines an ephemeral resource in two calls, as `defineResource` does: the contract, then the verbs. */
export const defineEphemeral =
  <const F extends Fields>(contract: EphemeralContract<F>) =>
  (verbs: EphemeralVerbs<F & Region>): Ephemeral =>
    ({ ...contract, fields: regionalFields(contract), verbs }) as unknown as Ephemeral;

/** Contract of an action: its name, its fields and the statuses that show its result. */
export interface ActionContract<F extends Fields> {
  /** Resource kind and verb, kebab-case: `instance-stop`. */
  readonly name: string;
  readonly category: Category;
  /** Description for schemas and pages. */
  readonly about: Text;
  /** Start of an error: `stopping the instance`. */
  readonly doing: string;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
  readonly regional?: boolean;
  /** Default deadline in seconds. */
  readonly timeouts: { readonly invoke: number };
  /**
   * Statuses of the object with which the action is done, and with which it has failed. Case is ignored.
   */
  readonly statuses: { readonly done: readonly string[]; readonly failed: readonly string[] };
  /**
   * Statuses that do not end by themselves and in which the API rejects the action, and the remedies.
   */
  readonly refusedIn?: { readonly statuses: readonly string[]; readonly remedies: readonly GivenRemedy[] };
  /**
   * True if the action leaves the object in another status, such as a stop. The action is not sent if the object already
   * has a status in `done`, and can be sent again after an ambiguous response while the object has none of them.
   * Without this option, as for a restart, the object returns to its first status. After an ambiguous response nothing
   * proves whether the action was executed, so it is never sent again (docs/reliability.md#3.2).
   */
  readonly lasting?: true;
  /** True if the request is never sent again, as its endpoint requires (docs/reliability.md#3.2). */
  readonly once?: true;
  /** Remedies after an ambiguous response. Default: to check the object. */
  readonly afterUnclear?: readonly GivenRemedy[];
  /** Effect on an existing object, for a review of plans that run the action. */
  readonly effect?: ActionEffect<keyof F & string>;
}

/** Effect of an action. */
export interface ActionEffect<Name extends string = string> {
  /** The action destroys data, interrupts a service, or ends the access of clients. */
  readonly is: "destroys data" | "interrupts" | "ends access";
  /** Field with the ID or name of the object. */
  readonly of?: Name;
  /** Sentence on the effect. */
  readonly text: string;
}

type Call<F extends Fields> = { readonly api: Api; readonly region: string; readonly inputs: Inputs<F> };

/** Requests of an action. */
export interface ActionVerbs<F extends Fields> {
  /**
   * Returns the status of the object, to be compared with `statuses`; undefined if there is no object. `sent` is true once the
   * action was sent, unless its response proves that it was not executed.
   */
  readonly status: (call: Call<F> & { readonly sent: boolean }) => Promise<string | undefined>;
  /** Sends the action, exactly one request. */
  readonly send: (call: Call<F>) => Promise<void>;
}

/** Action for the engine and the adapters, without the exact types of its fields. */
export interface Action extends ActionContract<Fields> {
  readonly verbs: ActionVerbs<Fields>;
}

/** Defines an action in two calls, as `defineResource` does: the contract, then the verbs. Adds the field `timeout`. */
export const defineAction =
  <const F extends Fields>(contract: ActionContract<F>) =>
  (verbs: ActionVerbs<F & Region>): Action =>
    ({
      ...contract,
      fields: { ...regionalFields(contract), timeout: timeoutOf(contract.timeouts.invoke) },
      verbs,
    }) as unknown as Action;

/** Returns the field `timeout` of an action; `seconds` is its default. */
const timeoutOf = (seconds: number) =>
  field(
    z.optional(duration),
    `Time limit of the action, such as \`30s\`, \`10m\` or \`1h30m\`. Default: \`${formatDuration(seconds)}\`.`,
  );
