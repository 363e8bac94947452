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
