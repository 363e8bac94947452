import type * as z from "zod/mini";
import type { Values } from "../core/value.ts";
import type { Api } from "./api.ts";
import type { Fields } from "./field.ts";
import type { Inputs, State } from "./inference.ts";
import { type Region, type Resource, type Rule, regionalFields } from "./resource.ts";

/** Who signs in: the root user, or a user of the account. */
export interface Login {
  readonly email: string;
  readonly password: string;
  readonly account: string | undefined;
}

/**
 * The words for what is no managed object: a question, a calculation, and what is
 * done, or there for a while, outside of any state.
 */

/** What a lookup asks for and answers. */
export interface LookupContract<F extends Fields> {
  /** The noun looked up; plural where it returns several. */
  readonly name: string;
  readonly about: string;
  readonly regional?: boolean;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
}

/** What a question has to answer with. */
export interface LookupRequest<F extends Fields> {
  readonly api: Api;
  readonly region: string;
  readonly inputs: Inputs<F>;
  /** A listing that other questions of this run use too, while it is young: `what` names it. */
  readonly share: <T>(what: string, list: () => Promise<T>) => Promise<T>;
}

/** A lookup with requests of its own. */
export interface CustomLookup extends LookupContract<Fields> {
  readonly read: (question: LookupRequest<Fields>) => Promise<State<Fields>>;
}

/** A lookup derived from a resource that can be listed: the engine finds its objects. */
export interface ResourceLookup extends LookupContract<Fields> {
  readonly resource: Resource;
  /** One object by its id or other fields, or all objects of the scope. */
  readonly finds: "one" | "all";
}

/** A data source or invoke: reads through the API and changes nothing. */
export type Lookup = CustomLookup | ResourceLookup;

/** Contract first, the question second, as in `defineResource`. */
export const defineLookup =
  <const F extends Fields>(contract: LookupContract<F>) =>
  (read: (question: LookupRequest<F & Region>) => Promise<State<F & Region>>): CustomLookup =>
    ({ ...contract, fields: regionalFields(contract), read }) as unknown as CustomLookup;

/** What a function takes and gives. */
export interface FunctionContract<F extends Fields, R> {
  /** What it does, kebab-case: `parse-id`. */
  readonly name: string;
  readonly about: string;
  /** Its arguments, in their order. */
  readonly fields: F;
  /** The last one is a list, whose entries are given one by one. */
  readonly variadic?: true;
  readonly result: z.ZodMiniType<R>;
}

/** A calculation that asks nobody: equal arguments, equal results. */
export interface PureFunction extends FunctionContract<Fields, unknown> {
  /** Throws `InputError` with the argument's name first in the path. */
  readonly run: (inputs: Inputs<Fields>) => unknown;
}

/** Contract first, the calculation second, as in `defineResource`. */
export const defineFunction =
  <const F extends Fields, R>(contract: FunctionContract<F, R>) =>
  (run: (inputs: Inputs<F>) => R): PureFunction =>
    ({ ...contract, run }) as unknown as PureFunction;

/** What an ephemeral resource takes and gives. */
export interface EphemeralContract<F extends Fields> {
  readonly name: string;
  readonly about: string;
  readonly regional?: boolean;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
}

/** What is open, and has to be renewed or closed. No state keeps it, and no log. */
export interface Lease {
  readonly key: Values;
  /** Seconds until it has to be renewed; without them it never is. */
  readonly renewAfter?: number;
}

type Kept = { readonly api: Api; readonly region: string; readonly key: Values };

/** How an ephemeral resource is opened, kept open and closed. */
export interface EphemeralVerbs<F extends Fields> {
  readonly open: (call: {
    api: Api;
    region: string;
    inputs: Inputs<F>;
    /** A token of one's own, as who is given or else as the provider; a secret that no text shows from then on. */
    signIn: (as?: Login) => Promise<string>;
  }) => Promise<{ readonly values: State<F>; readonly lease?: Lease }>;
  /** A close may come with the key of the opening, or with that of the last renewal: both have to do. */
  readonly renew?: (call: Kept) => Promise<Lease>;
  readonly close?: (call: Kept) => Promise<void>;
}

/** What is there while an engine runs, and in no state. */
export interface Ephemeral extends EphemeralContract<Fields> {
  readonly verbs: EphemeralVerbs<Fields>;
}

/** Contract first, verbs second, as in `defineResource`. */
export const defineEphemeral =
  <const F extends Fields>(contract: EphemeralContract<F>) =>
  (verbs: EphemeralVerbs<F & Region>): Ephemeral =>
    ({ ...contract, fields: regionalFields(contract), verbs }) as unknown as Ephemeral;

/** What an action is, before how it travels. */
export interface ActionContract<F extends Fields> {
  /** The noun and what is done to it, kebab-case: `instance-stop`. */
  readonly name: string;
  /** One sentence of user documentation. */
  readonly about: string;
  /** `stopping the instance`: how an error begins. */
  readonly doing: string;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
  readonly regional?: boolean;
  /** The deadline in seconds. */
  readonly timeouts: { readonly invoke: number };
  /** The cloud's words for an object to which it is done, and for one to which it cannot be; compared without case. */
  readonly words: { readonly done: readonly string[]; readonly failed: readonly string[] };
  /**
   * It leaves the object otherwise than it found it: needless where the object stands so already, and seen to be
   * undone while it does not. Without it the object ends where it began, and nothing tells after an unclear answer
   * whether it was done: then it is never sent again (docs/reliability.md#3.2).
   */
  readonly lasting?: true;
}

type Call<F extends Fields> = { readonly api: Api; readonly region: string; readonly inputs: Inputs<F> };

/** How an action travels. */
export interface ActionVerbs<F extends Fields> {
  /** Where the object stands, in the cloud's word; undefined where there is none. */
  readonly look: (call: Call<F>) => Promise<string | undefined>;
  /** One request, once. */
  readonly send: (call: Call<F>) => Promise<void>;
}

/** An action, as the engine and every adapter take it. */
export interface Action extends ActionContract<Fields> {
  readonly verbs: ActionVerbs<Fields>;
}

/** Contract first, verbs second, as in `defineResource`. */
export const defineAction =
  <const F extends Fields>(contract: ActionContract<F>) =>
  (verbs: ActionVerbs<F & Region>): Action =>
    ({ ...contract, fields: regionalFields(contract), verbs }) as unknown as Action;
