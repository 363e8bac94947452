import type { Computed, Fields, Group, Leaf } from "./field.ts";

/** What verbs receive and return, inferred from the fields of a definition. */

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
