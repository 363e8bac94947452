import { isSecret, type Value } from "../../provider/core/value.ts";
import { hideSecrets, withoutCredentials } from "../../review/model/secret-shape.ts";
import { visible } from "../../review/report/value.ts";
import type { Json, JsonObject } from "../text.ts";

/**
 * Structured content of results. Texts of the cloud and of files may be written to mislead an agent, so that every invisible
 * character is escaped, and no secret is among them.
 */

/** Values of a call without secrets, or the text of its error. */
export type Found = { readonly data: JsonObject } | { readonly error: string };

/** Text in place of a value that is a secret. */
export const sensitive = "(sensitive)";

/** Maximum length of a text in characters, of a name, of a list in items, and depth of a value. */
const [longestText, longestName, longestList, deepest] = [4_000, 200, 2_000, 24];

/** Returns a text with its invisible characters escaped, except line breaks and tabs, and truncated. */
export function shownText(text: string, longest = longestText): string {
  const cut =
    text.length > longest ? `${text.slice(0, longest).toWellFormed()}… (${text.length} characters)` : text;
  return cut
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 1 ? part.replace("\r", "") : visible(part)))
    .join("");
}

type Redact = (text: string) => string;

/** Returns a message, such as an error, without secrets: it may quote any value. */
export const shownMessage = (text: string, redact: Redact = (text) => text, longest?: number): string =>
  shownText(withoutCredentials(redact(text)), longest);

/**
 * Returns the summary and the detail of an error as a message. Each is searched for secrets by itself: together, as in "api_key: api_key:",
 * two names would look like an assignment.
 */
export const messageOf = (parts: readonly string[], redact: Redact = (text) => text): string =>
  shownText(
    parts
      .filter(Boolean)
      .map((part) => withoutCredentials(redact(part)))
      .join(": "),
  );

function shown(value: Value | Json | undefined, redact: Redact, depth: number): Json {
  if (value === undefined || value === null) return null;
  if (isSecret(value)) return sensitive;
  if (typeof value === "string") return shownText(redact(value));
  if (typeof value !== "object") return typeof value === "symbol" ? "(unknown)" : value;
  if (depth === 0) return "(nested too deeply)";
  if (Array.isArray(value)) {
    const items = value.slice(0, longestList).map((item) => shown(item, redact, depth - 1));
    const more = value.length - items.length;
    return more > 0 ? [...items, `(${more} more)`] : items;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      shownMessage(name, redact, longestName),
      shown(item, redact, depth - 1),
    ]),
  );
}

/** Returns values as structured content, with the values hidden that are or look like secrets. `redact` removes known secrets from texts. */
export const structured = (values: object, redact: Redact = (text) => text): JsonObject =>
  shown(hideSecrets({ values: values as Value }).values.values, remembering(redact), deepest) as JsonObject;

/** Results of redactions, by their functions. */
const results = new WeakMap<Redact, Map<string, string>>();

/** Maximum number of remembered texts, and the maximum length of each in characters. */
const [mostTexts, longestRemembered] = [2_000, 200];

/** Returns a function that remembers its results: IDs and names occur again and again, and a redaction reads every character. */
function remembering(redact: Redact): Redact {
  const known = results.get(redact) ?? new Map<string, string>();
  results.set(redact, known);
  return (text) => {
    const found = known.get(text) ?? redact(text);
    if (known.size >= mostTexts) known.clear();
    if (text.length <= longestRemembered) known.set(text, found);
    return found;
  };
}
