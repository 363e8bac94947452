import { inAllWords, wording } from "../../provider/core/wording.ts";
import type { RuleDescription } from "./rule.ts";

/** Explanation of a rule, for `kcloud review explain` and docs/rules.md. */
export interface Explanation {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** Returns the explanation of a rule in the words of all engines. */
export const explanationOf = ({
  id,
  title,
  severity,
  confidence,
  about,
  remedy,
}: RuleDescription): Explanation => ({
  title: `${id}: ${title}`,
  paragraphs: [
    `Severity: ${severity}. Confidence: ${confidence}.`,
    inAllWords(about),
    inAllWords(wording`Remedy: ${remedy}`),
  ],
});

/** Returns rules as lines: id, severity and title. */
export function ruleLines(rules: readonly RuleDescription[]): readonly string[] {
  const [ids, severities] = [rules.map(({ id }) => id), rules.map(({ severity }) => severity)].map((texts) =>
    Math.max(...texts.map(({ length }) => length)),
  );
  return rules.map(
    ({ id, severity, title }) => `${id.padEnd(ids ?? 0)}  ${severity.padEnd(severities ?? 0)}  ${title}`,
  );
}
