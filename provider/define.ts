import * as z from "zod/mini";
import type { Api } from "./client.ts";

/**
 * The words a resource is defined in: types and identity functions, no behaviour.
 * `defineResource(contract)(verbs)`: the contract says what a thing is, the verbs how it travels.
 */

/** What a change of a field costs: done in place, a new object, or refused at plan time with this sentence. */
export type Verdict = "update" | "replace" | { readonly refuse: string };

/** What a field is beyond its type. */
export interface FieldOptions<T> {
  /** What changing it does. Default: "replace", since a change nobody sends would be a lie. */
  readonly change?: Verdict | ((before: T, after: T) => Verdict);
  /** What a replacement loses and how to avoid it; shown where the plan is read. */
  readonly replaceReason?: string;
  /** Never printed and, where the engine can, stored encrypted. */
  readonly secret?: true;
  /** Sent and forgotten: kept in no state. */
  readonly writeOnly?: true;
  /** The kind of object whose id it holds; an id of another kind is refused before anything is sent. */
  readonly references?: string;
  /** The cloud never returns it: what was configured stands, and drift of it is invisible. */
  readonly unreadable?: true;
  /** The field beside an unreadable one that shows what it may be: an import takes that until it is told better. */
  readonly likely?: string;
  /** Left out, the cloud or a provider setting decides, and what was decided stays. */
  readonly computed?: true;
  /** Equal in meaning though spelled differently. */
  readonly same?: (a: T, b: T) => boolean;
  /** A list whose order has no meaning. */
  readonly unordered?: true;
  /** No part of the create: `update` sends it as soon as the object is there, where it is not shown yet. */
  readonly later?: true;
  /** Changing it does something that nobody can see afterwards: sent alone, and never twice for one change. */
  readonly once?: true;
  /** Values seen to work; another one is a warning that names the nearest, never an error. */
  readonly known?: readonly string[];
}

/** A field that holds a value. */
export interface Leaf<T = unknown, O = FieldOptions<never>> {
  readonly kind: "field";
  readonly schema: z.ZodMiniType<T>;
  readonly about: string;
  readonly options: O;
}

/** A field that only the cloud sets. */
export interface Computed<T = unknown> {
  readonly kind: "computed";
  readonly schema: z.ZodMiniType<T>;
  readonly about: string;
  readonly options: ComputedOptions;
}

/** What a computed field is beyond its type. */
export interface ComputedOptions {
  /** It may move with any change; otherwise a plan keeps what is known. */
  readonly moves?: true;
  readonly secret?: true;
}

/** Fields one level down. */
export interface Group<F extends Fields = Fields, O = GroupOptions> {
  readonly kind: "group";
  readonly fields: F;
  readonly about: string;
  readonly options: O;
}

/** What a group is as a whole. */
export interface GroupOptions {
  readonly optional?: true;
  /** The cloud cannot tell it apart: after an import it is written down from the configuration, not replaced. */
  readonly unreadable?: true;
  /** What adding or removing the whole of it does. Default: "replace". */
  readonly change?: "update" | "replace";
  readonly replaceReason?: string;
}

/** Any field; what it holds is known where it is declared. */
// biome-ignore lint/suspicious/noExplicitAny: a field of any type; its own type is kept where it is declared.
export type Field = Leaf<any, FieldOptions<any>> | Computed<any> | Group<any, GroupOptions>;
/** Fields by name, in camelCase. */
export type Fields = { readonly [name: string]: Field };

/** A field the user sets. Optional or defaulted by its schema: `z.optional(…)`, `z._default(…, value)`. */
export const field = <T, const O extends FieldOptions<NonNullable<T>> = Record<never, never>>(
  schema: z.ZodMiniType<T>,
  about: string,
  options: O = {} as O,
): Leaf<T, O> => ({ kind: "field", schema, about, options });

/** A field only the cloud sets. */
export const computed = <T>(
  schema: z.ZodMiniType<T>,
  about: string,
  options: ComputedOptions = {},
): Computed<T> => ({ kind: "computed", schema, about, options });

/** Fields that belong together, one level down. */
export const group = <const F extends Fields, const O extends GroupOptions = Record<never, never>>(
  fields: F,
  about: string,
  options: O = {} as O,
): Group<F, O> => ({ kind: "group", fields, about, options });

type Simplify<T> = { [K in keyof T]: T[K] } & {};
type Optional<F> =
  F extends Leaf<infer T, infer _O>
    ? undefined extends T
      ? true
      : false
    : F extends Group<Fields, { optional: true }>
      ? true
      : false;
type InputOf<F> =
  F extends Leaf<infer T, infer _O> ? T : F extends Group<infer G, infer _O> ? Inputs<G> : never;
type InputNames<F extends Fields> = {
  [K in keyof F]: F[K] extends Computed ? never : K;
}[keyof F];

/** What the verbs receive: checked, defaults filled in, nothing unknown, none is `undefined`. */
export type Inputs<F extends Fields> = Simplify<
  { [K in InputNames<F> as Optional<F[K]> extends true ? never : K]: InputOf<F[K]> } & {
    [K in InputNames<F> as Optional<F[K]> extends true ? K : never]?:
      | Exclude<InputOf<F[K]>, undefined>
      | undefined;
  }
