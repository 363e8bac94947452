import { constants, isAscii } from "node:buffer";
import {
  beginScan,
  closeList,
  closeObject,
  colon,
  comma,
  isSpace,
  newline,
  openList,
  openObject,
  quote,
  scanValue,
} from "../../provider/core/json-scan.ts";
import { numberOf } from "../model/exact-number.ts";
import { isObject, type Json } from "./json.ts";
import { NotReviewableError, UnreadableError } from "./not-reviewable.ts";

/**
 * Streaming reader of JSON documents: memory never holds the whole text or all values of a large plan. The reader finds the end
 * of each member and element by quotes and brackets, and passes the text of one of them, or of several objects of a list, to
 * `JSON.parse`.
 */

/** Reads the next bytes into a buffer, from an offset on. Returns their number, 0 at the end. */
export type Source = (into: Buffer, offset: number) => number;

/** Returns the source of a text. */
export function sourceOfText(text: string): Source {
  const bytes = Buffer.from(text);
  let position = 0;
  return (into, offset) => {
    const count = bytes.copy(into, offset, position);
    position += count;
    return count;
  };
}

/** Members of an object that are converted while they are read, by name; other members are parsed as they are. */
export type Parts = ReadonlyMap<string, Part>;

/** Converts each object of a list, so that the document holds the results; or converts members of an object, or of each in a list. */
export type Part = { readonly row: (row: Json) => unknown } | { readonly members: Parts };

/** Sizes in bytes: `chunk` is read at once, `longest` is the maximum length of one value. */
const sizes = { chunk: 64 * 1024, longest: constants.MAX_STRING_LENGTH };

/**
 * Reads one document, or one document per line. Throws `UnreadableError` for invalid JSON, and `NotReviewableError` for a value
 * that exceeds the maximum length of a string.
 */
export function* documentsIn(source: Source, parts: Parts, limits = sizes): Generator<unknown> {
  const input = scannerOf(source, limits);
  for (let count = 0; ; count++) {
    const isNewLine = input.skipSpace();
    if (input.peek() === undefined) return;
    const isObject = input.peek() === openObject;
    try {
      if (count > 0 && !isNewLine) throw input.problem();
      yield isObject ? objectIn(input, parts) : input.value();
    } catch (error) {
      if (!(error instanceof NoJsonError)) throw error;
      throw new UnreadableError(
        count === 0
          ? `is not JSON, or is truncated, at byte ${error.position}${isObject ? "" : hint}`
          : `line ${count + 1} is not JSON: the file is truncated or damaged`,
      );
    }
  }
}

/** Hint for a text that is no JSON at all, such as the output of a plan for people. */
const hint = ": pass the output of show -json PLANFILE, or of pulumi preview --json";

/**
 * Error for invalid or truncated JSON, at a byte offset. Omits the message of the parser, because it quotes the text, which may
 * be secret.
 */
class NoJsonError extends Error {
  readonly position: number;
  constructor(position: number) {
    super();
    this.position = position;
  }
}

function objectIn(input: Scanner, parts: Parts): Json {
  const members = new Map<string, unknown>();
  eachPart(input, openObject, closeObject, () => {
    if (input.peek() !== quote) throw input.problem();
    const name = String(input.value());
    if (members.has(name))
      throw new NotReviewableError(
        `contains ${JSON.stringify(name)} twice, so that its parts contradict each other`,
      );
    input.expect(colon);
    members.set(name, memberIn(input, parts.get(name)));
  });
  return Object.fromEntries(members);
}

function memberIn(input: Scanner, part: Part | undefined): unknown {
  input.skipSpace();
  const first = input.peek();
  if (part === undefined) return input.value();
  if ("members" in part && first === openObject) return objectIn(input, part.members);
  if (first !== openList) return input.value();
  const rows: unknown[] = [];
  eachPart(input, openList, closeList, () => {
    if ("members" in part) return void rows.push(memberIn(input, part));
    const add = (row: unknown) => rows.push(isObject(row) ? part.row(row) : row);
    add(input.value());
    for (const row of input.others()) add(row);
  });
  return rows;
}

/** Reads parts between two brackets, with commas between them. */
function eachPart(input: Scanner, open: number, close: number, read: () => void): void {
  input.expect(open);
  if (input.take(close)) return;
  do {
    input.skipSpace();
    read();
  } while (input.take(comma));
  input.expect(close);
}

type Scanner = ReturnType<typeof scannerOf>;

