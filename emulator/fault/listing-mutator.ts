/** What a listing may show of its rows that is not so (contract 17.1): pages shift, rows of others stand among them. */

type Rows = readonly unknown[];

/** Applies `change` to the outermost array of objects; a value that has none stays. */
function withRows(value: unknown, change: (rows: Rows) => Rows): unknown {
  if (Array.isArray(value))
    return value.every((row) => typeof row === "object" && row !== null) ? change(value) : value;
  if (typeof value !== "object" || value === null) return value;
  let found = false;
  const entries = Object.entries(value).map(([key, item]) => {
    const changed = found ? item : withRows(item, change);
    found ||= changed !== item;
    return [key, changed];
  });
  return found ? Object.fromEntries(entries) : value;
}

/** The same with every KRN in it rewritten. */
const withKrns = (value: unknown, rewrite: (parts: string[]) => string[]): unknown =>
  JSON.parse(JSON.stringify(value).replace(/krn:[^"\\]+/g, (krn) => rewrite(krn.split(":")).join(":")));

/** Another object of the same looks, in another region. */
const foreignKrn = ([krn = "", service = "", , ...rest]: string[]): string[] => [
  krn,
  service,
  "In-Elsewhere-1",
  ...rest.slice(0, -1),
  (rest.at(-1) ?? "").replace(/^.{8}/, "f0f0f0f0"),
];

/** Listings were seen to blank out the customer. */
const maskedKrn = (parts: string[]): string[] =>
  parts.map((part, at) => (parts.length === 7 && at === 4 ? "***" : part));

/** Changes of an answer's JSON, by the names of the fault catalogue. */
export const listingMutators: Readonly<Record<string, (value: unknown) => unknown>> = {
  "missing-row": (value) => withRows(value, (rows) => rows.slice(1)),
  "empty-list": (value) => withRows(value, () => []),
  "doubled-row": (value) => withRows(value, (rows) => [...rows.slice(0, 1), ...rows]),
  "moved-rows": (value) => withRows(value, (rows) => rows.toReversed()),
  "foreign-row": (value) =>
    withRows(value, (rows) => [...rows.slice(0, 1).map((row) => withKrns(row, foreignKrn)), ...rows]),
  "masked-ids": (value) => withKrns(value, maskedKrn),
};
