import { isUtf8 } from "node:buffer";
import {
  isRecord,
  isSecret,
  reveal,
  secret,
  UNKNOWN,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import { alignmentOf, type Pair } from "./alignment.ts";
import { canonical } from "./canonical.ts";
import { numberOf } from "./exact-number.ts";
import { type Hidden, hideSecrets, withoutCredentials } from "./secret-shape.ts";
import { allLines, linesIn, passagesIn, type TextPart } from "./text-difference.ts";

/** Differences inside of a value: of a list by its items, of a document by its paths, of a text by its lines or passages. */

/** Difference of one part of a value. */
export type InnerPart = { readonly at: string } & (
  | TextPart
  | { readonly effect: "removed"; readonly before: Value }
  | { readonly effect: "added"; readonly after: Value }
  | { readonly effect: "changed"; readonly before: Value; readonly after: Value }
  | { readonly effect: "moved"; readonly after: Value }
);

/** Differences inside of a value. */
export interface InnerDifference {
  /** Formats in which texts are compared, outermost first. */
  readonly formats: readonly ("Base64" | "JSON")[];
  readonly parts: readonly InnerPart[];
  /** True if a decoded text contains a credential, so that the text itself must not be shown. */
  readonly isSecret: boolean;
}

/** Settings of a comparison. */
export interface InnerOptions {
  /** True if the order of the items has no meaning. */
  readonly isUnordered: boolean;
  /** Redacts copies of sensitive texts; needed for texts that only the comparison decodes. */
  readonly redact: (text: string) => string;
}

/**
 * Returns the differences inside of two values of one form, or the parts of one value; undefined for other values, and for
 * sensitive ones.
 */
export function innerDifference(
  before: Value,
  after: Value,
  { isUnordered, redact }: InnerOptions,
): InnerDifference | undefined {
  const formats: ("Base64" | "JSON")[] = [];
  let hasCredential = false;
  const parts: InnerPart[] = [];

  /** Returns the cleaned text of a value in Base64; undefined for any other text. */
  const decoded = (text: string): string | undefined => {
    const plain = decodedBase64(text);
    if (plain === undefined) return undefined;
    const clean = withoutCredentials(redact(plain));
    hasCredential ||= clean !== plain;
    return clean;
  };

  const texts = (one: string, other: string, place: string, isOuter: boolean): void => {
    const [left, right] = [decoded(one), decoded(other)];
    if (left !== undefined && right !== undefined) {
      if (isOuter) formats.push("Base64");
      if (left === right)
        parts.push({ at: place, effect: "changed", before: secret(one), after: secret(other) });
      else texts(left, right, place, isOuter);
      return;
    }
    const [document, next] = [parsed(one), parsed(other)] as const;
    if (document !== undefined && next !== undefined) {
      const count = parts.length;
      const isHidden = document.paths.length + next.paths.length > 0;
      values(document.values.document ?? null, next.values.document ?? null, place);
      if (isHidden && parts.length === count)
        parts.push({ at: place, effect: "changed", before: secret(one), after: secret(other) });
      hasCredential ||= isHidden;
      if (parts.length > count) {
        if (isOuter) formats.push("JSON");
        return;
      }
    }
    const isLong = one.includes("\n") || other.includes("\n");
    for (const part of isLong ? linesIn(one, other) : passagesIn(one, other))
      parts.push({ ...part, at: withPlace(place, part.at) });
  };

  /** Adds a value that is on one side only; a long one by its members or lines. */
  const whole = (effect: "added" | "removed", place: string, value: Value, isOuter = false): void => {
    const text = typeof value === "string" ? decoded(value) : undefined;
    const document = typeof value === "string" ? parsed(text ?? value) : undefined;
    const isLong = !isSecret(value) && canonical(value, () => "").length > longest;
    if (isLong && isOuter && text !== undefined) formats.push("Base64");
    if (isLong && document !== undefined) {
      hasCredential ||= document.paths.length > 0;
      if (isOuter) formats.push("JSON");
      whole(effect, place, document.values.document ?? null);
    } else if (isLong && Array.isArray(value))
      for (const [index, item] of value.entries()) whole(effect, `${place}[${index}]`, item);
    else if (isLong && isRecord(value))
      for (const name of Object.keys(value).toSorted())
        whole(effect, memberOf(place, name), memberIn(value, name) ?? null);
    else if (isLong && (text ?? String(value)).includes("\n"))
      for (const part of allLines(text ?? String(value), effect))
        parts.push({ ...part, at: withPlace(place, part.at) });
    else
      parts.push(
        effect === "added" ? { at: place, effect, after: value } : { at: place, effect, before: value },
      );
  };

  const values = (one: Value, other: Value, place: string): void => {
    if (isSecret(one) || isSecret(other)) {
      if (canonical(one) !== canonical(other))
        parts.push({
          at: place,
          effect: "changed",
          before: secret(reveal(one)),
          after: secret(reveal(other)),
        });
    } else if (isRecord(one) && isRecord(other)) {
      for (const name of [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted()) {
        const memberPlace = memberOf(place, name);
        const [left, right] = [memberIn(one, name), memberIn(other, name)] as const;
        if (left === undefined) whole("added", memberPlace, right ?? null);
        else if (right === undefined) whole("removed", memberPlace, left);
        else values(left, right, memberPlace);
      }
    } else if (Array.isArray(one) && Array.isArray(other)) lists(one, other, place, false);
    else if (canonical(one) === canonical(other)) return;
    else if (isText(one, other)) texts(String(one), String(other), place, false);
    else parts.push({ at: place, effect: "changed", before: one, after: other });
  };

  const lists = (one: Value[], other: Value[], place: string, isSet: boolean): void => {
    const key = keyOf(one, other);
    const tokensOf = (list: Value[]) =>
      list.map((item) => (key === undefined ? canonical(item) : canonical(memberIn(item, key) ?? null)));
    const [left, right] = [tokensOf(one), tokensOf(other)];
    const placeAt = (index: number) => (isSet ? place : `${place}[${index}]`);
    const placeOf = (index: number, item: Value) =>
      key === undefined ? placeAt(index) : `${place}[${key}=${canonical(memberIn(item, key) ?? null)}]`;
    const pairs = [...alignmentOf(left, right)];
    const moved = movesIn(left, right, pairs);
    if (key === undefined && !isSet)
      for (const pair of similarIn(one, other, { kept: [...pairs], moved })) pairs.push(pair);
    const [lost, gained] = [new Set(one.keys()), new Set(other.keys())];
    for (const [index, next] of [...pairs, ...moved]) {
      lost.delete(index);
      gained.delete(next);
    }
    for (const index of lost) whole("removed", placeAt(index), one[index] ?? null);
    const byIndex = new Map([...pairs, ...moved].map(([index, next]) => [next, index]));
    const isMoved = new Set(moved.map(([, next]) => next));
    for (const [next, item] of other.entries()) {
      const index = byIndex.get(next);
      if (index === undefined) {
        whole("added", placeAt(next), item);
        continue;
      }
      if (isMoved.has(next) && !isSet) {
        const what = key === undefined ? item : (memberIn(item, key) ?? null);
        parts.push({ at: `${place}[${index}] to ${place}[${next}]`, effect: "moved", after: what });
      }
      values(one[index] ?? null, item, placeOf(next, item));
    }
  };

  if (isSecret(before) || isSecret(after) || before === UNKNOWN || after === UNKNOWN) return undefined;
  const [one, other] = [before ?? [], after ?? []];
  if (Array.isArray(one) && Array.isArray(other)) lists(one, other, "", isUnordered);
  else if (isRecord(one) && isRecord(other)) values(one, other, "");
  else if (isText(one, other)) texts(String(one), String(other), "", true);
  else if (before === null) whole("added", "", after, true);
  else if (after === null) whole("removed", "", before, true);
  return parts.length === 0 ? undefined : { formats, parts, isSecret: hasCredential };
}

/** Length above which texts are compared by their parts, and above which a value on one side only is shown by its parts. */
const [short, longest] = [80, 400];

/** Returns true for two texts of which one is long or has several lines, or that are encoded. */
const isText = (one: Value, other: Value): boolean =>
  typeof one === "string" &&
  typeof other === "string" &&
  (Math.max(one.length, other.length) > short ||
    one.includes("\n") ||
    other.includes("\n") ||
    (decodedBase64(one) !== undefined && decodedBase64(other) !== undefined));

/** Returns the member of a record; undefined if there is none. */
const memberIn = (nestedPlace: Value | undefined, name: string): Value | undefined =>
  nestedPlace !== undefined && isRecord(nestedPlace) && Object.hasOwn(nestedPlace, name)
    ? nestedPlace[name]
    : undefined;

const memberOf = (outer: string, name: string): string =>
  /^\w+$/.test(name) ? (outer === "" ? name : `${outer}.${name}`) : `${outer}[${JSON.stringify(name)}]`;

const withPlace = (outer: string, place: string): string => (outer === "" ? place : `${outer}, ${place}`);

/** Names of members that identify an item of a list, the first one that all items have. */
const keys = ["key", "id", "Id", "ID", "name", "Name", "sid", "Sid", "Key"];

/** Maximum length of a text that identifies an item. */
const longestKey = 80;

/** Returns the name of the member that identifies each item of two lists of objects; undefined if there is none. */
function keyOf(before: readonly Value[], after: readonly Value[]): string | undefined {
  if (before.length === 0 || after.length === 0) return undefined;
  const identifies = (name: string) =>
    [before, after].every((list) => {
      const found = new Set<Value>();
      for (const item of list) {
        const value = memberIn(item, name);
        if (typeof value !== "number" && (typeof value !== "string" || value.length > longestKey))
          return false;
        found.add(value);
      }
      return found.size === list.length;
    });
  return keys.find(identifies);
}

/** Returns pairs of equal items whose order differs. */
function movesIn(before: readonly string[], after: readonly string[], pairs: readonly Pair[]): Pair[] {
  const [sources, placed] = [
    new Set(pairs.map(([index]) => index)),
    new Set(pairs.map(([, index]) => index)),
  ];
  const free = new Map<string, number[]>();
  for (const [index, text] of after.entries())
    if (!placed.has(index)) {
      const found = free.get(text);
      if (found === undefined) free.set(text, [index]);
      else found.push(index);
    }
  for (const found of free.values()) found.reverse();
  return before.flatMap((text, index): Pair[] => {
    const next = sources.has(index) ? undefined : free.get(text)?.pop();
    return next === undefined ? [] : [[index, next]];
  });
}

/** Maximum number of comparisons of items in one gap between equal items. */
const mostComparisons = 10_000;

/** Pairs of equal items of two lists: in one order, and in another one. */
interface Equal {
  readonly kept: readonly Pair[];
  readonly moved: readonly Pair[];
}

/**
 * Returns pairs of items that differ and are at the same place between equal items: of objects those with most equal members,
 * of other values all, if their numbers are equal.
 */
function similarIn(before: readonly Value[], after: readonly Value[], { kept, moved }: Equal): Pair[] {
  const [sources, come] = [new Set(moved.map(([index]) => index)), new Set(moved.map(([, index]) => index))];
  const found: Pair[] = [];
  const known = new Map<Value, ReadonlyMap<string, string>>();
  const membersOf = (item: Values): ReadonlyMap<string, string> => {
    const members =
      known.get(item) ?? new Map(Object.entries(item).map(([name, part]) => [name, canonical(part)]));
    known.set(item, members);
    return members;
  };
  /** Returns the index of the object with most equal members; undefined if none has one. */
  const mostAlike = (item: Values, indices: Iterable<number>): number | undefined => {
    let best: number | undefined;
    let most = 0;
    for (const index of indices) {
      const other = after[index] ?? null;
      if (!isRecord(other)) continue;
      const members = membersOf(other);
      let count = 0;
      for (const [name, text] of membersOf(item)) if (members.get(name) === text) count += 1;
      if (count > most) [best, most] = [index, count];
    }
    return best;
  };
  const pair = (lost: readonly number[], gained: readonly number[]): void => {
    if (lost.length * gained.length > mostComparisons) return;
    const free = new Set(gained);
    for (const [position, index] of lost.entries()) {
      const item = before[index] ?? null;
      const alike = isRecord(item) ? mostAlike(item, free) : undefined;
      const inOrder = lost.length === gained.length ? gained[position] : undefined;
      const next =
        alike ?? (inOrder !== undefined && isAlike(item, after[inOrder] ?? null) ? inOrder : undefined);
      if (next === undefined || !free.delete(next)) continue;
      found.push([index, next]);
    }
  };
  let [a, b] = [0, 0];
  const indices = (from: number, to: number, moves: ReadonlySet<number>): number[] =>
    Array.from({ length: to - from }, (_, offset) => from + offset).filter((index) => !moves.has(index));
  for (const [next, other] of [...kept, [before.length, after.length] as const]) {
    if (next > a && other > b) pair(indices(a, next, sources), indices(b, other, come));
    [a, b] = [next + 1, other + 1];
  }
  return found;
}

/** Returns true for two values of one form; for objects only if they have a common member. */
const isAlike = (one: Value, other: Value): boolean =>
  isRecord(one)
    ? Object.keys(one).some((name) => memberIn(other, name) !== undefined)
    : Array.isArray(one) === Array.isArray(other) && !isRecord(other);

/** Returns the printable text that a text in Base64 holds; undefined for any other text. */
function decodedBase64(text: string): string | undefined {
  if (text.length < 16 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  // Another text with the same bytes would show no difference.
  if (bytes.toString("base64") !== text) return undefined;
  if (!isUtf8(bytes)) return undefined;
  const plain = bytes.toString();
  return /[^\P{C}\r\n\t]/u.test(plain) ? undefined : plain;
}

/** Maximum number of nested objects and lists in a JSON text that is compared by its paths. */
const deepestDocument = 100;

/** Returns true if a JSON text may be nested more deeply than the maximum. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > deepestDocument) return true;
  }
  return false;
}

/**
 * Returns the object or list that a JSON text holds, with its unmarked secrets marked; undefined for any other text, and for one
 * that has more than its value shows: an object with two members of one name, or a number that a double does not represent.
 */
function parsed(text: string): Hidden | undefined {
  if (!/^\s*[[{]/.test(text) || isDeep(text)) return undefined;
  let names = 0;
  let isExact = true;
  try {
    const document = JSON.parse(text, (_, value: unknown, ...[context]: { source?: string }[]) => {
      if (typeof value === "number") isExact &&= numberOf(value, context?.source ?? "") === value;
      else if (isRecord(value)) names += Object.keys(value).length;
      return value;
    }) as Value;
    const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(
      ([, colon]) => colon !== undefined,
    );
    if (!isExact || names !== written.length) return undefined;
    return hideSecrets({ document });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
