import { type SymbolStyle, signsOf } from "./symbol.ts";

/** Lists that are cut to a number of bytes. A cut list ends with the number of its omitted items. */

/** List of a report, in the order in which its items are kept. */
export interface List {
  /** Lines above the items. */
  readonly heading: readonly string[];
  readonly items: readonly Item[];
  /** Returns the line that counts omitted items. */
  readonly rest: (omitted: readonly Item[]) => string;
}

/** Item of a list. */
export interface Item {
  readonly text: () => string;
  /** Returns a shorter text, for a list that is cut. Default: `text`. */
  readonly short?: () => string;
  /** Number of objects that the item is about. */
  readonly count: number;
  /** Group under which a cut list counts the item, such as its kind. */
  readonly group: string;
}

/** Returns an item that has one text and counts as one. */
export const itemOf = (text: string, group = ""): Item => ({ text: () => text, count: 1, group });

const shortOf = ({ text, short = text }: Item): string => short();

/** Returns the bytes of lines, each with its line break. */
export const bytesOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

/** Maximum number of groups that a cut list names. */
const mostGroups = 3;

/** Returns the line that counts omitted items by their groups: `31 more: 20 × volume, 11 others`. */
export function restLine(symbols: SymbolStyle): (omitted: readonly Item[]) => string {
  const { times } = signsOf(symbols);
  return (omitted) => {
    const counts = new Map<string, number>();
    let total = 0;
    for (const { group, count } of omitted) {
      counts.set(group, (counts.get(group) ?? 0) + count);
      total += count;
    }
    const groups = [...counts].filter(([group]) => group !== "").toSorted(([, a], [, b]) => b - a);
    const named = groups.slice(0, mostGroups);
    const others = total - named.reduce((sum, [, count]) => sum + count, 0);
    const parts = [
      ...named.map(([group, count]) => `${count}${times}${group}`),
      ...(named.length > 0 && others > 0 ? [`${others} others`] : []),
    ];
    return `- ${total} more${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
  };
}

/** Returns the bytes of a list without any of its items. */
export const leastBytes = ({ heading, items, rest }: List): number =>
  items.length === 0 ? 0 : bytesOf([...heading, rest(items), ""]);

/** Returns the bytes of a list with all items; infinite if they are more than `limit`. */
export function sizeOf(
  { heading, items }: List,
  limit: number,
  textOf = (item: Item) => item.text(),
): number {
  if (items.length === 0) return 0;
  let size = bytesOf([...heading, ""]);
  for (const item of items) {
    if (size > limit) break;
    size += Buffer.byteLength(textOf(item)) + 1;
  }
  return size > limit ? Number.POSITIVE_INFINITY : size;
}

/** Returns the bytes of a list with the short texts of all items; infinite if they are more than `limit`. */
export const shortSizeOf = (list: List, limit: number): number => sizeOf(list, limit, shortOf);

/**
 * Returns the lines of a list within this many bytes: as many items as fit with their short texts, the first ones of them with
 * their full text. The heading and the number of omitted items are always there.
 */
export function fitted(list: List, bytes: number): string[] {
  const { heading, items, rest } = list;
  if (items.length === 0) return [];
  if (sizeOf(list, bytes) <= bytes) return [...heading, ...items.map(({ text }) => text()), ""];
  let left = bytes - bytesOf([...heading, ""]);
  const shown: { readonly item: Item; text: string }[] = [];
  for (const item of items) {
    const text = shortOf(item);
    const size = Buffer.byteLength(text) + 1;
    // One very long name must not hide the items after it.
    if (size > bytes / 4) continue;
    if (size > left) break;
    shown.push({ item, text });
    left -= size;
  }
  const omitted = (): Item[] => {
    const retained = new Set(shown.map(({ item }) => item));
    return items.filter((item) => !retained.has(item));
  };
  // Makes room for the line that counts the omitted items.
  const restBytes = (): number => (shown.length === items.length ? 0 : bytesOf([rest(omitted())]));
  let space = restBytes();
  while (space > left && shown.length > 0) {
    left += Buffer.byteLength(shown.pop()?.text ?? "") + 1;
    space = restBytes();
  }
  left -= space;
  for (const line of shown) {
    const { text, short } = line.item;
    if (short === undefined) continue;
    const full = text();
    left -= Buffer.byteLength(full) - Buffer.byteLength(line.text);
    if (left < 0) break;
    line.text = full;
  }
  return [
    ...heading,
    ...shown.map(({ text }) => text),
    ...(shown.length === items.length ? [] : [rest(omitted())]),
    "",
  ];
}

/** Part of the room that a list gets: at least `least`, at most `most`. */
export interface Demand {
  readonly least: number;
  readonly most: number;
}

/** Returns the parts of the room: small lists get what they need, the others equal parts of the rest. */
export function sharesOf(demands: readonly Demand[], room: number): number[] {
  const shares = demands.map(({ least }) => least);
  let left = room - shares.reduce((sum, share) => sum + share, 0);
  const order = [...demands.keys()].toSorted((a, b) => wantedBy(demands[a]) - wantedBy(demands[b]));
  for (const [rank, index] of order.entries()) {
    const share = Math.min(wantedBy(demands[index]), Math.floor(Math.max(0, left) / (order.length - rank)));
    shares[index] = (shares[index] ?? 0) + share;
    left -= share;
  }
  return shares;
}

const wantedBy = (demand: Demand | undefined): number =>
  demand === undefined ? 0 : Math.max(0, demand.most - demand.least);
