import { createHmac } from "node:crypto";
import { hasUnknown, isSecret, reveal, UNKNOWN, type Value } from "../../provider/core/value.ts";
import { canonical } from "../model/canonical.ts";
import { masked } from "../model/redaction.ts";
import type { Shown } from "./report.ts";

/** How values appear in a report. */
export interface ValueOptions {
  /** Key of the marks by which two reviewers compare sensitive values; undefined for no marks. */
  readonly key: string | undefined;
}

/**
 * Returns a text in which characters without a picture are escapes: control characters, which a terminal would obey, and
 * marks of direction, which make a text read differently than it is. Commands in the log of a CI system are no commands.
 */
export const visible = (text: string): string =>
  // Most texts have no such character.
  !/[^ -~]|##|::/.test(text)
    ? text
    : withoutCommands(
        text
          .replace(/[\r\n\t]+/g, " ")
          .replace(
            /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
            (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
          )
          .toWellFormed(),
      );

/**
 * Escapes what CI systems run if it is printed: `::set-output name=a::b` at the start of a line, which may begin at any
 * word, and `##[add-path]b` or `##vso[task.setvariable variable=a]b` anywhere.
 */
function withoutCommands(text: string): string {
  const plain = text.includes("##") ? text.replace(/##(?=\w*\[)/g, "#\\u{23}") : text;
  return plain.includes("::") ? plain.replace(/(^|\s)::(?=[a-z-]+(?:\s.*)?::)/gi, "$1\\u{3a}:") : plain;
}

/** Maximum length of a value in a report, in characters; a longer one is cut, and its length is given. */
const longest = 400;

/** Returns a value as a report shows it. */
export function show(value: Value, { key }: ValueOptions): Shown {
  if (value === null) return { kind: "none" };
  if (value === UNKNOWN) return { kind: "unknown" };
  if (isSecret(value)) return markOf(reveal(value), key);
  const text = visible(
    typeof value === "string" ? JSON.stringify(value) : canonical(value, () => "(sensitive)"),
  );
  return text.length <= longest
    ? { kind: "value", text }
    : { kind: "value", text: text.slice(0, longest).toWellFormed(), cut: text.length };
}

/**
 * Returns the sign of a sensitive value, given without its mark; with a key and a known value, two values are equal if
 * their signs are.
 */
export function markOf(plain: Value, key: string | undefined): Extract<Shown, { kind: "sensitive" }> {
  if (key === undefined || isMasked(plain) || hasUnknown(plain)) return { kind: "sensitive" };
  return { kind: "sensitive", mark: keyed(key, canonical(plain)).slice(0, 8) };
}

/** Returns the HMAC-SHA-256 of a text, in hex. */
export const keyed = (key: string, text: string): string =>
  createHmac("sha256", key).update(text).digest("hex");

/** Returns true for a sensitive value, without its mark, that the input holds as a placeholder only. */
export const isMasked = (plain: Value): boolean => plain === masked;
