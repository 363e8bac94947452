import { compared, encodedIn, type Plain, plainOf, unescaped } from "./plain-text.ts";

/** Redaction of secrets in texts. `learn` adds a secret. */
export interface Redactor {
  redact(text: string): string;
  learn(secret: string): void;
}

/** Shown for a text with so many encodings in encodings that the search ends before all are decoded. */
const withheld = "the API's message quotes a credential and is not shown";

/** Minimum length of a part of a secret that is searched; a shorter secret is redacted as a whole word, from 3 characters on. */
const shortest = 6;
const shortestWord = 3;

/** Length from which a part of a token is redacted without a sign that the rest was cut. */
const longPart = 12;

/** Returns true for one word in one case with fewer than 16 letters, such as `fi`, `reboot;` or `Packages:`. */
const isWord = (text: string): boolean =>
  text.length < 16 && /^[^\p{L}\p{N}]*(?:\p{Lu}?[\p{Ll}_]*|[\p{Lu}_]*)[^\p{L}\p{N}]*$/u.test(text);

/** Matches lines that many files have. */
const frame = /^(?:#!.*|#cloud-config|-----(?:BEGIN|END) [A-Z0-9 ]+-----)$/;

/** Returns a secret and its decoded forms: without escapes, and from base64 or hexadecimal digits. */
function formsOf(secret: Plain): string[] {
  const plain = unescaped(secret);
  const isEncoded = /^…?[\w\s+/-]+={0,2}\s*…?$/.test(plain.text);
  const decoded = isEncoded ? [...encodedIn(plain)].flatMap(formsOf) : [];
  return [secret.text, ...(plain === secret ? [] : [plain.text]), ...decoded];
}

/** Returns the lines of a text that are redacted alone: those that are no word, as keywords of scripts are, and no `frame`. */
const linesOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter((line) => line !== text && !frame.test(line) && !isWord(line)),
  );

/** Bits of a place in secrets: the length from which a text with this place is redacted, and cuts that permit a shorter one. */
const [lengthBits, startBit, endBit] = [63, 64, 128];

const joined = (a: number, b: number): number =>
  Math.min(a & lengthBits, b & lengthBits) | ((a | b) & ~lengthBits);

/** Signs after and before which a text was cut; the first with an incomplete escape. */
const cutAfter =
  /^([\\%&][\w#;\\{]{0,8}|[\r\n]+)?[\s\p{Cc}]*(?:[[(<]*(?:\.{2}|…|\*{2}|truncated)|["')\]}>.]*…)/u;
const cutBefore = /(?:\.{2}|…|\*{2})[\])>"'\p{Cc}]*(?:[#\w{]{0,8}[;}]|[\da-fA-F]{1,4})?$/u;

type Interval = readonly [from: number, to: number];

/** Index of secrets. The time of a search does not depend on their number and length. */
function createIndex() {
  /** Places in secrets by the 6 units there. */
  const places = new Map<string, number>();
  /** Secrets of fewer units; true for those that are redacted as whole words only. */
  const words = new Map<string, boolean>();

  function add(part: string, isLine: boolean): void {
    const { text } = compared(part);
    const { length } = text;
    if (length < shortest) {
      if (!isLine && length >= shortestWord)
        words.set(text, words.get(text) !== false && part.length < shortest);
      return;
    }
    const isToken = !isLine && /^\S*\d\S*$/.test(part);
    const least = Math.min(length, Math.max(longPart, isToken ? 0 : length >> 1), lengthBits);
    let [start, end] = [shortest, shortest];
    // A word at the beginning or the end of a line also occurs elsewhere.
    while (isLine && start < length && isWord(text.slice(0, start))) start++;
    while (isLine && end < length && isWord(text.slice(-end))) end++;
    for (let at = 0; at + shortest <= length; at++) {
      const units = text.slice(at, at + shortest);
      const edges = (at === start - shortest ? startBit : 0) | (at === length - end ? endBit : 0);
      places.set(units, joined(places.get(units) ?? lengthBits, least | edges));
    }
  }

  /** Adds the intervals of the original text in which a text has parts of secrets. */
  function search(plain: Plain, found: Interval[]): void {
    const { text, from, to } = compared(plain.text);
    const read = (start: number, end: number) => plain.text.slice(Math.max(0, start), end);
    const mask = (start: number, end: number, more = 0) => {
      const before = /[\\+]*$/.exec(read(start - 16, start))?.[0].length ?? 0;
      const after = /^[\\+]*/.exec(read(end, end + 16))?.[0].length ?? 0;
      found.push([plain.from[start - before] ?? 0, plain.to[end - 1 + Math.max(after, more)] ?? 0]);
    };
    /** Masks units of which each 6 in a row are in a secret, if they are enough of it. */
    const judge = (first: number, last: number, place: number) => {
      const [start = 0, end = 0] = [from[first], to[last - 1]];
      const cut = cutAfter.exec(read(end, end + 32));
      const isCut = cutBefore.test(read(start - 16, start));
      if (
        last - first >= (place & lengthBits) ||
        (cut !== null && place & startBit) ||
        (isCut && place & endBit) ||
        (cut !== null && isCut && !isWord(read(start, end)))
      )
        mask(start, end, cut?.[1]?.length);
    };
    let [first, place] = [-1, lengthBits];
    for (let at = 0; at <= text.length; at++) {
      for (let end = at + shortestWord; words.size > 0 && end < at + shortest && end <= text.length; end++) {
        const isWhole = words.get(text.slice(at, end));
        const [start = 0, stop = 0] = [from[at], to[end - 1]];
        const around = isWhole === true ? read(start - 1, start) + read(stop, stop + 1) : "";
        if (isWhole !== undefined && !/[\p{L}\p{N}_]/u.test(around)) mask(start, stop);
      }
      const known = places.get(text.slice(at, at + shortest));
      if (known === undefined && first >= 0) judge(first, at + shortest - 1, place);
      if (known === undefined) [first, place] = [-1, lengthBits];
      else [first, place] = [first < 0 ? at : first, joined(place, known)];
    }
  }

  return { add, search, isEmpty: () => words.size === 0 && places.size === 0 };
}

/** Creates a redactor of these secrets. `mostWork` is the maximum number of units that are searched for each one of a text. */
export function createRedactor(secrets: readonly string[], mostWork = 32): Redactor {
  /** Secrets that the next redaction adds to the index. Most sessions have no redaction. */
  const fresh = new Set(secrets);
  const index = createIndex();
  return {
    learn: (secret) => void fresh.add(secret),
    redact(text) {
      for (const form of [...fresh].flatMap((secret) => formsOf(plainOf(secret)))) {
        index.add(form, false);
        for (const line of linesOf(form)) index.add(line, true);
      }
      fresh.clear();
      if (index.isEmpty()) return text;
      const found: Interval[] = [];
      const queue = [plainOf(text)];
      let work = 0;
      for (let units = queue.pop(); units !== undefined; units = queue.pop()) {
        work += units.text.length;
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
