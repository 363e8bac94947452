/** Mutators that drop parameters of a request, which the API may ignore (docs/contract.md#17.2). */

type Query = Readonly<Record<string, string>>;

/** Mutators of the query before an operation is executed, by fault kind. */
export const requestMutators: Readonly<Record<string, (query: Query) => Query>> = {
  "ignored-page": ({ page: _, offset: __, ...rest }) => rest,
};
