/** Wrong treatment of requests that the API may show (docs/contract.md#17.2): parameters that it ignores. */

type Query = Readonly<Record<string, string>>;

/** Mutators of the query before an operation is executed, by fault kind. */
export const requestMutators: Readonly<Record<string, (query: Query) => Query>> = {
  "ignored-page": ({ page: _, offset: __, ...rest }) => rest,
};