/** Returns functions that read a source value by value through a sliding window of bytes. */
function scannerOf(source: Source, { chunk, longest }: typeof sizes) {
  let bytes = Buffer.allocUnsafeSlow(chunk);
  let [cursor, end] = [0, 0];
  /** Number of bytes before the window. */
  let passed = 0;

  /** Reads more bytes and keeps those of the window from `start` on. Returns false at the end of the source. */
  const more = (start: number): boolean => {
    if (end - start > longest)
      throw new NotReviewableError(`contains a value of more than ${longest} bytes, the maximum`);
    const room = end - start < bytes.length ? bytes : Buffer.allocUnsafeSlow(2 * bytes.length);
    if (start > 0 || room !== bytes) bytes.copy(room, 0, start, end);
    [bytes, cursor, end, passed] = [room, cursor - start, end - start, passed + start];
    const count = source(bytes, end);
    end += count;
    return count > 0;
  };

  const problem = (position = passed + cursor): NoJsonError => new NoJsonError(position);

  const peek = (): number | undefined => (cursor < end || more(cursor) ? bytes[cursor] : undefined);

  /** Skips whitespace. Returns true if it contained a line break. */
  const skipSpace = (): boolean => {
    let isNewLine = false;
    for (let byte = peek(); isSpace(byte); byte = peek()) {
      cursor += 1;
      isNewLine ||= byte === newline;
    }
    return isNewLine;
  };

  const take = (byte: number): boolean => {
    skipSpace();
    if (peek() !== byte) return false;
    cursor += 1;
    return true;
  };

  /** Moves past a value. Returns its start in the window, and `isPlain`: true if all characters are ASCII and none is escaped. */
  const pass = (): { start: number; isPlain: boolean } => {
    const scan = beginScan();
    let start = cursor;
    for (;;) {
      cursor = scanValue(scan, bytes, cursor, end);
      if (scan.isEnd) break;
      const isEmpty = cursor === start;
      const isAtEnd = !more(start);
      start = 0;
      // Only a number or a word can end with the input.
      if (isAtEnd && (scan.depth > 0 || scan.isText || isEmpty)) throw problem(passed + end);
      if (isAtEnd) break;
    }
    return { start, isPlain: scan.isPlain };
  };

  const value = (): unknown => {
    skipSpace();
    const { start, isPlain } = pass();
    const text = bytes.toString(isPlain ? "latin1" : "utf8", start, cursor);
    try {
      return parsed(text, isPlain);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw problem(passed + start + Number(/position (\d+)/.exec(error.message)?.[1] ?? 0));
    }
  };

  let isAlike = true;

  /**
   * Parses in one call the objects of a list that follow in the window, except the last one, and moves past them. Guesses their
   * end: the last position at which an object begins with the same bytes as the next object. If `JSON.parse` accepts the text
   * before that position, the guess is right; otherwise returns no objects, and the caller reads them one by one.
   */
  const others = (): unknown[] => {
    const name =
      end - cursor > 2 && bytes[cursor] === comma && bytes[cursor + 1] === openObject
        ? cursor + 2
        : undefined;
    if (!isAlike || name === undefined || bytes[name] !== quote) return [];
    const beginning = bytes.subarray(cursor, bytes.indexOf(quote, name + 1) + 1);
    const last = bytes.lastIndexOf(beginning, end - beginning.length);
    if (last <= cursor) return [];
    const objects = bytes.subarray(cursor + 1, last);
    const isPlain = isAscii(objects);
    const text = `[${objects.toString(isPlain ? "latin1" : "utf8")}]`;
    try {
      const list = parsed(text, isPlain && !text.includes("\\u")) as unknown[];
      cursor = last;
      return list;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      isAlike = false;
      return [];
    }
  };

  const expect = (byte: number): void => {
    if (!take(byte)) throw problem();
  };

  // Skips a byte-order mark.
  while (end < mark.length && more(0));
  if (bytes.subarray(0, mark.length).equals(mark)) cursor = mark.length;
  return { peek, skipSpace, take, expect, value, others, problem };
}

const mark = Buffer.from("\uFEFF");

/** Character that marks exact numbers. */
const reserved = /\uE003|\\ue003/i;

/** Parses a text, replaces the reserved character and keeps all digits of numbers; a plain text has no such character. */
function parsed(text: string, isPlain: boolean): unknown {
  if (!isPlain && reserved.test(text)) return JSON.parse(text, exact);
  const value: unknown = JSON.parse(text);
  // A second parse is faster than a search in all texts, as few values have such a number.
  return hasLongNumber(value) ? JSON.parse(text, exact) : value;
}

/** Returns true for a number that a double may not represent exactly: any other than a small integer. */
function hasLongNumber(value: unknown): boolean {
  if (typeof value === "number") return !Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (hasLongNumber(item)) return true;
  } else for (const name in value) if (hasLongNumber((value as Json)[name])) return true;
  return false;
}

function exact(key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  if (typeof value === "string") return value.replaceAll("\uE003", "\uFFFD");
  if (typeof value !== "number") return value;
  if (source !== undefined) return numberOf(value, source);
  // The parser has no source of a value whose key occurs twice.
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new NotReviewableError(
      `contains the key ${JSON.stringify(key)} twice in one object, with a large number`,
    );
  return value;
}
