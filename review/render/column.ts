/** Texts in columns of a terminal: a wide letter or an emoji takes two, a combining mark none. */

/** Matches one letter that takes two columns, without the marks on it. */
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18D08}\u{1AFF0}-\u{1B2FF}\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}])/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Returns true for a text of Latin letters, punctuation and arrows, of which each takes one column. */
const isPlain = (text: string): boolean => !/[^ -~\u00A1-\u02FF\u2010-\u2027\u2190-\u22FF]/.test(text);

const lettersOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

const letterWidth = (letter: string): number => (wide.test(letter) ? 2 : /^\p{M}/u.test(letter) ? 0 : 1);

/** Returns the number of columns of a text on one line. */
export const widthOf = (text: string): number =>
  isPlain(text) ? text.length : lettersOf(text).reduce((sum, letter) => sum + letterWidth(letter), 0);

/** Returns a text with blanks at its end up to a number of columns. */
export const padded = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - widthOf(text)));

/**
 * Breaks a text into lines of at most `width` columns: at blanks, and between wide letters, which are written without blanks.
 * Other words that are longer stay whole, so that an address can be copied. All lines but the first begin with `indent`.
 */
export function wrapped(text: string, width: number, indent: string): string {
  // Most lines are short.
  if (text.length <= width && isPlain(text)) return text.trimEnd();
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? "";
  let columns = line.length;
  let isStart = true;
  const add = (piece: string, size: number, gap: string): void => {
    if (!isStart && columns + gap.length + size > width) {
      lines.push(line);
      [line, columns] = [indent, indent.length];
      isStart = true;
    }
    if (!isStart) [line, columns] = [line + gap, columns + gap.length];
    [line, columns] = [line + piece, columns + size];
    isStart = false;
  };
  for (const word of text.trim().split(" "))
    for (const [index, piece] of piecesOf(word).entries()) add(piece, widthOf(piece), index === 0 ? " " : "");
  return [...lines, line].join("\n");
}

/** Returns the parts of a word between which a line may break. */
function piecesOf(word: string): string[] {
  if (isPlain(word)) return [word];
  const pieces: string[] = [];
  let isAfterWide = false;
  for (const letter of lettersOf(word)) {
    const isWide = wide.test(letter);
    if (isWide && isAfterWide) pieces.push(letter);
    else pieces.push(`${pieces.pop() ?? ""}${letter}`);
    isAfterWide = isWide;
  }
  return pieces;
}
