import type { Report, ReportFinding } from "../report/report.ts";

/** Returns the findings as JUnit XML: a suite for each plan, a case for each finding; waived findings are skipped cases. */
export function renderJunit(report: Report): string {
  const byPlan = Map.groupBy(report.findings, ({ plan }) => plan);
  // A finding about all plans has no plan.
  const suites = [...new Set([...report.plans.map(({ name }) => name), ...byPlan.keys()])].map((name) => {
    const findings = byPlan.get(name) ?? [];
    const waived = findings.filter(({ waiver }) => waiver !== undefined).length;
    const cases = findings.map(caseOf);
    // CI systems treat a suite without cases as not run.
    const all =
      cases.length === 0 ? [`    <testcase classname="${attribute(name)}" name="no findings"/>`] : cases;
    const failures = findings.length - waived;
    return [
      `  <testsuite name="${attribute(name)}" tests="${all.length}" failures="${failures}" skipped="${waived}">`,
      ...all,
      "  </testsuite>",
    ].join("\n");
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="kcloud review">\n${suites.join("\n")}\n</testsuites>\n`;
}

function caseOf({ plan, rule, title, address, severity, text, remedy, waiver }: ReportFinding): string {
  const open = `    <testcase classname="${attribute(plan)}.${attribute(rule)}" name="${attribute(`${title}: ${address ?? plan}`)}">`;
  const body =
    waiver === undefined
      ? `<failure type="${severity}" message="${attribute(text)}">${content(`${text}\n${remedy}`)}</failure>`
      : `<skipped message="${attribute(`waived by ${waiver.owner} until ${waiver.until}: ${waiver.reason}`)}"/>`;
  return `${open}\n      ${body}\n    </testcase>`;
}

const xmlEntities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const content = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => xmlEntities[character] ?? "");
const attribute = content;
