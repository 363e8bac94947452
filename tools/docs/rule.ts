import { gateRules } from "../../review/gate/gate.ts";
import { runRules } from "../../review/gate/run.ts";
import { shownText } from "../../review/render/fold.ts";
import { makeReport } from "../../review/report/make.ts";
import type { ReportChange, ReportFinding } from "../../review/report/report.ts";
import { rules } from "../../review/rule/catalogue.ts";
import { explanationOf } from "../../review/rule/explanation.ts";
import type { RuleDescription } from "../../review/rule/rule.ts";
import { settingsWith } from "../../test/review/change-of.ts";
import { ruleCases } from "../../test/review/rule/case/all.ts";
import { alignedTable, blocks, code, mark, type Page, section } from "./markdown.ts";

/** Writes the page of the rules of `kcloud review`, with examples from their tests. */

/** Maximum number of attributes in an example. */
const mostDifferences = 8;

/** Returns the page of all built-in rules. */
export function rulePage(): Page {
  const all = [...rules, ...gateRules].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    name: "rules.md",
    text: `${blocks(
      mark,
      "# Rules of the review",
      "The built-in rules of [`kcloud review`](review.md), as `kcloud review explain ID` prints them. A finding can have another severity or confidence than its rule; its text says why. The examples are cases of the tests, with the values of Terraform.",
      alignedTable([
        ["rule", "severity", "finding"],
        ...all.map((rule) => [`[${rule.id}](#${anchorOf(rule)})`, rule.severity, rule.title]),
      ]),
      ...all.map((rule) => {
        const { title, paragraphs } = explanationOf(rule);
        return section(`## ${title}`, ...paragraphs.map(escaped), exampleOf(rule));
      }),
    )}\n`,
  };
}

const anchorOf = (rule: RuleDescription): string =>
  explanationOf(rule)
    .title.toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

/** Escapes characters that Markdown would read as markup. */
const escaped = (text: string): string => text.replaceAll(/[*_<>[\]]/g, String.raw`\$&`);

/** Returns the first finding of the first case in which a rule applies, and the change that it is about. */
function exampleOf({ id }: RuleDescription): string | undefined {
  const found = ruleCases.find(({ rule, finds }) => rule === id && finds.length > 0);
  if (found === undefined) return undefined;
  const { plans, settings, rehearsals = [] } = found;
  const results = runRules(plans, settingsWith(settings), { rehearsals });
  const report = makeReport(plans, { results });
  const finding = report.findings.find(({ rule }) => rule === id);
  if (finding === undefined) throw new Error(`${id} has no finding in its case "${found.name}"`);
  const change = report.changes.find(
    ({ plan, address }) => plan === finding.plan && address === finding.address,
  );
  return `Example: ${escaped(found.name)}.\n\n${code("text", [...(change === undefined ? [] : changeLines(change, finding)), findingLine(finding)].join("\n"))}`;
}

/** Returns a change with its attributes; of an update, those that the finding is about. */
function changeLines({ action, address, differences }: ReportChange, { path }: ReportFinding): string[] {
  const isCreated = action === "create";
  const relevant = isCreated ? [] : differences.filter(({ path: [name] }) => name === path?.[0]);
  const shown = relevant.length > 0 ? relevant : action === "delete" ? [] : differences;
  const rest = shown.length - mostDifferences;
  return [
    `${action} ${address}`,
    ...shown
      .slice(0, mostDifferences)
      .map(
        ({ name, before, after }) =>
          `  ${name}: ${isCreated ? "" : `${shownText(before)} → `}${shownText(after)}`,
      ),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

const findingLine = ({ severity, confidence, text }: ReportFinding): string =>
  `${severity}${confidence === "proven" ? "" : `, ${confidence}`}: ${text}`;
