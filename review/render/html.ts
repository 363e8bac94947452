import { createHash } from "node:crypto";
import type { Report, ReportFinding } from "../report/report.ts";
import { nothing, objectName, relocated, shownText } from "./fold.ts";
import { script, style } from "./page.ts";
import { verdictWord } from "./symbol.ts";

/**
 * Returns the report as one HTML file. It loads nothing: its content-security policy allows its own style and script
 * only. Verdict, findings and destroyed objects are in the markup, changes in data that the script shows.
 */
export function renderHtml(report: Report): string {
  const { verdict } = report;
  const kind = verdict.code === 0 ? "passed" : verdict.code === 3 ? "blocked" : "unreviewable";
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${verdictWord(verdict.code)}: review of planned changes</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Review of planned changes</h1>
<div class="verdict ${kind}"><strong>${verdictWord(verdict.code)}</strong>: ${escaped(verdict.line)}${listOf(verdict.reasons)}</div>
</header>
<main>
${policySection(report)}${sinceSection(report)}${findingSection(report)}${destroyedSection(report)}${changeSection(report)}${otherSections(report)}</main>
<footer>
<p>Approval digest: <code>${escaped(report.approval.digest)}</code>.${report.approval.coversSensitive ? "" : " Sensitive values enter it as changed only."}</p>
</footer>
<script type="application/json" id="report">${data(report)}</script>
<script>${script}</script>
</body>
</html>
`;
}

const names: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => names[character] ?? "");

/** Returns the changes as JSON that ends no element: `<` is an escape. */
const data = ({ findings, changes }: Report): string =>
  JSON.stringify({
    findings: findings.map(({ plan, address, severity }) => ({ plan, address, severity })),
    changes,
  }).replace(/</g, "\\u003c");

const listOf = (lines: readonly string[]): string =>
  lines.length === 0 ? "" : `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`;

const section = (title: string, content: string): string =>
  content === "" ? "" : `<section>\n<h2>${escaped(title)}</h2>\n${content}\n</section>\n`;

const policySection = ({ policyChanges: { trusted, lines } }: Report): string =>
  lines.length === 0
    ? ""
    : section(
        "This revision changes the policy",
        `<p>${trusted ? "They count." : "They do not count until they are merged."}</p>${listOf(lines)}`,
      );

const sinceSection = ({ since }: Report): string =>
  since === undefined
    ? ""
    : section(
        "Since the last report",
        listOf([
          ...since.added.map((name) => `new: ${name}`),
          ...since.changed.map((name) => `changed: ${name}`),
          ...since.removed.map((name) => `gone: ${name}`),
        ]),
      );

const findingSection = ({ findings }: Report): string =>
  findings.length === 0
    ? ""
    : section(
        `Findings (${findings.length})`,
        `<ul class="findings">\n${findings.map(findingItem).join("\n")}\n</ul>`,
      );

function findingItem({
  severity,
  rule,
  title,
  text,
  remedy,
  confidence,
  waiver,
  address,
  source,
}: ReportFinding): string {
  const certainty = confidence === "proven" ? "" : ` <span class="soft">(${confidence})</span>`;
  const at = address === undefined ? "" : `<br><code>${escaped(address)}</code>`;
  const where = source === undefined ? "" : ` <code>${escaped(`${source.file}:${source.line}`)}</code>`;
  const how =
    waiver === undefined
      ? escaped(remedy)
      : `Waived by ${escaped(waiver.owner)} until ${escaped(waiver.until)}: ${escaped(waiver.reason)}`;
  return `<li class="finding"><span class="badge ${severity}">${severity}</span> ${escaped(rule)} <strong>${escaped(title)}</strong>${certainty}${at}${where}<br>${escaped(text)}<br><span class="soft">${how}</span></li>`;
}

/** Maximum number of names in the markup; the filter finds the others. */
const mostNames = 2_000;

function destroyedSection({ changes }: Report): string {
  const destroyed = changes.filter(({ action }) => action === "delete" || action === "replace");
  if (destroyed.length === 0) return "";
  const lines = destroyed.slice(0, mostNames).map((change) => `${change.action} ${objectName(change)}`);
  const rest = destroyed.length - lines.length;
  return section(
    `Deleted and replaced (${destroyed.length})`,
    listOf(rest > 0 ? [...lines, `and ${rest} more, which the filter below finds`] : lines),
  );
}

const select = (name: string, title: string): string =>
  `<label>${title}<select name="${name}"><option value="">all</option></select></label>`;

const changeSection = ({ changes }: Report): string =>
  section(
    `Changes (${changes.length})`,
    `${changes.length === 0 ? `<p>${nothing}</p>` : ""}<form id="filter"><label>Search<input name="search" type="search" autocomplete="off"></label>${select("action", "Action")}${select("severity", "Finding")}${select("kind", "Kind")}${select("plan", "Plan")}</form>
<p id="status" role="status" class="soft"></p>
<div id="changes"></div>
<button id="more" type="button" hidden>Show more</button>
<noscript><p>The changes need a script, which this page brings along.</p></noscript>`,
  );

function otherSections(report: Report): string {
  const moved = relocated(report).map(({ address, previousAddress, importedId }) =>
    previousAddress === undefined
      ? `${address} imported from ${importedId}`
      : `${previousAddress} → ${address}`,
  );
  const drift = report.drift.map(
    ({ plan, kind, name, count, guess }) => `${plan}: ${count} × ${kind} ${name}. ${guess}`,
  );
  const outputs = report.outputs.map(
    ({ plan, name, before, after }) => `${plan} ${name}: ${shownText(before)} → ${shownText(after)}`,
  );
  const invocations = report.invocations.map(({ address, type }) => `${type} ${address}`);
  const messages = report.plans.flatMap(({ name, messages: all }) =>
    all.filter(({ level }) => level !== "info").map(({ level, text }) => `${level} of ${name}: ${text}`),
  );
  const parts = report.plans.flatMap(({ name, unknownParts }) =>
    unknownParts.map((part) => `${name}: ${part}`),
  );
  return [
    section("Moved and imported", listOf(moved)),
    section("Changed outside", listOf(drift)),
    section("Outputs", listOf(outputs)),
    section("Other effects of the apply", listOf(invocations)),
    section("Messages of the engine", listOf(messages)),
    section("Parts of the input that this version does not know", listOf(parts)),
  ].join("");
}
