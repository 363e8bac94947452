import type { Report, ReportFinding } from "../report/report.ts";
import { counted } from "../rule/fact.ts";
import { severitiesOf } from "./fold.ts";
import { locationsIn } from "./location.ts";

/** Maximum number of annotations of one level that GitHub shows for one step. */
const mostAnnotations = 10;

const commands = { critical: "error", high: "error", medium: "warning", low: "notice" } as const;

/**
 * Returns the findings as workflow commands of GitHub Actions, one per line, the most severe first. The last command of a level
 * with more findings has their number.
 */
export function renderAnnotations({ findings }: Report): string {
  const open = findings.filter(({ waiver }) => waiver === undefined);
  const waived = findings.length - open.length;
  return [...Map.groupBy(open, ({ severity }) => commands[severity])]
    .flatMap(([level, all]) => {
      const shown = all.length > mostAnnotations ? all.slice(0, mostAnnotations - 1) : all;
      const rest = all.slice(shown.length);
      return [
        ...shown.map(annotation),
        ...(rest.length === 0
          ? []
          : [`::${level} title=${rest.length} more::${message(severitiesOf(rest))}\n`]),
      ];
    })
    .concat(waived === 0 ? [] : [`::notice title=${waived} waived::${waivedText(waived)}\n`])
    .join("");
}

const waivedText = (count: number): string =>
  `${counted(count, "finding")} with a waiver ${count === 1 ? "is" : "are"} not listed`;

function annotation({ severity, rule, title, text, source }: ReportFinding): string {
  const place = source === undefined ? "" : `file=${property(source.file)},line=${source.line},`;
  return `::${commands[severity]} ${place}title=${property(`${rule} ${title}`)}::${message(text)}\n`;
}

const message = (text: string): string =>
  text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
const property = (text: string): string => message(text).replace(/:/g, "%3A").replace(/,/g, "%2C");

const severities = { critical: "blocker", high: "critical", medium: "major", low: "minor" } as const;

/** Returns the findings as a GitLab code-quality report. */
export function renderGitlab(report: Report): string {
  const locationOf = locationsIn(report);
  const issues = report.findings
    .filter(({ waiver }) => waiver === undefined)
    .map((finding) => {
      const { file, line } = locationOf(finding);
      return {
        description: `${finding.rule}: ${finding.text}${line === undefined ? " The plan does not show the line." : ""}`,
        check_name: finding.rule,
        fingerprint: finding.fingerprint,
        severity: severities[finding.severity],
        // The format requires a line.
        location: { path: file, lines: { begin: line ?? 1 } },
      };
    });
  const waived = report.findings.length - issues.length;
  const note = {
    description: waivedText(waived),
    check_name: "waived",
    fingerprint: "waived",
    severity: "info",
    location: { path: locationOf().file, lines: { begin: 1 } },
  };
  return `${JSON.stringify(waived === 0 ? issues : [...issues, note], null, 2)}\n`;
}
