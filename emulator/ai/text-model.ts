/** Results of the text operations: deterministic, and simple enough that a reader can derive them from the text. */

/** Languages of `lang_from` of the entity extraction (docs/contract.md#13). */
export const indianLanguages = ["hin", "ben", "mar", "tam", "tel", "kan", "mal", "pan", "guj"] as const;
export const languages = ["eng", ...indianLanguages] as const;
export const entityParameters = ["keywords", "profanity", "ner", "task_type", "pii"] as const;

export type EntityParameter = (typeof entityParameters)[number];
export type Labelled = { readonly label: string; readonly value: string };

/** Scripts by the language that they indicate. Marathi is absent, since it has the script of Hindi. */
const scripts: Readonly<Record<string, RegExp>> = {
  eng: /\p{Script=Latin}/gu,
  hin: /\p{Script=Devanagari}/gu,
  ben: /\p{Script=Bengali}/gu,
  tam: /\p{Script=Tamil}/gu,
  tel: /\p{Script=Telugu}/gu,
  kan: /\p{Script=Kannada}/gu,
  mal: /\p{Script=Malayalam}/gu,
  pan: /\p{Script=Gurmukhi}/gu,
  guj: /\p{Script=Gujarati}/gu,
};

/** Returns the languages in a text, each with its share of the letters from 0 to 1, the largest first. */
export function detectedLanguages(text: string): Labelled[] {
  const counts = Object.entries(scripts)
    .map(([label, script]) => ({ label, count: text.match(script)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return counts.map(({ label, count }) => ({ label, value: (count / total).toFixed(2) }));
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const longWord = 7;
const profanities = new Set(["damn", "hell"]);

const personalData: Readonly<Record<string, RegExp>> = {
  EMAIL: /[\w.+-]+@[\w-]+\.[\w.-]*\w/g,
  PHONE: /\+?\d[\d -]{8,}\d/g,
};

const labelled = (label: string, values: readonly string[]): Labelled[] =>
  [...new Set(values)].map((value) => ({ label, value }));

const extractors: Readonly<Record<EntityParameter, (text: string) => Labelled[]>> = {
  keywords: (text) =>
    labelled(
      "KEYWORD",
      wordsOf(text)
        .filter((word) => word.length >= longWord)
        .map((word) => word.toLowerCase()),
    ),
  profanity: (text) =>
    labelled(
      "PROFANITY",
      wordsOf(text)
        .map((word) => word.toLowerCase())
        .filter((word) => profanities.has(word)),
    ),
  // Capitalized words in a row, except the first word of a sentence.
  ner: (text) => labelled("NAME", text.match(/(?<=[^.!?]\s)\p{Lu}\p{Ll}+(?:\s\p{Lu}\p{Ll}+)*/gu) ?? []),
  task_type: (text) => labelled("TASK", [text.trimEnd().endsWith("?") ? "question" : "statement"]),
  pii: (text) =>
    Object.entries(personalData).flatMap(([label, pattern]) => labelled(label, text.match(pattern) ?? [])),
};

const colors: Readonly<Record<EntityParameter, string>> = {
  keywords: "#4c78a8",
  profanity: "#e45756",
  ner: "#54a24b",
  task_type: "#b279a2",
  pii: "#f58518",
};

export type EntityGroup = {
  readonly title: EntityParameter;
  readonly color: string;
  readonly data: readonly Labelled[];
};

/** Returns a group for each parameter; a group may be empty. */
export const entityGroups = (text: string, parameters: readonly EntityParameter[]): EntityGroup[] =>
  parameters.map((title) => ({ title, color: colors[title], data: extractors[title](text) }));

/** Returns the first sentences with at most `size` words in total; if the first sentence is longer, its first `size` words. */
export function textSummary(text: string, size: number): string {
  const sentences = text.match(/[^.!?।]+[.!?।]*/gu) ?? [text];
  let summary = "";
  for (const sentence of sentences) {
    if (wordsOf(summary + sentence).length > size) break;
    summary += sentence;
  }
  return (summary === "" ? text.trim().split(/\s+/).slice(0, size).join(" ") : summary).trim();
}

const positive = new Set(["good", "great", "happy", "love", "excellent", "thanks"]);
const negative = new Set(["bad", "poor", "sad", "hate", "terrible", "broken"]);

/** Returns the sentiment with more distinct words in the text, and these words; neutral if the counts are equal. */
export function sentimentOf(text: string): { label: string; value: string[] } {
  const words = [...new Set(wordsOf(text.toLowerCase()))];
  const good = words.filter((word) => positive.has(word));
  const bad = words.filter((word) => negative.has(word));
  if (good.length === bad.length) return { label: "neutral", value: [] };
  return good.length > bad.length ? { label: "positive", value: good } : { label: "negative", value: bad };
}
