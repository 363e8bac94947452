import type { Report } from "../report/report.ts";
import { locationsIn } from "./location.ts";

/** Maximum number of annotations of one level that GitHub shows for one step. */
const most = 10;

const commands = { critical: "error", high: "error", medium: "warning", low: "notice" } as const;

/** Returns the most severe findings as workflow commands of GitHub Actions, one per line. */
export function renderAnnotations({ findings }: Report): string {
  const open = findings.filter(({ waiver }) => waiver === undefined);
  return [...Map.groupBy(open, ({ severity }) => commands[severity]).values()]
    .flatMap((all) => all.slice(0, most))
    .map(({ severity, rule, title, text, source }) => {
      const place = source === undefined ? "" : `file=${property(source.file)},line=${source.line},`;
      return `::${commands[severity]} ${place}title=${property(`${rule} ${title}`)}::${message(text)}\n`;
    })
    .join("");
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
        description: `${finding.rule}: ${finding.text}`,
        check_name: finding.rule,
        fingerprint: finding.fingerprint,
        severity: severities[finding.severity],
        location: { path: file, lines: { begin: line } },
      };
    });
  return `${JSON.stringify(issues, null, 2)}\n`;
}
