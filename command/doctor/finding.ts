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

const width = 16;
const labels = { ok: "ok", note: "note", failed: "FAILED" } as const;

/** Returns the findings as lines for a terminal, with a summary. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, status, text, remedy }) => [
    `${labels[status].padEnd(8)}${check.padEnd(width)} ${text}`,
    ...(remedy === undefined ? [] : [`${" ".repeat(8 + width)} ${remedy}`]),
  ]);
  const count = findings.filter(({ status }) => status === "failed").length;
  const summary = count === 0 ? "No check failed." : `${count} ${count === 1 ? "check" : "checks"} failed.`;
  return `${[...lines, "", summary].join("\n")}\n`;
}
