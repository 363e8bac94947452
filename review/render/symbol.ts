import type { Report, ReportFinding } from "../report/report.ts";

/** Style of the marks of severities and actions: symbols, letters, or words only. */
export type SymbolStyle = "emoji" | "letter" | "words";

const severitySymbols: { readonly [S in ReportFinding["severity"]]: { emoji: string; letter: string } } = {
  critical: { emoji: "🛑", letter: "!!" },
  high: { emoji: "🔴", letter: "!" },
  medium: { emoji: "🟠", letter: "~" },
  low: { emoji: "🔵", letter: "-" },
};

/** Returns the mark of a severity followed by a space; empty for words only. */
export const severityMark = (severity: ReportFinding["severity"], style: SymbolStyle): string =>
  style === "words" ? "" : `${severitySymbols[severity][style]} `;

const actionSymbols: { readonly [action: string]: string | undefined } = {
  create: "+",
  update: "~",
  replace: "±",
  delete: "-",
  forget: ".",
};

/** Returns the mark of an action followed by a space; empty for words only. */
export const actionMark = (action: string, style: SymbolStyle): string =>
  style === "words" ? "" : `${actionSymbols[action] ?? " "} `;

/** Signs between and before parts of a line; words in the style for screen readers. */
export interface Signs {
  readonly becomes: string;
  /** Between a number and the counted kind. */
  readonly times: string;
  /** Before a part of a value, by its effect. */
  readonly removed: string;
  readonly added: string;
  readonly changed: string;
  readonly moved: string;
  readonly kept: string;
  /** Between the parts of the verdict line. */
  readonly joint: string;
}

export const signsOf = (style: SymbolStyle): Signs =>
  style === "words"
    ? {
        becomes: " becomes ",
        times: " ",
        removed: "removed ",
        added: "added ",
        changed: "changed ",
        moved: "moved ",
        kept: "kept ",
        joint: "; ",
      }
    : {
        becomes: " → ",
        times: " × ",
        removed: "− ",
        added: "+ ",
        changed: "~ ",
        moved: "moved ",
        kept: "  ",
        joint: " · ",
      };

/** Returns the verdict line with the separators of the style. */
export const verdictLine = (line: string, style: SymbolStyle): string =>
  line.replaceAll(" · ", signsOf(style).joint);

/** Returns the mark of a verdict by its exit code. */
export function verdictMark(code: number, style: SymbolStyle): string {
  if (style !== "emoji") return "";
  return code === 0 ? "✅ " : code === 3 || code === 7 ? "🛑 " : "⚠️ ";
}

/** Returns the heading of a verdict by its exit code. */
export const verdictWord = (code: number, isApplied = false): string =>
  isApplied && code === 0 ? "Applied" : (words[code] ?? "Not reviewable");

const words: { readonly [code: number]: string | undefined } = {
  0: "Passed",
  3: "Blocked",
  5: "Not approved",
  7: "Apply incomplete",
  8: "Apply differs",
};

/** Returns heading and line of the verdict of a report, without its mark. */
export const verdictText = (
  { verdict: { code, line }, applied }: Pick<Report, "verdict" | "applied">,
  style: SymbolStyle,
): string =>
  `${verdictWord(code, applied !== undefined)}: ${verdictLine(line.replace(/^Applied: /, ""), style)}`;
