import { isUtf8 } from "node:buffer";
import { compared, encodedIn, textOf, type Units, unescaped, unitsOf } from "./plain-text.ts";

/** Redaction of secrets in texts. `learn` adds a secret. */
export interface Redactor {
  redact(text: string): string;
  learn(secret: string): void;
}

/** Shown for a text with so many encodings in encodings that the search ends before all are decoded. */
const withheld = "the API's message quotes a credential and is not shown";

/** Minimum length of a part of a secret that is searched; a shorter secret is redacted as a whole word, from 3 units on. */
const shortest = 6;
const shortestWord = 3;

/** Length from which a beginning or an end of a token is redacted without a sign that the rest was cut. */
const longPart = 12;

/** Returns true for one word in one case with fewer than 16 letters, such as `fi`, `reboot;` or `Packages:`. */
const isWord = (text: string): boolean =>
  text.length < 16 && /^[^\p{L}\p{N}]*(?:\p{Lu}?[\p{Ll}_]*|[\p{Lu}_]*)[^\p{L}\p{N}]*$/u.test(text);

/** Matches lines that many files have. */
const frame = /^(?:#!.*|#cloud-config|-----(?:BEGIN|END) [A-Z0-9 ]+-----)$/;

/** Text that is redacted: a secret, or one line of it. */
type Part = readonly [of: "secret" | "line", text: string];

/**
 * Returns the parts of a secret: itself, decoded or not, and each line of at least 6 characters that is not one word in one case,
 * as keywords of scripts are, a `#!` line, `#cloud-config` or a frame of PEM.
 */
function partsOf(secret: string): Part[] {
  const decoded = textOf(unescaped(unitsOf(secret)));
  const texts = decoded === secret ? [secret] : [secret, decoded];
  const lines = new Set(texts.flatMap((text) => text.split(/[\r\n]+/)).map((line) => line.trim()));
  const digits = secret.replace(/\s+/g, "");
  const isHex = /^[\da-fA-F]+$/.test(digits);
  const bytes = Buffer.from(/^[\w+/-]+={0,2}$/.test(digits) ? digits : "", isHex ? "hex" : "base64");
  return [
    ...texts.map((text): Part => ["secret", text]),
    ...[...lines].filter((line) => !frame.test(line) && !isWord(line)).map((line): Part => ["line", line]),
    ...(bytes.length >= shortest && isUtf8(bytes) ? partsOf(bytes.toString("utf8")) : []),
  ];
}

/** Bits of an edge, which is 0 inside of a part: length from which a text with this edge is redacted, and the part that has it. */
const [lengthBits, ofLine, ofSecret] = [63, 64, 128];

const joined = (a: number, b: number): number =>
  a === 0 || b === 0 ? a | b : Math.min(a & lengthBits, b & lengthBits) | ((a | b) & (ofLine | ofSecret));

function hashAt(codes: readonly number[], at: number): number {
  let hash = 7;
  for (let next = at; next < at + shortest; next++) hash = Math.imul(hash ^ (codes[next] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) & 0x3fffffff;
}

/** Signs after and before which a text was cut; the first with an incomplete escape. */
const cutAfter =
  /^([\\%&][\w#;\\{]{0,8}|[\r\n]+)?[\s\p{Cc}]*(?:[[(<]*(?:\.{2}|…|\*{2}|truncated)|["')\]}>.]*…)/u;
const cutBefore = /(?:\.{2}|…|\*{2})[\])>"'\p{Cc}]*(?:[#\w{]{0,8}[;}]|[\da-fA-F]{1,4})?$/u;

type Interval = readonly [from: number, to: number];

/** Index of secrets. The time of a search does not depend on their number and length. */
function createIndex() {
  /** Edges at which a text can begin (low byte) and end, by the hash of 6 units of a part; in 16 maps, whose size is limited. */
  const places = Array.from({ length: 16 }, () => new Map<number, number>());
  /** Secrets of fewer units; true for those that are redacted as whole words only. */
  const words = new Map<string, boolean>();

  function add([of, text]: Part): void {
    const units = compared(unitsOf(text));
    const { length } = units.codes;
    if (length < shortest) {
      const word = textOf(units);
      if (of === "secret" && length >= shortestWord)
        words.set(word, words.get(word) !== false && text.length < shortest);
      return;
    }
    const isToken = of === "secret" && /^\S*\d\S*$/.test(text);
    const least = Math.min(isToken ? longPart : Math.max(longPart, length / 2), length, lengthBits) | 0;
    // A unit before a secret can complete an escape with the first two, and one after it with the last two.
    const edges = [
      least | (of === "secret" ? ofSecret : ofLine),
      ...(length < longPart ? [] : [least - 1, least - 2]),
    ];
    for (let at = 0; at + shortest <= length; at++) {
      const hash = hashAt(units.codes, at);
      const known = places[hash & 15]?.get(hash) ?? 0;
      const start = joined(known & 255, edges[at] ?? 0);
      places[hash & 15]?.set(hash, start | (joined(known >> 8, edges[length - shortest - at] ?? 0) << 8));
    }
  }

  /** Adds the intervals of the original text in which a text has parts of secrets. */
  function search(plain: Units, found: Interval[]): void {
    const text = compared(plain);
    const { length } = text.codes;
    const read = (from: number, to: number) => textOf(plain, from, Math.min(to, plain.codes.length));
    const mask = (from: number, to: number, more = 0) => {
      const [first = 0, last = 0] = [text.from[from], text.to[to - 1]];
      const before = /[\\+]*$/.exec(read(first - 16, first))?.[0].length ?? 0;
      const after = /^[\\+]*/.exec(read(last, last + 16))?.[0].length ?? 0;
      found.push([plain.from[first - before] ?? 0, plain.to[last - 1 + Math.max(after, more)] ?? 0]);
    };
    let run: { from: number; starts: Interval[]; ends: Interval[] } | undefined;
    for (let at = 0; at < length; at++) {
      for (let end = at + shortestWord; words.size > 0 && end <= length && end < at + shortest; end++) {
        const isWhole = words.get(String.fromCharCode(...text.codes.slice(at, end)));
        const [first = 0, last = 0] = [text.from[at], text.to[end - 1]];
        const around = isWhole === true ? [read(first - 1, first), read(last, last + 1)] : [];
        if (isWhole !== undefined && !around.some((next) => /[\p{L}\p{N}_]/u.test(next))) mask(at, end);
      }
      const hash = at + shortest > length ? undefined : hashAt(text.codes, at);
      const place = hash === undefined ? undefined : places[hash & 15]?.get(hash);
      if (place === undefined) {
        if (run !== undefined) judge(run, at + shortest - 1);
        run = undefined;
        continue;
      }
      run ??= { from: at, starts: [], ends: [] };
      if ((place & 255) !== 0) run.starts.push([at, place & 255]);
      if (place > 255) run.ends.push([at + shortest, place >> 8]);
    }

    /** Masks units of which each 6 in a row are in a secret, if they are enough of it. */
    function judge({ from, starts, ends }: NonNullable<typeof run>, to: number): void {
      const [first = 0, last = 0] = [text.from[from], text.to[to - 1]];
      const dots = /[.…]*$/.exec(read(last - 3, last))?.[0].length ?? 0;
      const cut = cutAfter.exec(read(last - dots, last + 32));
      const isCut = cutBefore.test(read(first - 16, first + 1).replace(/[^.…]$/, ""));
      const isEnough = (a: number, b: number, edge: number, hasCut: boolean) =>
        b - a >= (edge & lengthBits) ||
        (hasCut && edge >= ofSecret) ||
        (hasCut && edge >= ofLine && !isWord(read(text.from[a] ?? 0, text.to[b - 1] ?? 0)));
      const start = starts.find(([at, edge]) => isEnough(at, to, edge, cut !== null))?.[0];
      const end = ends.findLast(([at, edge]) => isEnough(from, at, edge, isCut))?.[0];
      // Fewer than 6 units at an end of the run can be those of another text.
      const near = cut === null && ends.findLast(([at]) => to - at < shortest)?.[0];
      const begun = !isCut && starts.find(([at]) => at - from < shortest)?.[0];
      if (start !== undefined) mask(start, Math.max(near || to, start + 1), cut?.[1]?.length);
      if (end !== undefined) mask(Math.min(begun || from, end - 1), end);
      if (cut !== null && isCut && isEnough(from, to, ofLine | lengthBits, true)) mask(from, to);
    }
  }

  return { add, search, isEmpty: () => words.size === 0 && places.every(({ size }) => size === 0) };
}

/** Creates a redactor of these secrets. `mostWork` is the maximum number of units that are searched for each one of a text. */
export function createRedactor(secrets: readonly string[], mostWork = 32): Redactor {
  /** Secrets that the next redaction adds to the index. Most sessions have no redaction. */
  const fresh = new Set(secrets);
  const index = createIndex();
  return {
    learn: (secret) => void fresh.add(secret),
    redact(text) {
      for (const secret of fresh) for (const part of partsOf(secret)) index.add(part);
      fresh.clear();
      if (index.isEmpty()) return text;
      const found: Interval[] = [];
      const queue = [unitsOf(text)];
      let work = 0;
      for (let units = queue.pop(); units !== undefined; units = queue.pop()) {
        work += units.codes.length;
        if (work > mostWork * (text.length + 16)) return withheld;
        const plain = unescaped(units);
        if (plain !== units) index.search(units, found);
        index.search(plain, found);
        queue.push(...encodedIn(plain));
      }
      return masked(text, found);
    },
  };
}

/** Replaces intervals of a text by `***`, and those that overlap by one. */
function masked(text: string, found: readonly Interval[]): string {
  let [clean, done] = ["", 0];
  for (const [from, to] of found.toSorted((a, b) => a[0] - b[0])) {
    if (from >= done) clean += `${text.slice(done, from)}***`;
    done = Math.max(done, to);
  }
  return clean + text.slice(done);
}

/** Returns a function that replaces secrets in a text by `***`: whole, cut, by the line, and in any encoding. */
export const redactor = (secrets: readonly string[]): ((text: string) => string) =>
  createRedactor(secrets).redact;

/** Control characters, line separators and direction marks, which a terminal would interpret. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Maximum length in characters of a text of the API before redaction, whose time grows with the length. */
const mostRead = 16_384;

/** Returns a text that may quote the API: redacted, then reduced to one line without control characters, then truncated. */
export const cleaned = (text: string, redact: (text: string) => string, longest: number): string =>
  redact(text).replace(controls, " ").trim().slice(0, longest).toWellFormed();

/**
 * Returns a text of the API for users, cleaned. Every text of the API has to pass this function unchanged: redaction does not
 * find a secret in a text that was truncated or cleaned before. Its end counts as truncated, as the API may have done that.
 */
export const quoted = (words: string, redact: (text: string) => string, longest = 300): string =>
  cleaned(words, (text) => redact(`${text.slice(0, mostRead)}…`).replace(/…$/, ""), longest);
