import { wrapped } from "../../review/render/column.ts";

/** Result of one check of `kcloud doctor`. */
export interface Finding {
  /** Name of the check, a word or two. */
  readonly check: string;
  /** `note` if the state may be intended or could not be checked. */
  readonly status: "ok" | "note" | "failed";
  readonly text: string;
  /** Remedy, a sentence; set for every failed check. */
  readonly remedy?: string;
}

export const ok = (check: string, text: string): Finding => ({ check, status: "ok", text });

export const note = (check: string, text: string, remedy?: string): Finding => ({
  check,
  status: "note",
  text,
  ...(remedy !== undefined && { remedy }),
});

export const failed = (check: string, text: string, remedy: string): Finding => ({
  check,
  status: "failed",
  text,
  remedy,
});

/** Layout of the findings on a terminal. */
export interface FindingLayout {
  readonly colour: boolean;
  /** Width in columns; longer lines are wrapped. Infinite for output that a program reads. */
  readonly width: number;
}

const labels = {
  ok: { word: "ok", colour: 32 },
  note: { word: "note", colour: 33 },
  failed: { word: "FAILED", colour: 31 },
} as const;

/** Width of the columns of the result and the name of a check. */
const [labelWidth, nameWidth] = [8, 17];

/** Returns the findings as lines for a terminal, with a summary. A sentence of the remedies is shown once. */
export function formatFindings(findings: readonly Finding[], { colour, width }: FindingLayout): string {
  const indent = " ".repeat(labelWidth + nameWidth);
  const advised = new Set<string>();
  const isNew = (sentence: string): boolean => !advised.has(sentence) && advised.add(sentence).size > 0;
  const lines = findings.flatMap(({ check, status, text, remedy = "" }) => {
    const { word, colour: code } = labels[status];
    const label = colour ? `\u001b[${code}m${word}\u001b[0m` : word;
    const advice = remedy.split(/(?<=\.) (?=[A-Z])/).filter((sentence) => sentence !== "" && isNew(sentence));
    const [first = "", ...others] = wrapped(
      `${" ".repeat(labelWidth)}${check.padEnd(nameWidth)}${text}`,
      width,
      indent,
    ).split("\n");
    return [
      `${label}${first.slice(word.length)}`,
      ...others,
      ...(advice.length === 0 ? [] : [wrapped(`${indent}${advice.join(" ")}`, width, indent)]),
    ];
  });
  const count = findings.filter(({ status }) => status === "failed").length;
  const summary = count === 0 ? "No check failed." : `${count} ${count === 1 ? "check" : "checks"} failed.`;
  return `${[...lines, "", summary].join("\n")}\n`;
}
