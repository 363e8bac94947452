import { createHash, createHmac } from "node:crypto";
import { hasUnknown, isSecret, reveal, UNKNOWN, type Value } from "../../provider/core/value.ts";
import { canonical } from "../model/canonical.ts";
import { masked } from "../model/redaction.ts";
import type { Shown } from "./report.ts";

/** Settings of the values in a report. */
export interface ValueOptions {
  /** Key of the marks that make sensitive values comparable; undefined for no marks. */
  readonly key: string | undefined;
  /** Redacts copies of sensitive texts; for texts that the report decodes. */
  readonly redact: (text: string) => string;
  /** Number of parts of values for which the report still has room; each difference has a few, and the number of the others. */
  readonly room: { parts: number };
}

/**
 * Escapes invisible characters in a text: control characters, which a terminal would execute, direction marks, which change the
 * displayed order, characters without a width, spaces other than the common one, and halves of a surrogate pair. Also escapes
 * workflow commands of CI systems.
 */
export const visible = (text: string): string =>
  // Most texts have no such character.
  !/[^ -~]|##|::/.test(text) ? text : withoutCommands(text.replace(invisible, escapeOf));

const invisible =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** Returns a character as its escape: `\u{200b}`. */
const escapeOf = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Returns a text of several lines on one, with its invisible characters escaped. */
export const onOneLine = (text: string): string => visible(text.replace(/[\r\n\t]+/g, " "));

/**
 * Escapes the commands that CI systems run if they are printed: `::set-output name=a::b` at the start of a line (any word,
 * since outputs wrap lines), and `##[add-path]b` or `##vso[task.setvariable variable=a]b` anywhere.
 */
function withoutCommands(text: string): string {
  const plain = text.includes("##") ? text.replace(/##(?=\w*\[)/g, "#\\u{23}") : text;
  return plain.includes("::") ? plain.replace(/(^|\s)::(?=[a-z-]+(?:\s.*)?::)/gi, "$1\\u{3a}:") : plain;
}

/** Maximum length of a value in a report, in characters; a longer one is truncated, with its full length and hash. */
const longest = 400;

/** Converts a value for the report. */
export function show(value: Value, { key }: Pick<ValueOptions, "key">): Shown {
  if (value === null) return { kind: "none" };
  if (value === UNKNOWN) return { kind: "unknown" };
  if (isSecret(value)) return markOf(reveal(value), key);
  const text = visible(canonical(value, () => "(sensitive)"));
  return text.length <= longest
    ? { kind: "value", text }
    : { kind: "value", text: text.slice(0, longest).toWellFormed(), cut: text.length, sha256: sha256(text) };
}

/** Converts a sensitive value, given in clear text. With a key and a known value, equal marks mean equal values. */
export function markOf(plain: Value, key: string | undefined): Extract<Shown, { kind: "sensitive" }> {
  if (key === undefined || isMasked(plain) || hasUnknown(plain)) return { kind: "sensitive" };
  return { kind: "sensitive", mark: keyed(key, canonical(plain)).slice(0, 8) };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Returns the HMAC-SHA-256 of a text, in hex. */
export const keyed = (key: string, text: string): string =>
  createHmac("sha256", key).update(text).digest("hex");

/** Returns true for a sensitive value, given in clear text, that is only a placeholder in the input. */
export const isMasked = (plain: Value): boolean => plain === masked;
