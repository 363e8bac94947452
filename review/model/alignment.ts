/**
 * Alignment of two lists of texts by their equal items. The time grows with n log n: anchors are the texts that occur once on
 * each side, and only the gaps between them are aligned again.
 */

/** Indices of two equal items. */
export type Pair = readonly [before: number, after: number];

/** Part of two lists: from the first indices up to, but without, the last ones. */
interface Range {
  readonly from: Pair;
  readonly to: Pair;
}

/** Maximum number of nested alignments; a deeper gap is aligned by the number of each occurrence. */
const deepest = 16;

/** Returns pairs of equal items, both sides in ascending order. */
export function alignmentOf(before: readonly string[], after: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  const align = ({ from: [a, b], to: [aEnd, bEnd] }: Range, depth: number): void => {
    let [first, second, firstEnd, secondEnd] = [a, b, aEnd, bEnd];
    while (first < firstEnd && second < secondEnd && before[first] === after[second])
      pairs.push([first++, second++]);
    while (first < firstEnd && second < secondEnd && before[firstEnd - 1] === after[secondEnd - 1]) {
      firstEnd -= 1;
      secondEnd -= 1;
    }
    const gap: Range = { from: [first, second], to: [firstEnd, secondEnd] };
    if (first < firstEnd && second < secondEnd) {
      const anchors = depth < deepest ? anchorsIn(before, after, gap, true) : [];
      if (anchors.length === 0) for (const pair of anchorsIn(before, after, gap, false)) pairs.push(pair);
      else {
        let last = gap.from;
        for (const anchor of anchors) {
          align({ from: last, to: anchor }, depth + 1);
          pairs.push(anchor);
          last = [anchor[0] + 1, anchor[1] + 1];
        }
        align({ from: last, to: gap.to }, depth + 1);
      }
    }
    for (let tail = 0; firstEnd + tail < aEnd; tail++) pairs.push([firstEnd + tail, secondEnd + tail]);
  };
  align({ from: [0, 0], to: [before.length, after.length] }, 0);
  return pairs;
}

/**
 * Returns the longest ascending sequence of pairs of equal items: of those that occur once on each side, or of all, the nth
 * occurrence with the nth.
 */
function anchorsIn(
  before: readonly string[],
  after: readonly string[],
  { from: [a, b], to: [aEnd, bEnd] }: Range,
  isUnique: boolean,
): Pair[] {
  const [left, right] = [places(before, a, aEnd), places(after, b, bEnd)];
  const pairs: Pair[] = [];
  for (const [text, found] of left) {
    const others = right.get(text) ?? [];
    if (isUnique && (found.length > 1 || others.length > 1)) continue;
    for (const [position, index] of found.entries()) {
      const other = others[position];
      if (other !== undefined) pairs.push([index, other]);
    }
  }
  return ascending(pairs.toSorted(([one], [other]) => one - other));
}

function places(list: readonly string[], start: number, end: number): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (let index = start; index < end; index++) {
    const text = list[index] ?? "";
    const known = found.get(text);
    if (known === undefined) found.set(text, [index]);
    else known.push(index);
  }
  return found;
}

/** Returns the longest part of a list of pairs, sorted by their first index, whose second indices ascend. */
function ascending(pairs: readonly Pair[]): Pair[] {
  /** Index of the last pair of the best sequence of each length. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, [, second]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < second) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const found: Pair[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) found.push(pair);
  }
  return found.toReversed();
}
