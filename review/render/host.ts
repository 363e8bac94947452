import type { Report } from "../report/report.ts";

/** Maximum number of annotations of one level that GitHub shows for one step. */
const most = 10;

const commands = { critical: "error", high: "error", medium: "warning", low: "notice" } as const;

/** Returns the worst findings as workflow commands of GitHub Actions, a line each. */
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

/** Returns the findings as a code-quality report of GitLab. */
export function renderGitlab({ findings }: Report): string {
  const issues = findings
    .filter(({ waiver }) => waiver === undefined)
    .map(({ fingerprint, rule, severity, text, source, plan }) => ({
      description: `${rule}: ${text}`,
      check_name: rule,
      fingerprint,
      severity: severities[severity],
      location: { path: source?.file ?? plan, lines: { begin: source?.line ?? 1 } },
    }));
  return `${JSON.stringify(issues, null, 2)}\n`;
}
