import { isUtf8 } from "node:buffer";

/** Text that was decoded from another one, and the positions there between which each of its UTF-16 units is encoded. */
export interface Plain {
  readonly text: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Returns a text as decoded from itself. */
export function plainOf(text: string): Plain {
  const [from, to]: [number[], number[]] = [[], []];
  while (to.length < text.length) to.push(from.push(to.length));
  return { text, from, to };
}

/** Replaces what precedes and follows a part of a text. */
const ellipsis = "…";

/** Matches escapes of a URL, JSON, JavaScript, Python, C and HTML: hexadecimal, decimal, octal, of a blank, with a name. */
const escapes =
  /^(?:(?:%|\\x)([\da-fA-F]{2})|[%\\]u([\da-fA-F]{4})|\\U([\da-fA-F]{8})|(?:\\[ux]\{|&#[xX])0*([\da-fA-F]{1,6})[};]|&#0*(\d{1,7});|\\([0-3][0-7]{2})|(\\[nrtbfv])|&(\w+);)/;

/** Maximum length of an escape: the longest name in HTML has 31 letters. */
const longestEscape = 33;

/** Characters with a name in HTML, each after its name; letters with an accent are `accented`. */
const names =
  "amp& lt< gt> quot\" apos' grave` sol/ bsol\\ plus+ equals= percnt% num# excl! dollar$ lpar( rpar) ast* comma, period. colon: semi; quest? commat@ lsqb[ lbrack[ rsqb] rbrack] Hat^ lowbar_ lcub{ lbrace{ verbar| vert| rcub} rbrace} nbsp\t euro€ pound£ yen¥ sect§ szligß deg° microµ Tab\t NewLine\n";
const named = new Map(names.split(" ").map((pair) => [pair.slice(0, -1), pair.slice(-1)]));
const accented = /^([A-Za-z])(?:acute|grave|circ|uml|tilde|cedil|ring|caron|macr|breve|ogon|dot|dblac)$/;

/** Returns the length of the escape or the character in UTF-8 at the start of these units, last unit first, and its text. */
function escapeIn(units: readonly string[]): readonly [number, string] | undefined {
  const first = units.at(-1) ?? "";
  const isByte = first >= "\xc2" && first <= "\xf4";
  if (!isByte && first !== "%" && first !== "\\" && first !== "&") return undefined;
  const text = units.slice(-longestEscape).reverse().join("");
  if (isByte) {
    const bytes = Buffer.from(/^.[\x80-\xbf]{1,3}/.exec(text)?.[0] ?? "", "latin1");
    const size = [2, 3, 4].find((length) => length <= bytes.length && isUtf8(bytes.subarray(0, length)));
    return size === undefined ? undefined : [size, bytes.toString("utf8", 0, size)];
  }
  const found = escapes.exec(text);
  if (found === null) return undefined;
  const [{ length }, byte, unit, long, braced, decimal, octal, blank, name = ""] = found;
  const hex = byte ?? unit ?? long ?? braced;
  const code = Number.parseInt(hex ?? decimal ?? octal ?? "", hex ? 16 : decimal ? 10 : 8);
  if (code >= 0) return code > 0x10ffff ? undefined : [length, String.fromCodePoint(code)];
  // The accent prevents that the letter becomes a digit of another escape.
  const character = blank ? "\n" : (named.get(name) ?? name.replace(accented, "\u0301$1"));
  return character === name ? undefined : [length, character];
}

/**
 * Decodes all escapes, also escaped ones, in one pass from the end: the text of an escape replaces it before the unit in front
 * of it is read, and may be a part of another escape.
 */
export function unescaped(all: Plain): Plain {
  if (!/[%&\\\xc2-\xf4]/.test(all.text)) return all;
  const [units, from, to]: [string[], number[], number[]] = [[], [], []];
  const put = (text: string, start = 0, end = 0) => {
    for (let position = text.length - 1; position >= 0; position--) {
      units.push(text.charAt(position));
      from.push(start);
      to.push(end);
    }
  };
  for (let position = all.text.length - 1; position >= 0; position--) {
    put(all.text.charAt(position), all.from[position], all.to[position]);
    for (let found = escapeIn(units); found !== undefined; found = escapeIn(units)) {
      const [length, text] = found;
      const end = to.at(-length);
      for (const list of [units, from, to]) list.length -= length;
      put(text, all.from[position], end);
    }
  }
  return { text: units.reverse().join(""), from: from.reverse(), to: to.reverse() };
}

/** Ways to write bytes: bits of a digit, digits with which the first byte can begin, a run of digits, what separates them. */
const encodings = [
  ["base64", 6, 4, /[\w+/-]{8,}(?:[\s\\]+[\w+/-]{12,})*(?:[\s\\]+[\w+/-]+)?/g, /[\s\\]+/g],
  ["hex", 4, 2, /(?:[\da-fA-F](?:0x|[\s\\:,-])*){12,}/g, /0x|[\s\\:,-]+/g],
] as const;

/** Matches six characters in UTF-8 or UTF-16: other bytes are not those of a text. */
const readable = /(?:[\s -~]\p{Cc}?|[\xc2-\xf4][\x80-\xbf]{1,3}){6}/u;

/** Returns the texts that a text has in base64 or hexadecimal digits, one byte a unit, between ellipses as they may be parts. */
export function* encodedIn(all: Plain): Generator<Plain> {
  for (const [name, bits, starts, run, gap] of encodings)
    for (const { 0: found, index } of all.text.matchAll(run)) {
      const digits = found.replace(gap, "");
      for (let start = 0; start < starts; start++) {
        const bytes = Buffer.from(digits.slice(start), name).toString("latin1");
        if (!readable.test(bytes)) continue;
        const places: number[] = [];
        for (let offset = 0; places.length < digits.length; offset++)
          if (found.charAt(offset) === digits.charAt(places.length)) places.push(index + offset);
        const placeOf = (bit: number) =>
          places[start + Math.floor(Math.min(Math.max(bit, 0), bytes.length * 8 - 1) / bits)] ?? 0;
        const text = `${ellipsis}${bytes}${ellipsis}`;
        const positions = (more: number, of: readonly number[]) =>
          Array.from(text, (_, position) => of[placeOf((position - 1) * 8 + more)] ?? 0);
        yield { text, from: positions(0, all.from), to: positions(7, all.to) };
      }
    }
}

/** Returns the letters that are compared in place of a character: of white space and what programs add or remove none. */
const lettersOf = (character: string): string =>
  character === ellipsis
    ? character
    : character
        .normalize("NFKD")
        .replace(/[\s\\+\p{M}\p{Z}\p{C}]/gu, "")
        .replace(/["`]/, "'");
const ascii = Array.from({ length: 0x80 }, (_, code) => lettersOf(String.fromCharCode(code)));

/**
 * Returns the units of a text that are compared: without accents, with one quotation mark for adjacent ones of any kind, and
 * without what programs add, remove or replace when they quote a text: white space, control characters, backslashes, and plus
 * signs, which are spaces in a URL.
 */
export function compared(text: string): Plain {
  const [units, from, to]: [string[], number[], number[]] = [[], [], []];
  for (let position = 0, end = 0; position < text.length; position = end) {
    const code = text.codePointAt(position) ?? 0;
    end = position + (code > 0xffff ? 2 : 1);
    const plain = ascii[code] ?? lettersOf(text.slice(position, end));
    if (plain === "'" && units.at(-1) === "'") to[to.length - 1] = end;
    else
      for (let index = 0; index < plain.length; index++) {
        units.push(plain.charAt(index));
        from.push(position);
        to.push(end);
      }
  }
  return { text: units.join(""), from, to };
}