>;

type StateOf<F> =
  F extends Leaf<infer T, infer _O>
    ? Exclude<T, undefined>
    : F extends Computed<infer T>
      ? T
      : F extends Group<infer G, infer _O>
        ? State<G>
        : never;
type Unreadable<F> = F extends Leaf<infer _T, { unreadable: true }> ? true : false;

/** What is remembered of an object: every field, `undefined` where there is none. */
export type State<F extends Fields> = { [K in keyof F]?: StateOf<F[K]> | undefined };

/** What a read must return: every field but the unreadable ones; `undefined` says "none". */
export type Observed<F extends Fields> = Simplify<{
  [K in keyof F as Unreadable<F[K]> extends true ? never : K]:
    | (F[K] extends Group<infer G, infer _O> ? Observed<G> : StateOf<F[K]>)
    | undefined;
}>;

/** A rule over several fields, checked as soon as what it looks at is known. */
export interface Rule<F extends Fields> {
  /** The fields it needs; it is not asked while one of them is unknown. */
  readonly needs: readonly (keyof F & string)[];
  /** What is wrong and where, or nothing. */
  readonly check: (
    inputs: Inputs<F>,
  ) => { readonly path: readonly (string | number)[]; readonly problem: string } | undefined;
}

/** Words the cloud uses for where an object stands; compared without case. Any other word is in between. */
export interface Lifecycle<N extends string> {
  readonly field: N;
  readonly ready: readonly string[];
  readonly pending: readonly string[];
  readonly failed: readonly string[];
  readonly gone?: readonly string[];
  /** What a ready object shows: without it, the cloud's word for ready came too early. */
  readonly shows?: readonly N[];
  /** Where it stands failed: the field that says why. */
  readonly reason?: N;
}

/** Deadlines in seconds. */
export interface Timeouts {
  readonly create: number;
  readonly read: number;
  readonly update: number;
  readonly delete: number;
}

/** What a resource is, before how it travels. */
export interface Contract<F extends Fields, P extends keyof F & string> {
  /** The noun, singular, kebab-case; also the basename of its file on every rail. */
  readonly name: string;
  /** One sentence of user documentation. */
  readonly about: string;
  /** Fields that, with the id, locate an object; in this order they stand before the id in an import id. */
  readonly parents?: readonly P[];
  /** Whether it lives in a region. Default: yes, and `region` is one of its fields. */
  readonly regional?: boolean;
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
  readonly lifecycle?: Lifecycle<keyof F & string>;
  readonly timeouts: Timeouts;
  /** Its replacement cannot stand beside it, whatever its name: the old one goes first. */
  readonly exclusive?: true;
  /**
   * The cloud shows it by this `later` field alone. Where it shows it nowhere, it may stand without effect or be
   * gone, and nobody can tell: it is neither kept nor forgotten, but deleted and made anew.
   */
  readonly shownBy?: keyof F & string;
  /** Replacing or deleting it destroys data. */
  readonly holdsData?: true;
  /** Deleting it takes a one-time password. */
  readonly otpDelete?: true;
  /** A change in place interrupts service. */
  readonly interrupts?: true;
}

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
}

/** Where a task stands. An id may be known long before it is done. */
export interface TaskState {
  readonly status: "running" | "done" | "failed";
  readonly id?: string | undefined;
  /** The cloud's own word or sentence, for progress and failure texts. */
  readonly detail?: string | undefined;
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
  readonly task?: (call: {
    api: Api;
    region: string;
    task: string;
    inputs: Inputs<F> | undefined;
  }) => Promise<TaskState>;
  /**
   * One object by its key; needless where a whole listing is all there is to read. `remembered` is what was
   * configured or kept of it: a hint for what the cloud shows without a name.
   */
  readonly read?: (call: { api: Api; remembered: State<F> } & Key<F, P>) => Promise<Observed<F> | undefined>;
  /** Sends what changed, nothing else. Without this verb every change replaces. */
  readonly update?: (
    call: { api: Api; inputs: Inputs<F>; prior: State<F>; changed: ReadonlySet<keyof F> } & Key<F, P>,
  ) => Promise<void>;
  readonly delete: (call: { api: Api; prior: State<F> } & Key<F, P>) => Promise<void>;
}

const region = field(z.optional(z.string()), "Region it lives in; the provider's where left out.", {
  computed: true,
  replaceReason: "An object cannot move between regions.",
});
/** What every definition that lives in a region has beside its own fields. */
export type Region = { readonly region: typeof region };
/** The fields of a definition, with `region` where it lives in one. */
export const regionalFields = ({ regional, fields }: { regional?: boolean; fields: Fields }): Fields =>
  regional === false ? fields : { ...fields, region };

/** A resource, as the engine and every adapter take it: the types of its fields no longer matter here. */
export interface Resource extends Contract<Fields, string> {
  readonly verbs: Verbs<Fields, string>;
}

/** Contract first, verbs second, so that the types of the second are inferred exactly from the first. */
export const defineResource =
  <const F extends Fields, const P extends keyof F & string = never>(contract: Contract<F, P>) =>
  (verbs: Verbs<F & Region, P>): Resource =>
    ({ ...contract, fields: regionalFields(contract), verbs }) as unknown as Resource;
