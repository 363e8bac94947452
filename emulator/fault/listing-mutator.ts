/** Mutators that return wrong listings, as the API may (docs/contract.md#17.1): shifted pages, rows of other accounts. */

type Rows = readonly unknown[];

/** Applies `change` to the outermost array of objects; a value without one is unchanged. */
function withRows(value: unknown, change: (rows: Rows) => Rows): unknown {
  if (Array.isArray(value))
    return value.every((row) => typeof row === "object" && row !== null) ? change(value) : value;
  if (typeof value !== "object" || value === null) return value;
  let isMasked = false;
  const entries = Object.entries(value).map(([key, item]) => {
    const changed = isMasked ? item : withRows(item, change);
    isMasked ||= changed !== item;
    return [key, changed];
  });
  return isMasked ? Object.fromEntries(entries) : value;
}

/** Rewrites every KRN in a value. */
const withKrns = (value: unknown, rewrite: (parts: string[]) => string[]): unknown =>
  JSON.parse(JSON.stringify(value).replace(/krn:[^"\\]+/g, (krn) => rewrite(krn.split(":")).join(":")));

/** Returns the KRN of a similar object in another region. */
const foreignKrn = ([krn = "", service = "", , ...rest]: string[]): string[] => [
  krn,
  service,
  "In-Elsewhere-1",
  ...rest.slice(0, -1),
  (rest.at(-1) ?? "").replace(/^.{8}/, "f0f0f0f0"),
];

/** Masks the customer in the parts of a KRN, as listings of the API do. */
const maskedKrn = (parts: string[]): string[] =>
  parts.map((part, index) => (parts.length === 7 && index === 4 ? "***" : part));

/** Mutators of a listing's JSON by fault kind. */
export const listingMutators: Readonly<Record<string, (value: unknown) => unknown>> = {
  "missing-row": (value) => withRows(value, (rows) => rows.slice(1)),
  "empty-list": (value) => withRows(value, () => []),
  "doubled-row": (value) => withRows(value, (rows) => [...rows.slice(0, 1), ...rows]),
  "repeated-row": (value) => withRows(value, (rows) => [...rows.slice(0, -1), ...rows.slice(0, 1)]),
  "moved-rows": (value) => withRows(value, (rows) => rows.toReversed()),
  "foreign-row": (value) =>
    withRows(value, (rows) => [...rows.slice(0, 1).map((row) => withKrns(row, foreignKrn)), ...rows]),
  "masked-ids": (value) => withKrns(value, maskedKrn),
};
