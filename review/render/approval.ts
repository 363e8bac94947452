import type { Report } from "../report/report.ts";

/** Sentences of the outputs on what the approval digest covers. */

/** Returns what the digest does not cover, each as a sentence; empty if it covers every effect. */
export function coverageNotes({ coversSensitive, uncovered = [] }: Report["approval"], most = 10): string[] {
  const shown = uncovered.slice(0, most).join("; ");
  const rest = uncovered.length > most ? `; ${uncovered.length - most} more` : "";
  return [
    ...(coversSensitive
      ? []
      : ["It covers only the fact that sensitive values change; KCLOUD_REVIEW_KEY makes it cover them."]),
    ...(uncovered.length === 0 ? [] : [`It does not cover: ${shown}${rest}.`]),
  ];
}
