/** Maximum length of a text of an engine in a report, in characters. */
const longest = 2_000;

/** Returns a text, or the beginning of a longer one with its full length. */
export const cutText = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}… (${text.length} characters)`;
