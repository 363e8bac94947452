import { inWordsOf } from "../../provider/core/wording.ts";
import { wordsOf } from "../model/change.ts";
import type { Report, ReportFinding } from "../report/report.ts";
import { rules } from "../rule/catalogue.ts";
import { severitiesOf } from "./fold.ts";
import { locationsIn } from "./location.ts";

/** Maximum number of results that code-scanning services accept in one run. */
const mostResults = 5_000;

const levels = { critical: "error", high: "error", medium: "warning", low: "note" } as const;
/** Scores that code-scanning services show as critical, high, medium and low. */
const scores = { critical: "9.5", high: "8.0", medium: "5.0", low: "2.0" } as const;

/** Returns the findings as SARIF 2.1.0, the most severe first; a notification of the run has the number of omitted ones. */
export function renderSarif(report: Report, version: string): string {
  const findings = report.findings.slice(0, mostResults);
  const omitted = report.findings.slice(mostResults);
  // The first finding of each rule is its most severe.
  const used = [...Map.groupBy(findings, ({ rule }) => rule).values()]
    .flatMap((all) => all.slice(0, 1))
    .toSorted((a, b) => (a.rule < b.rule ? -1 : 1));
  const ruleIndexes = new Map(used.map(({ rule }, index) => [rule, index]));
  const engines = new Map(report.plans.map(({ name, engine }) => [name, engine]));
  const locationOf = locationsIn(report);
  const result = (finding: ReportFinding) => {
    const { file, line } = locationOf(finding);
    return {
      ruleId: finding.rule,
      ruleIndex: ruleIndexes.get(finding.rule) ?? -1,
      level: levels[finding.severity],
      message: { text: `${finding.text} ${finding.remedy}` },
      partialFingerprints: { "kcloudReview/v1": finding.fingerprint },
      locations: [
        {
          physicalLocation: {
            artifactLocation: {
              uri: encodeURI(file).replace(/[?#]/g, encodeURIComponent),
            },
            ...(line === undefined ? {} : { region: { startLine: line } }),
          },
          ...(finding.address === undefined
            ? {}
            : { logicalLocations: [{ fullyQualifiedName: finding.address, kind: "resource" }] }),
        },
      ],
      ...(finding.waiver === undefined
        ? {}
        : { suppressions: [{ kind: "external", status: "accepted", justification: finding.waiver.reason }] }),
    };
  };
  const document = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "kcloud review",
            version,
            rules: used.map((finding) => {
              const { rule, title, severity, remedy, plan } = finding;
              const known = rules.find(({ id }) => id === rule);
              const words = wordsOf(engines.get(plan));
              return {
                id: rule,
                shortDescription: { text: title },
                fullDescription: { text: inWordsOf(words, known?.about ?? title) },
                help: { text: inWordsOf(words, known?.remedy ?? remedy) },
                defaultConfiguration: { level: levels[severity] },
                properties: {
                  "security-severity": scores[severity],
                  tags: ["infrastructure"],
                },
              };
            }),
          },
        },
        results: findings.map(result),
        ...(omitted.length === 0
          ? {}
          : {
              invocations: [
                {
                  executionSuccessful: true,
                  toolExecutionNotifications: [
                    {
                      level: "warning",
                      message: { text: `${omitted.length} more: ${severitiesOf(omitted)}` },
                    },
                  ],
                },
              ],
            }),
        columnKind: "utf16CodeUnits",
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
