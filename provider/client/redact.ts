import { compared, encodedIn, type Plain, plainOf, unescaped } from "./plain-text.ts";

/** Redaction of secrets in texts. `learn` adds a secret. */
export interface Redactor {
  redact(text: string): string;
  learn(secret: string): void;
}

/** Message in place of a text whose nested encodings exceed the maximum amount of work. */
const withheld = "the API's message quotes a credential and is not shown";

/** Minimum length of a part of a secret that is searched; a shorter secret is redacted as a whole word, from 3 characters on. */
const shortest = 6;
const shortestWord = 3;

/** Lengths from which a part of a token, and of any secret, is redacted without a sign that the rest was cut. */
const longPart = 10;
const mostPart = 64;

/** Matches the first and the last characters of a secret that an escape takes which the text around the secret completes. */
const escapeParts = /^(?:[nrtv]|[#xu{]*[\da-f]{0,8}[;}]?)|(?:%|&#?)\w{0,2}$/gi;

/** Matches texts that many files have: one word in one case with fewer than 16 letters, such as `reboot;`, and a frame of PEM. */
const common =
  /^(?!.{16})[^\p{L}\p{N}]*(?:\p{Lu}?[\p{Ll}_]*|[\p{Lu}_]*)[^\p{L}\p{N}]*$|^(?:#!.*|#cloud-config|-----(?:BEGIN|END) [A-Z0-9 ]+-----)$/u;

/** Returns the lines of a text that are redacted alone. */
const linesOf = (text: string): ReadonlySet<string> =>
  new Set(text.split(/\s*[\r\n]\s*/).filter((line) => line !== text && !common.test(line)));

/** Returns the words of a text that look like a password or a token: of letters and digits. */
const tokensOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/[\s"'`=,;()<>]+/)
      .filter((word) => word.length >= 8 && word !== text && /\p{L}/u.test(word) && /\d/.test(word)),
  );

/** Returns a secret and its decoded forms: without escapes, and from base64 or hexadecimal digits. */
function formsOf(secret: string): string[] {
  const plain = unescaped(plainOf(secret));
  const encoded = /^[\w\s+/-]+={0,2}\s*$/.test(plain.text) ? [...encodedIn(plain)] : [];
  const decoded = encoded.flatMap(({ text }) => formsOf(text.slice(1, -1)));
  return [...new Set([secret, plain.text, ...decoded])];
}

function hashAt(text: string, position: number): number {
  let hash = 7;
  for (let next = position; next < position + shortest; next++)
    hash = Math.imul(hash ^ text.charCodeAt(next), 0x01000193);
  return (hash ^ (hash >>> 15)) & 0x3fffffff;
}

/** Signs after and before which a text was cut; the first with an incomplete escape. */
const cutAfter =
  /^([\\%&][\w#;\\{]{0,8}|[\r\n]+)?[\s\p{Cc}]*(?:[[(<]*(?:\.{2}|…|truncated)|["')\]}>.]*…)|^&\w{2,31};/u;
const cutBefore =
  /(?:\.{2}|…|&\w{2,31};)[\])>"'\s\\\p{Cc}]*(?:[#\w{]{0,8}[;}]|[uUx]?[\da-fA-F]{1,8})?[\s\\]*$/u;

type Interval = readonly [from: number, to: number];

/** Text in the form that is compared with secrets. */
interface Searched {
  readonly text: string;
  /** Offsets of the first unit and after the last one in the plain text. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** Returns these units of the plain text. */
  readonly read: (start: number, end: number) => string;
  /** Returns the interval of these units in the original text, with the rest of an escape that was cut. */
  readonly interval: (start: number, end: number, rest?: string) => Interval;
}

function searched(plain: Plain): Searched {
  /** Returns the last unit in a direction that is not compared, but was escaped, or is no blank. */
  const reach = (position: number, step: 1 | -1): number => {
    let last = position;
    for (let next = position + step; /[\s\\+\p{M}\p{Cc}]/u.test(plain.text.charAt(next)); next += step)
      if (/[\\+\p{M}]/u.test(plain.text.charAt(next)) || (plain.to[next] ?? 0) > (plain.from[next] ?? 0) + 1)
        last = next;
    return last;
  };
  return {
    ...compared(plain.text),
    read: (start, end) => plain.text.slice(Math.max(0, start), end),
    interval: (start, end, rest = "") => [
      plain.from[reach(start, -1)] ?? 0,
      plain.to[Math.max(reach(end - 1, 1), end - 1 + rest.length)] ?? 0,
    ],
  };
}

/** Creates a redactor of these secrets. `mostWork` is the maximum number of units that are searched for each one of a text. */
export function createRedactor(secrets: readonly string[], mostWork = 32): Redactor {
  /** Secrets that the next redaction adds to the index. Most sessions have no redaction. */
  const fresh = new Set(secrets);
  /** Length from which a text is redacted that has these 6 units of a secret, by their hash. */
  const lengths = new Map<number, number>();
  /** First and last 6 units of secrets, and of their lines (true): less is redacted where the text is cut after or before them. */
  const [starts, ends] = [new Map<number, boolean>(), new Map<number, boolean>()];
  /** Secrets of fewer units, and whether they are redacted as whole words only: those of fewer characters. */
  const words = new Map<string, boolean>();

  function add(part: string, isLine: boolean): void {
    const { text } = compared(part);
    const { length } = text;
    if (length < shortest && length >= shortestWord && !isLine)
      words.set(text, part.length < shortest && words.get(text) !== false);
    const isToken = !isLine && /^\S*\d\S*$/.test(part);
    const whole = isLine
      ? length
      : Math.max(text.replace(escapeParts, "").length, Math.min(length, shortest));
    const least = Math.min(whole, Math.max(longPart, isToken ? 0 : length >> 1), mostPart);
    for (let position = 0; position + shortest <= length; position++) {
      const hash = hashAt(text, position);
      const known = lengths.get(hash) ?? least + 1;
      if (known > least) lengths.set(hash, least);
    }
    if (length < shortest) return;
    const [start, end] = [hashAt(text, 0), hashAt(text, length - shortest)];
    starts.set(start, isLine && starts.get(start) !== false);
    ends.set(end, isLine && ends.get(end) !== false);
  }

  /** Returns the intervals of short secrets. */
  function* wordsIn({ text, from, to, read, interval }: Searched): Generator<Interval> {
    for (let position = 0; words.size > 0 && position < text.length; position++)
      for (let end = position + shortestWord; end < position + shortest && end <= text.length; end++) {
        const [start = 0, stop = 0] = [from[position], to[end - 1]];
        const isWord = words.get(text.slice(position, end));
        const around = isWord ? read(start - 1, start) + read(stop, stop + 1) : "";
        if (isWord !== undefined && !/[\p{L}\p{N}_]/u.test(around)) yield interval(start, stop);
      }
  }

  /** Returns the intervals of units of which each 6 in a row are in a secret, and which are enough of it. */
  function* partsIn({ text, from, to, read, interval }: Searched): Generator<Interval> {
    for (
      let position = 0, first = 0, least = mostPart, start = -1, end = -1;
      position <= text.length;
      position++
    ) {
      const length = position + shortest > text.length ? undefined : lengths.get(hashAt(text, position));
      if (length !== undefined) {
        least = Math.min(least, length);
        if (start < 0 && starts.has(hashAt(text, position))) start = position;
        if (ends.has(hashAt(text, position))) end = position;
        continue;
      }
      const last = position + shortest - 1;
      if (position > first) {
        const cut = cutAfter.exec(read(to[last - 1] ?? 0, (to[last - 1] ?? 0) + 32));
        const isCut = cutBefore.test(read((from[first] ?? 0) - 16, from[first] ?? 0));
        // A word at the beginning or the end of a line also occurs elsewhere.
        const isWord = common.test(text.slice(first, last));
        const isStart = start >= 0 && !(isWord && starts.get(hashAt(text, start)));
        const isEnd = end >= 0 && !(isWord && ends.get(hashAt(text, end)));
        const isPart = cut === null ? isCut && isEnd : isStart || (isCut && !isWord);
        // Fewer than 6 units beyond a start or an end can be those of another text.
        const begin = !isCut && start - first < shortest ? Math.max(start, first) : first;
        const stop = cut === null && end >= 0 && position - 1 - end < shortest ? end + shortest : last;
        if (isPart || last - first >= least) yield interval(from[begin] ?? 0, to[stop - 1] ?? 0, cut?.[1]);
      }
      [first, least, start, end] = [position + 1, mostPart, -1, -1];
    }
  }

  return {
    learn: (secret) => void fresh.add(secret),
    redact(text) {
      for (const form of [...fresh].flatMap(formsOf)) {
        for (const line of linesOf(form)) add(line, true);
        for (const token of tokensOf(form)) add(token, false);
        add(form, false);
      }
      fresh.clear();
      if (lengths.size === 0 && words.size === 0) return text;
      const found: Interval[] = [];
      const queue = [plainOf(text)];
      let work = 0;
      for (let units = queue.pop(); units !== undefined; units = queue.pop()) {
        work += units.text.length;
        if (work > mostWork * (text.length + 16)) return withheld;
        const plain = unescaped(units);
        for (const each of [...new Set([units, plain])].map(searched)) {
          for (const interval of wordsIn(each)) found.push(interval);
          for (const interval of partsIn(each)) found.push(interval);
        }
        for (const inner of encodedIn(plain)) queue.push(inner);
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
