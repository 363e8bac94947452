import type { Api } from "./client.ts";
import { type Fields, type Inputs, type Region, type Rule, regionalFields, type State } from "./define.ts";

/** The words for what is no managed object: a question, and what is done on request outside of any state. */

/** What a lookup asks for and answers. */
export interface LookupContract<F extends Fields> {
  /** The noun looked up; plural where it returns several. */
  readonly name: string;
  readonly about: string;
  readonly regional?: boolean;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
}

/** A question to the cloud that changes nothing: a data source, an invoke. */
export interface Lookup extends LookupContract<Fields> {
  readonly read: (call: { api: Api; region: string; inputs: Inputs<Fields> }) => Promise<State<Fields>>;
}

/** Contract first, the question second, as in `defineResource`. */
export const defineLookup =
  <const F extends Fields>(contract: LookupContract<F>) =>
  (
    read: (call: { api: Api; region: string; inputs: Inputs<F & Region> }) => Promise<State<F & Region>>,
  ): Lookup =>
    ({ ...contract, fields: regionalFields(contract), read }) as unknown as Lookup;

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
   * whether it was done: then it is never sent again (reliability 3.2).
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
