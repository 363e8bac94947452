/**
 * Compares two texts and ignores case: the API returns the same word in several cases (docs/contract.md#17.3,
 * docs/contract.md#17.4).
 */
export const equalsIgnoreCase = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * Returns true if two texts, such as names, are equal in normalized Unicode form: Terraform normalizes every text, and the
 * form that the API returns is not documented.
 */
export const sameText = (a: string | undefined, b: string | undefined): boolean =>
  a?.normalize() === b?.normalize();

/** Returns true if `words` contains the word in any case. */
export const includesIgnoreCase = (words: readonly string[], word = ""): boolean =>
  words.some((known) => equalsIgnoreCase(known, word));

const maxShown = 20;

/** Formats at most `most` rows as a list, followed by the number of rows left out; "none" without rows. */
export function formatRows<T>(rows: readonly T[], called: (row: T) => string, most = maxShown): string {
  const more = rows.length > most ? ` and ${rows.length - most} more` : "";
  return `${rows.slice(0, most).map(called).join(", ") || "none"}${more}`;
}

/** Returns the label of an object: `web (krn:…)`, or only the id without a name. */
export const labelOf = (id: string, name: unknown): string =>
  typeof name === "string" && name !== "" ? `${name} (${id})` : id;

/** Returns the known word closest to a mistyped one; undefined if none is close enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const scored = known.map((candidate) => ({
    candidate,
    steps: distance(word.toLowerCase(), candidate.toLowerCase()),
  }));
  const [best] = scored.toSorted((a, b) => a.steps - b.steps);
  return best !== undefined && best.steps <= Math.max(1, Math.floor(word.length / 3))
    ? best.candidate
    : undefined;
}

/** Returns the number of single-letter edits between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Returns the end of a message that suggests a known word; empty for undefined. */
export const didYouMean = (word: string | undefined): string =>
  word === undefined ? "" : `; did you mean ${JSON.stringify(word)}?`;
