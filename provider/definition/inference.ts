import type { Computed, Fields, Group, Leaf } from "./field.ts";

/** Inputs and results of verbs, inferred from the fields of a definition. */

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

/** Inputs of a verb: checked, with defaults and without unknown values; `undefined` means "none". */
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

/** Stored values of an object: every field; `undefined` means "none". */
export type State<F extends Fields> = { [K in keyof F]?: StateOf<F[K]> | undefined };

/** Values that an update sends to an endpoint with `writes`, and the computed values of the object. */
export type Current<F extends Fields> = Inputs<F> & Pick<State<F>, Exclude<keyof F, keyof Inputs<F>>>;

/**
 * Result of a read: every field except the unreadable ones; `undefined` means "none". If the response shows that none is
 * set, the value is `notSet` of `validator.ts`.
 */
export type Observed<F extends Fields> = Simplify<{
  [K in keyof F as Unreadable<F[K]> extends true ? never : K]:
    | (F[K] extends Group<infer G, infer _O> ? Observed<G> : StateOf<F[K]>)
    | undefined;
}>;
