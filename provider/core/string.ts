/**
 * Whether two words of the cloud are one: it writes the same one in several cases (docs/contract.md#17.3,
 * docs/contract.md#17.4).
 */
export const equalsIgnoreCase = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Whether a word of the cloud is among the known ones. */
export const includesIgnoreCase = (words: readonly string[], word = ""): boolean =>
  words.some((known) => equalsIgnoreCase(known, word));
