import { isUtf8 } from "node:buffer";

/** UTF-16 units of a text, and the positions between which each of them is in the text that they were decoded from. */
export interface Units {
  readonly codes: number[];
  readonly from: number[];
  readonly to: number[];
}

const noUnits = (): Units => ({ codes: [], from: [], to: [] });

function pushUnit(all: Units, code: number, from: number, to: number): void {
  all.codes.push(code);
  all.from.push(from);
  all.to.push(to);
}

function push(all: Units, text: string, from: number, to: number): void {
  for (let at = 0; at < text.length; at++) pushUnit(all, text.charCodeAt(at), from, to);
}

/** Returns the units of a text, each at its own position. */
export function unitsOf(text: string): Units {
  const all = noUnits();
  for (let at = 0; at < text.length; at++) pushUnit(all, text.charCodeAt(at), at, at + 1);
  return all;
}

/** Returns the text between two units. */
export function textOf({ codes }: Units, from = 0, to = codes.length): string {
  let text = "";
  for (let at = Math.max(0, from); at < to; at += 4096)
    text += String.fromCharCode(...codes.slice(at, Math.min(at + 4096, to)));
  return text;
}

/** Replaces an unknown part of a text. */
const ellipsis = "…";

/** Escapes of a URL, JSON, JavaScript, Python, C and HTML: with a number in three bases, of a blank, and with a name. */
const anyEscape =
  /^(?:(?:(?:%|\\x)(?=..$)|[%\\]u(?=\w{4}$)|\\U(?=.{8}$)|\\[ux]\{(?=.*\}$)|&#[xX](?=.*;$))([\da-fA-F]+)[};]?|&#(\d+);|\\([0-3][0-7]{2})|(\\[nrtbfv])|&(\w+);)$/;

/** Maximum length of an escape: the longest name in HTML has 31 letters. */
const longestEscape = 33;

const isStart = (code = 0): boolean => code === 0x25 || code === 0x26 || code === 0x5c;
const isContinuation = (code = 0): boolean => code >= 0x80 && code < 0xc0;

/** Characters with a name in HTML, each after its name; letters with an accent are `accented`. */
const names =
  "amp& lt< gt> quot\" apos' grave` sol/ bsol\\ plus+ equals= percnt% num# excl! dollar$ lpar( rpar) ast* comma, period. colon: semi; quest? commat@ lsqb[ lbrack[ rsqb] rbrack] Hat^ lowbar_ lcub{ lbrace{ verbar| vert| rcub} rbrace} nbsp\t Tab\t NewLine\n";
const named = new Map(names.split(" ").map((pair) => [pair.slice(0, -1), pair.slice(-1)]));
const accented = /^([A-Za-z])(?:acute|grave|circ|uml|tilde|cedil|ring|caron|macr|breve|ogon|dot|dblac)$/;

/** Returns the length of the escape or the character in UTF-8 that ends here, and its text; undefined if there is none. */
function escapeAtEnd({ codes }: Units, since: number): [number, string] | undefined {
  if (isContinuation(codes.at(-1))) {
    const size = [2, 3].find((nth) => !isContinuation(codes.at(-nth))) ?? 4;
    const lead = codes.at(-size) ?? 0;
    const bytes = Buffer.from(lead < 0xc2 || lead > 0xf4 ? [lead] : codes.slice(-size));
    return bytes.length === size && isUtf8(bytes) ? [size, bytes.toString("utf8")] : undefined;
  }
  const found =
    since > longestEscape ? null : anyEscape.exec(String.fromCharCode(...codes.slice(-since - 1)));
  if (found === null) return undefined;
  const [{ length }, hex, decimal, octal, blank, name] = found;
  if (blank !== undefined) return [length, "\n"];
  // The accent prevents that the letter becomes a digit of another escape.
  const letter = accented.exec(name ?? "")?.[1];
  if (name !== undefined) return [length, named.get(name) ?? (letter ? `${letter}\u0301` : ellipsis)];
  const code = Number.parseInt(hex ?? decimal ?? octal ?? "", hex ? 16 : decimal ? 10 : 8);
  return code > 0x10ffff ? undefined : [length, String.fromCodePoint(code)];
}

/**
 * Decodes all escapes, also escaped ones, in one pass: the text of an escape replaces it before the next unit is read, and may
 * end another escape.
 */
export function unescaped(all: Units): Units {
  if (!all.codes.some((code) => isStart(code) || isContinuation(code))) return all;
  const plain = noUnits();
  /** Distance of each unit from the last one that starts an escape. */
  const since: number[] = [];
  const add = (text: string, from: number, to: number) => {
    push(plain, text, from, to);
    while (since.length < plain.codes.length)
      since.push(isStart(plain.codes[since.length]) ? 0 : (since.at(-1) ?? longestEscape) + 1);
  };
  for (const [at, code] of all.codes.entries()) {
    add(String.fromCharCode(code), all.from[at] ?? 0, all.to[at] ?? 0);
    for (let end = escapeAtEnd(plain, since.at(-1) ?? 0); end; end = escapeAtEnd(plain, since.at(-1) ?? 0)) {
      const from = plain.from.at(-end[0]) ?? 0;
      for (const list of [plain.codes, plain.from, plain.to, since]) list.length -= end[0];
      add(end[1], from, all.to[at] ?? 0);
    }
  }
  return plain;
}

/** Ways to write bytes in digits: bits of a digit, digits with which the first byte can begin, and what separates digits. */
const encodings = [
  { name: "base64", bits: 6, starts: 4, run: /[\w+/-][\w+/\s\\-]{6,}[\w+/-]/g, blank: /[\s\\]+/g },
  {
    name: "hex",
    bits: 4,
    starts: 2,
    run: /[\da-fA-F][\da-fA-F\s\\:,-]{10,}[\da-fA-F]/g,
    blank: /[\s\\:,-]+/g,
  },
] as const;

/** Matches six characters in UTF-8 or UTF-16: other bytes are not those of a text. */
const readable = /(?:[\s -~]\p{Cc}?|[\xc2-\xf4][\x80-\xbf]{1,3}){6}/u;

/** Returns the texts that a text has in base64 or hexadecimal digits, one byte a unit, between ellipses as they may be parts. */
export function* encodedIn(all: Units): Generator<Units> {
  const text = textOf(all);
  for (const { name, bits, starts, run, blank } of encodings)
    for (const { 0: found, index } of text.matchAll(run)) {
      /** Positions of the digits: most runs have no readable bytes and need none. */
      const places: number[] = [];
      const digits = found.replace(blank, "");
      const placeOf = (bit: number): number =>
        places[Math.min(Math.floor(bit / bits), places.length - 1)] ?? 0;
      for (let start = 0; start < starts; start++) {
        const bytes = Buffer.from(digits.slice(start), name).toString("latin1");
        if (!readable.test(bytes)) continue;
        for (let at = 0; places.length < digits.length; at++)
          if (found.charAt(at) === digits.charAt(places.length)) places.push(index + at);
        const inner = noUnits();
        for (const [nth, byte] of [ellipsis, ...bytes, ellipsis].entries()) {
          const bit = start * bits + (nth - 1) * 8;
          push(inner, byte, all.from[placeOf(Math.max(0, bit))] ?? 0, all.to[placeOf(bit + 7)] ?? 0);
        }
        yield inner;
      }
    }
}

/**
 * Returns the units that are compared, at their positions in `all`: without accents, with one quotation mark for adjacent ones
 * of any kind, and without what programs add, remove or replace when they quote a text: white space, control characters,
 * backslashes, and plus signs, which are spaces in a URL.
 */
export function compared(all: Units): Units {
  const result = noUnits();
  for (let at = 0, quoteEnd = -1; at < all.codes.length; at++) {
    const code = all.codes[at] ?? 0;
    if (code === 0x22 || code === 0x27 || code === 0x60) {
      if (quoteEnd === result.codes.length) result.to[quoteEnd - 1] = at + 1;
      else push(result, "'", at, at + 1);
      quoteEnd = result.codes.length;
    } else if (code < 0x80) {
      if (code > 0x20 && code !== 0x5c && code !== 0x2b) pushUnit(result, code, at, at + 1);
    } else {
      const character = String.fromCodePoint(textOf(all, at, at + 2).codePointAt(0) ?? 0);
      const letters = character.normalize("NFKD").replace(/[\p{M}\p{Z}\p{C}]/gu, "");
      push(result, letters, at, at + character.length);
      at += character.length - 1;
    }
  }
  return result;
}
