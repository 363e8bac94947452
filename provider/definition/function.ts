import * as z from "zod/mini";
import { formatDuration } from "../core/duration.ts";
import type { GivenRemedy } from "../core/remedy.ts";
import type { Values } from "../core/value.ts";
import type { Api } from "./api.ts";
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

/** Result of one poll: the awaited value, or the status that still prevents it. */
export type Poll<T> = { readonly done: T } | { readonly still: string };

/** Definitions of everything that has no state: lookups, pure functions, ephemeral resources and actions. */

/** Contract of a lookup: its inputs and its results. */
export interface LookupContract<F extends Fields> {
  /** Resource kind that is looked up; plural if the lookup returns several objects. */
  readonly name: string;
  readonly about: string;
  readonly regional?: boolean;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
}

/** Arguments of the function `read` of a lookup. */
export interface LookupRequest<F extends Fields> {
  readonly api: Api;
  readonly region: string;
  readonly inputs: Inputs<F>;
  /** Calls `list`, or returns the recent result that another lookup of this run got for the same key `what`. */
  readonly share: <T>(what: string, list: () => Promise<T>) => Promise<T>;
  /** Returns the time in ms since 1970. */
  readonly now: () => number;
}

/** Lookup that sends requests of its own. */
export interface CustomLookup extends LookupContract<Fields> {
  readonly read: (question: LookupRequest<Fields>) => Promise<State<Fields>>;
}

/** Lookup derived from a resource that can be listed: the engine finds its objects. */
export interface ResourceLookup extends LookupContract<Fields> {
  readonly resource: Resource;
  /** One object by its id or other fields, or all matching objects of the scope. */
  readonly finds: "one" | "all";
}

/** Data source or invoke: reads through the API and changes nothing. */
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
  readonly about: string;
  /** Arguments in their order. */
  readonly fields: F;
  /** True if the last argument is a list whose entries are passed one by one. */
  readonly variadic?: true;
  readonly result: z.ZodMiniType<R>;
}

/** Calculation that sends no request: equal arguments give equal results. */
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
  readonly about: string;
  readonly regional?: boolean;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
}

/** Ephemeral resource that has to be renewed or closed. Neither a state nor a log contains it. */
export interface Lease {
  readonly key: Values;
  /** Seconds until the renewal; undefined if none is needed. */
  readonly renewAfter?: number;
}

type Kept = { readonly api: Api; readonly region: string; readonly key: Values };

/** Requests that open, renew and close an ephemeral resource. */
export interface EphemeralVerbs<F extends Fields> {
  readonly open: (call: {
    api: Api;
    region: string;
    inputs: Inputs<F>;
    /**
     * Returns a new token, for the given login or else for that of the provider. Every text is redacted from then on.
     * Throws `InputError` if no login is given and the provider uses an API key.
     */
    signIn: (as?: Login) => Promise<string>;
    /** Returns the time in ms since 1970. */
    now: () => number;
    /** Calls `look` until it is done, at most until the deadline. */
    poll: <T>(look: () => Promise<Poll<T>>) => Promise<T>;
  }) => Promise<{ readonly values: State<F>; readonly lease?: Lease }>;
  /** Renews the lease. `close` can be called with the key of the opening or of the last renewal: both must work. */
  readonly renew?: (call: Kept) => Promise<Lease>;
  readonly close?: (call: Kept) => Promise<void>;
}

/** Ephemeral resource: exists while an engine runs, and in no state. */
export interface Ephemeral extends EphemeralContract<Fields> {
  readonly verbs: EphemeralVerbs<Fields>;
}

/** Contract first, verbs second, as in `defineResource`. */
export const defineEphemeral =
  <const F extends Fields>(contract: EphemeralContract<F>) =>
  (verbs: EphemeralVerbs<F & Region>): Ephemeral =>
    ({ ...contract, fields: regionalFields(contract), verbs }) as unknown as Ephemeral;

/** Contract of an action: its name, its fields and the statuses that it leads to. */
export interface ActionContract<F extends Fields> {
  /** Resource kind and verb, kebab-case: `instance-stop`. */
  readonly name: string;
  /** Description for schemas and pages. */
  readonly about: string;
  /** Start of an error: `stopping the instance`. */
  readonly doing: string;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
  readonly regional?: boolean;
  /** Default deadline in seconds. */
  readonly timeouts: { readonly invoke: number };
  /**
   * Statuses of an object for which the action is done, and of one for which it cannot be done; compared without case.
   */
  readonly words: { readonly done: readonly string[]; readonly failed: readonly string[] };
  /**
   * Statuses that do not end by themselves and in which the API refuses the action, and the remedies.
   */
  readonly refusedIn?: { readonly words: readonly string[]; readonly remedies: readonly GivenRemedy[] };
  /**
   * True if the action leaves the object in another status, as a stop does. It is not sent if the object has a status
   * of `done` already, and it can be sent again after an ambiguous response while the object has none.
   * Without this option, as for a restart, the object ends in its first status. After an ambiguous response nothing
   * proves whether the action was executed, so it is never sent again (docs/reliability.md#3.2).
   */
  readonly lasting?: true;
  /** True if the request is never sent again: its endpoint is for that (docs/reliability.md#3.2). */
  readonly once?: true;
  /** Remedies after an ambiguous response. Default: to check the object. */
  readonly afterUnclear?: readonly GivenRemedy[];
}

type Call<F extends Fields> = { readonly api: Api; readonly region: string; readonly inputs: Inputs<F> };

/** Requests of an action. */
export interface ActionVerbs<F extends Fields> {
  /**
   * Returns the status of the object, as compared with `words`; undefined if there is no object. `sent` is true once the
   * action was sent, unless its response proves that it was not executed.
   */
  readonly look: (call: Call<F> & { readonly sent: boolean }) => Promise<string | undefined>;
  /** Sends the action, exactly one request. */
  readonly send: (call: Call<F>) => Promise<void>;
}

/** Action as the engine and every adapter use it. */
export interface Action extends ActionContract<Fields> {
  readonly verbs: ActionVerbs<Fields>;
}

/** Contract first, verbs second, as in `defineResource`. */
export const defineAction =
  <const F extends Fields>(contract: ActionContract<F>) =>
  (verbs: ActionVerbs<F & Region>): Action =>
    ({
      ...contract,
      fields: { ...regionalFields(contract), timeout: timeoutOf(contract.timeouts.invoke) },
      verbs,
    }) as unknown as Action;

/** Field that every action has in addition to its own. */
const timeoutOf = (seconds: number) =>
  field(
    z.optional(duration),
    `Time limit of the action, such as \`30s\`, \`10m\` or \`1h30m\`. Default: \`${formatDuration(seconds)}\`.`,
  );
