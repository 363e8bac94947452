import type { Report } from "../report/report.ts";

/** JSON in parts: the text of a large report is never in memory as a whole. */

/** Maximum number of items of a list in one part. */
const most = 64;

/** Returns a report as JSON with line breaks, in parts. */
export function* renderJson(report: Report): Generator<string> {
  let before = "{\n";
  for (const [name, value] of Object.entries<unknown>(report)) {
    if (value === undefined) continue;
    if (Array.isArray(value) && value.length > most) {
      yield `${before} ${JSON.stringify(name)}: [\n`;
      yield* partsOf(value, (items) => inside(JSON.stringify([items], null, 1), "[\n [\n", "\n ]\n]"), ",\n");
      yield "\n ]";
    } else yield before + inside(JSON.stringify({ [name]: value }, null, 1), "{\n", "\n}");
    before = ",\n";
  }
  yield "\n}\n";
}

/** Returns a list, each item as `form` returns it, as JSON without line breaks, in parts. */
export function* listParts<T>(list: readonly T[], form: (item: T) => object): Generator<string> {
  yield "[";
  yield* partsOf(list, (items) => inside(JSON.stringify(items.map(form)), "[", "]"), ",");
  yield "]";
}

function* partsOf<T>(
  list: readonly T[],
  textOf: (items: readonly T[]) => string,
  between: string,
): Generator<string> {
  for (let at = 0; at < list.length; at += most)
    yield (at === 0 ? "" : between) + textOf(list.slice(at, at + most));
}

/** Returns a text without its first and last characters. */
const inside = (text: string, { length: first }: string, { length: last }: string): string =>
  text.slice(first, -last);
