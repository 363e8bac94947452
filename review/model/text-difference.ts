import { alignmentOf } from "./alignment.ts";

/** Differences of two texts: by lines, or by passages of one line. */

/** Difference of a part of a text; the texts are written like the inside of a JSON string, with bare quotes. */
export interface TextPart {
  readonly at: string;
  /** "kept" for an equal line next to a difference. */
  readonly effect: "kept" | "removed" | "added" | "changed";
  readonly texts: { readonly before?: string; readonly after?: string };
}

/** Returns the lines of a text, all added or all removed. */
export const allLines = (text: string, effect: "added" | "removed"): TextPart[] =>
  text.split("\n").map((line, index) => ({
    at: `line ${index + 1}`,
    effect,
    texts: { [effect === "added" ? "after" : "before"]: escaped(line) },
  }));

/** Number of equal lines that are shown before and after each difference. */
const context = 2;

/** Returns the lines in which two texts differ, with equal lines around them. */
export function linesIn(before: string, after: string): TextPart[] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  const parts: TextPart[] = [];
  /** Index after the last line of `right` that is in `parts`. */
  let shown = 0;
  let [a, b] = [0, 0];
  const keep = (from: number, to: number) => {
    for (let index = Math.max(from, shown); index < Math.min(to, right.length); index++) {
      parts.push({ at: `line ${index + 1}`, effect: "kept", texts: { after: escaped(right[index] ?? "") } });
      shown = index + 1;
    }
  };
  /** Index up to which lines after the last difference are shown, while they are equal. */
  let until = 0;
  for (const [first, second] of [...alignmentOf(left, right), [left.length, right.length] as const]) {
    if (first > a || second > b) {
      keep(b - context, b);
      const [lost, gained] = [left.slice(a, first), right.slice(b, second)];
      const pairs =
        lost.length === gained.length ? lost.map((line, index) => excerpts(line, gained[index] ?? "")) : [];
      for (const [index, line] of lost.entries())
        parts.push({
          at: `line ${a + index + 1}`,
          effect: "removed",
          texts: { before: pairs[index]?.[0] ?? escaped(line) },
        });
      for (const [index, line] of gained.entries())
        parts.push({
          at: `line ${b + index + 1}`,
          effect: "added",
          texts: { after: pairs[index]?.[1] ?? escaped(line) },
        });
      shown = Math.max(shown, second);
      until = second + context;
    }
    if (second < until) keep(second, second + 1);
    [a, b] = [first + 1, second + 1];
  }
  return parts;
}

/** Number of equal characters that are shown before and after each difference. */
const around = 40;

/** Returns the passages in which two texts differ, with equal characters around them. */
export const passagesIn = (before: string, after: string): TextPart[] =>
  hunksOf(before, after).map((hunk) => {
    const [one, other] = distinct(excerpt(before, hunk.before), excerpt(after, hunk.after));
    return { at: `character ${hunk.before[0] + 1}`, effect: "changed", texts: { before: one, after: other } };
  });

/**
 * Returns two different texts so that they look different: with escapes for letters that have the same normalized form, such as
 * an accented letter and a letter with an accent.
 */
export const distinct = (before: string, after: string): readonly [string, string] =>
  before !== after && before.normalize("NFKC") === after.normalize("NFKC")
    ? [plainLetters(before), plainLetters(after)]
    : [before, after];

const plainLetters = (text: string): string =>
  text.replace(/[^ -~]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** Start and end of a passage. */
type Interval = readonly [start: number, end: number];

interface Hunk {
  readonly before: Interval;
  readonly after: Interval;
}

/** Words, blanks and other characters, each with the marks that belong to it. */
const tokens = /[\p{L}\p{N}_\p{M}]+|\s+|[^\p{L}\p{N}_\s]\p{M}*/gu;

/** Returns the differing passages of two texts. Passages that are close to each other are one. */
function hunksOf(before: string, after: string): Hunk[] {
  const [left, right] = [before.match(tokens) ?? [], after.match(tokens) ?? []];
  const hunks: Hunk[] = [];
  let [a, b] = [0, 0];
  let [aEnd, bEnd] = [0, 0];
  let [first, second] = [0, 0];
  for (const [next, other] of [...alignmentOf(left, right), [left.length, right.length] as const]) {
    while (first < next) aEnd += left[first++]?.length ?? 0;
    while (second < other) bEnd += right[second++]?.length ?? 0;
    if (aEnd > a || bEnd > b) {
      const hunk = trimmed(before, after, { before: [a, aEnd], after: [b, bEnd] });
      const last = hunks.at(-1);
      if (last !== undefined && hunk.before[0] - last.before[1] < around)
        hunks[hunks.length - 1] = {
          before: [last.before[0], hunk.before[1]],
          after: [last.after[0], hunk.after[1]],
        };
      else hunks.push(hunk);
    }
    aEnd += left[first++]?.length ?? 0;
    bEnd += right[second++]?.length ?? 0;
    [a, b] = [aEnd, bEnd];
  }
  return hunks;
}

/** Removes the common start and end of two passages; splits no surrogate pair. */
function trimmed(before: string, after: string, { before: [a, aEnd], after: [b, bEnd] }: Hunk): Hunk {
  const most = Math.min(aEnd - a, bEnd - b);
  let [start, end] = [0, 0];
  while (start < most && before[a + start] === after[b + start]) start += 1;
  if (start > 0 && isHigh(before.charCodeAt(a + start - 1))) start -= 1;
  while (end < most - start && before[aEnd - 1 - end] === after[bEnd - 1 - end]) end += 1;
  if (end > 0 && isLow(before.charCodeAt(aEnd - end))) end -= 1;
  return { before: [a + start, aEnd - end], after: [b + start, bEnd - end] };
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Maximum length of the differing part of a passage; of a longer one, start and length are shown. */
const longest = 200;

/** Returns a passage of a text with the characters around it. */
function excerpt(text: string, [start, end]: Interval): string {
  const [first, last] = [wholeFrom(text, start - around), wholeTo(text, end + around)];
  const middle =
    end - start <= longest
      ? escaped(text.slice(start, end), false)
      : `${escaped(text.slice(start, wholeTo(text, start + longest)), false)}… (${end - start} characters) …`;
  return `${first > 0 ? "…" : ""}${escaped(text.slice(first, start), false)}${middle}${escaped(text.slice(end, last))}${last < text.length ? "…" : ""}`;
}

const wholeFrom = (text: string, position: number): number =>
  position <= 0 ? 0 : isLow(text.charCodeAt(position)) ? position - 1 : position;
const wholeTo = (text: string, position: number): number =>
  position >= text.length ? text.length : isLow(text.charCodeAt(position)) ? position + 1 : position;

/** Returns two lines, of long ones only the passage from the first to the last difference. */
function excerpts(before: string, after: string): readonly [string, string] {
  if (before.length <= longest && after.length <= longest) return distinct(escaped(before), escaped(after));
  const hunk = trimmed(before, after, { before: [0, before.length], after: [0, after.length] });
  return distinct(excerpt(before, hunk.before), excerpt(after, hunk.after));
}

/** Maximum length of a line without a counterpart. */
const longestLine = 400;

/** Returns a text like the inside of a JSON string, with bare quotes; blanks at its end are escaped. */
function escaped(text: string, isEnd = true): string {
  if (isEnd && text.length > longestLine)
    return `${escaped(text.slice(0, wholeTo(text, longestLine)), false)}… (${text.length} characters)`;
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return isEnd ? inner.replace(/ +$/, (blanks) => "\\u{20}".repeat(blanks.length)) : inner;
}
