import { type Report, type ReportChange, reportSchema } from "../report/report.ts";

/** Writes JSON in parts, so that memory never holds the whole text of a large report. */

/** Maximum number of items of a list in one part. */
const partLength = 64;

/** Returns a report as JSON with line breaks, in parts. */
export function* renderJson(report: Report): Generator<string> {
  let before = "{\n";
  for (const [name, value] of Object.entries<unknown>(report)) {
    if (value === undefined) continue;
    if (Array.isArray(value) && value.length > partLength) {
      yield `${before} ${JSON.stringify(name)}: [\n`;
      if (value === report.changes) yield* chunksOf(report.changes, changeTexts(indented, ",\n"), ",\n");
      else yield* chunksOf(value, indented, ",\n");
      yield "\n ]";
    } else yield before + inside(JSON.stringify({ [name]: value }, null, 1), "{\n", "\n}");
    before = ",\n";
  }
  yield "\n}\n";
}

const indented = (items: readonly unknown[]): string =>
  inside(JSON.stringify([items], null, 1), "[\n [\n", "\n ]\n]");

/** Returns a list as JSON without line breaks, in parts; `form` converts each item. */
export function* listParts<T>(list: readonly T[], form: (item: T) => object): Generator<string> {
  yield "[";
  yield* chunksOf(list, plain(form), ",");
  yield "]";
}

/** Like `listParts`, with the shared text of equal changes cached. */
export function* changeParts(
  list: readonly ReportChange[],
  form: (change: ReportChange) => object,
): Generator<string> {
  yield "[";
  yield* chunksOf(list, changeTexts(plain(form), ","), ",");
  yield "]";
}

const plain =
  <T>(form: (item: T) => object) =>
  (items: readonly T[]): string =>
    inside(JSON.stringify(items.map(form)), "[", "]");

function* chunksOf<T>(
  list: readonly T[],
  textOf: (items: readonly T[]) => string,
  between: string,
): Generator<string> {
  for (let start = 0; start < list.length; start += partLength)
    yield (start === 0 ? "" : between) + textOf(list.slice(start, start + partLength));
}

/** Removes a prefix and a suffix of the given lengths. */
const inside = (text: string, { length: first }: string, { length: last }: string): string =>
  text.slice(first, -last);

/** Members in which otherwise equal changes differ. */
const varyingMembers = ["address", "name", "id"] as const;

/** Placeholder of these members. Texts of a report have no control characters (`visible`), except in the name of a plan. */
const mark = "\u0001";

/**
 * Returns a function that formats changes like `textOf`, but faster: most changes of a large plan equal the one before except
 * for their own members, so the text around these is made once.
 */
function changeTexts(
  textOf: (changes: readonly ReportChange[]) => string,
  between: string,
): (changes: readonly ReportChange[]) => string {
  let last: ReportChange | undefined;
  let around: readonly string[] | undefined;
  const write = (change: ReportChange): string => {
    const isAlike = last !== undefined && doesSame(change, last);
    last = change;
    if (!isAlike) {
      around = undefined;
      return textOf([change]);
    }
    around ??= textOf([withMarks(change)]).split(JSON.stringify(mark));
    let text = around[0] ?? "";
    let index = 1;
    for (const name of varyingMembers)
      if (change[name] !== undefined) text += quoted(change[name]) + around[index++];
    // The number of pieces is greater if the name of the plan equals the mark.
    return index === around.length ? text : textOf([change]);
  };
  return (changes) => changes.map(write).join(between);
}

/** Returns a text as JSON; skips `JSON.stringify` for texts without characters to escape. */
const quoted = (text: string): string => (/[^ !#-[\]-~]/.test(text) ? JSON.stringify(text) : `"${text}"`);

const withMarks = (change: ReportChange): ReportChange => {
  const marked: { -readonly [K in keyof ReportChange]: ReportChange[K] } = { ...change };
  for (const name of varyingMembers) if (change[name] !== undefined) marked[name] = mark;
  return marked;
};

/** Returns true if two changes are equal in all members except their own, and have the same own members. */
function doesSame(one: ReportChange, other: ReportChange): boolean {
  for (const name of varyingMembers)
    if ((one[name] === undefined) !== (other[name] === undefined)) return false;
  for (const name of others)
    if (one[name] !== other[name] && !isSameList(one[name], other[name])) return false;
  return true;
}

const others = (Object.keys(reportSchema.shape.changes.element.shape) as (keyof ReportChange)[]).filter(
  (name) => !varyingMembers.some((one) => one === name),
);

/** Returns true for two lists with equal items. */
const isSameList = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) &&
  Array.isArray(b) &&
  a.length === b.length &&
  a.every((item, index) => item === b[index]);
