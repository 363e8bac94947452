/**
 * Compares two texts without case: the API writes the same word in several cases (docs/contract.md#17.3,
 * docs/contract.md#17.4).
 */
export const equalsIgnoreCase = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * Returns true if two texts, such as names, are equal in one Unicode form: Terraform normalizes every text, and no source
 * says which form the API returns.
 */
export const sameText = (a: string | undefined, b: string | undefined): boolean =>
  a?.normalize() === b?.normalize();

/** Returns true if `words` contains the word in any case. */
export const includesIgnoreCase = (words: readonly string[], word = ""): boolean =>
  words.some((known) => equalsIgnoreCase(known, word));
