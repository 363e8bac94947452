import type { Report, ReportChange, ReportDifference, ReportFinding, Shown } from "../report/report.ts";
import { visible } from "../report/value.ts";
import { counted } from "../rule/fact.ts";
import {
  type Fold,
  listedDifferences,
  nothing,
  objectName,
  relocated,
  type Section,
  sectionsOf,
  shownText,
  sinceEntries,
  unchangedSince,
  withPlanNames,
} from "./fold.ts";
import { partialNote, ruleLines, ruleSignsOf } from "./rule-table.ts";
import { type SymbolStyle, severityMark, signsOf, verdictLine, verdictMark, verdictWord } from "./symbol.ts";

/** Settings of a Markdown report. */
export interface MarkdownOptions {
  /** Maximum size in bytes of UTF-8. */
  readonly budget: number;
  /** URL of the full report, linked if parts of it are omitted. */
  readonly reportUrl?: string | undefined;
  readonly symbols: SymbolStyle;
}

/** Maximum size of a comment on each host, in bytes, with a reserve for text that the host adds. */
export const budgets = {
  github: 60_000,
  "github-summary": 1_000_000,
  gitlab: 950_000,
  azure: 140_000,
  bitbucket: 30_000,
  none: Number.POSITIVE_INFINITY,
} as const;

/**
 * Level of detail; each shows less than the one before. Every level except the last shows the verdict, the findings of severity
 * high or worse, and the names of deleted and replaced objects. The last level counts those that do not fit.
 */
interface Step {
  /** Creates in full, folded by kind, or counted by kind. */
  readonly creates: "full" | "folded" | "counted" | "none";
  readonly updates: "full" | "folded" | "paths" | "none";
  /** True to show values that are known only after the apply. */
  readonly unknown: boolean;
  readonly destroyed: "full" | "names" | "none";
  /** Findings with text and remedy, or rule and object only. */
  readonly findings: "full" | "short";
  /** Findings below high. */
  readonly lesser: boolean;
  readonly rest: boolean;
}

const steps: readonly Step[] = ladder(
  {
    creates: "full",
    updates: "full",
    unknown: true,
    destroyed: "full",
    findings: "full",
    lesser: true,
    rest: true,
  },
  [
    { creates: "folded" },
    { unknown: false },
    { updates: "folded" },
    { creates: "counted" },
    { updates: "paths" },
    { creates: "none", updates: "none", lesser: false, rest: false },
    { destroyed: "names", findings: "short" },
    { destroyed: "none" },
  ],
);

/** Returns the first step and one more for each change, applied to the step before. */
function ladder(first: Step, less: readonly Partial<Step>[]): Step[] {
  const made = [first];
  for (const change of less) made.push({ ...(made.at(-1) as Step), ...change });
  return made;
}

/** Minimum size of a shown change in bytes, which rules out steps that cannot fit. */
const leastBytes = 40;

/** Returns the report as Markdown at the first step that fits the budget. */
export function renderMarkdown(given: Report, options: MarkdownOptions): string {
  const report = withPlanNames(given);
  const creates = report.changes.filter(({ action }) => action === "create").length;
  const updates = report.changes.filter(({ action }) => action === "update").length;
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1;
    const least =
      (step.creates === "full" ? creates * leastBytes : 0) +
      (step.updates === "full" ? updates * leastBytes : 0);
    if (!isLast && least > options.budget) continue;
    const text = render(report, step, at, options);
    if (isLast || Buffer.byteLength(text) <= options.budget) return isLast ? lastStep(report, options) : text;
  }
  return "";
}

/** Returns the last step: as many findings and names as fit, and the number of the others. */
function lastStep(report: Report, options: MarkdownOptions): string {
  const lines = head(report, options);
  const foot = footer(report, options);
  const findings = report.findings.filter(isSevere).map((finding) => shortFindingLine(finding, options));
  const names = report.changes
    .filter(({ action }) => action === "delete" || action === "replace")
    .map((change) => `- ${change.action} ${code(objectName(change))}`);
  const size = (parts: readonly string[]) => Buffer.byteLength(parts.join("\n"));
  const note = shortNote(report, steps[steps.length - 1] as Step, options);
  const room = options.budget - size([...lines, note, ...foot]) - 800;
  // Findings and names get half of the room each, plus what the other half does not need.
  const shownNames = fitting(names, Math.max(room / 2, room - size(findings)), options);
  const shownFindings = fitting(findings, room - size(shownNames), options);
  return [
    ...lines,
    ...(findings.length === 0 ? [] : ["### Findings", "", ...shownFindings, ""]),
    ...(names.length === 0 ? [] : ["### Deleted and replaced", "", ...shownNames, ""]),
    note,
    "",
    ...foot,
  ].join("\n");
}

/** Returns as many items of a list as fit into this many bytes, and a line with the number of the others. */
function fitting(all: readonly string[], bytes: number, { reportUrl }: MarkdownOptions): string[] {
  const taken: string[] = [];
  let left = bytes;
  for (const line of all) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    taken.push(line);
  }
  const rest = all.length - taken.length;
  const whole = reportUrl === undefined ? "" : `: ${link(reportUrl)}`;
  return rest === 0 ? taken : [...taken, `- and ${rest} more${whole}`];
}

const isSevere = ({ severity }: ReportFinding): boolean => severity === "critical" || severity === "high";

function render(report: Report, step: Step, at: number, options: MarkdownOptions): string {
  const lines = head(report, options);
  const findings = step.lesser ? report.findings : report.findings.filter(isSevere);
  const line = step.findings === "full" ? findingLine : shortFindingLine;
  if (findings.length > 0)
    lines.push("### Findings", "", ...findings.map((finding) => line(finding, options)), "");
  if (report.changes.length === 0) lines.push(nothing, "");
  for (const part of sectionsOf(report)) lines.push(...section(part, step, options));
  if (step.rest) lines.push(...ruleTables(report, options), ...others(report, options));
  if (at > 0) lines.push(shortNote(report, step, options), "");
  lines.push(...footer(report, options));
  return lines.join("\n");
}

/**
 * Maximum shares of the budget for the sections before the findings, limited because the reviewed revision controls their
 * content.
 */
const shares = { policy: 1 / 5, reasons: 1 / 10, parts: 1 / 20, since: 1 / 10 } as const;

function head(report: Report, options: MarkdownOptions): string[] {
  const { verdict, policyChanges, plans } = report;
  const { symbols, budget } = options;
  const listed = (lines: readonly string[], share: number): string[] => [
    ...fitting(
      lines.map((line) => `- ${line}`),
      budget * share,
      options,
    ),
    "",
  ];
  const line = prose(verdictLine(verdict.line, symbols));
  const lines = [`## ${verdictMark(verdict.code, symbols)}${verdictWord(verdict.code)}: ${line}`, ""];
  if (policyChanges.lines.length > 0) {
    const effect = policyChanges.trusted
      ? "The changes apply."
      : "The changes do not apply until they are merged.";
    lines.push(
      "### This revision changes the policy",
      "",
      effect,
      "",
      ...listed(policyChanges.lines.map(prose), shares.policy),
    );
  }
  if (verdict.reasons.length > 0) lines.push(...listed(verdict.reasons.map(prose), shares.reasons));
  const parts = plans.flatMap(({ name, unknownParts }) => unknownParts.map((part) => `${name}: ${part}`));
  if (parts.length > 0)
    lines.push(
      "Parts of the input that this version does not support:",
      "",
      ...listed(parts.map(code), shares.parts),
    );
  const since = sinceEntries(report);
  if (since !== undefined)
    lines.push(
      "### Since the last report",
      "",
      ...(since.length === 0
        ? [unchangedSince, ""]
        : listed(
            since.map(({ word, name }) => `${word}: ${code(name)}`),
            shares.since,
          )),
    );
  return lines;
}

/** Returns a finding without its text and remedy. */
const shortFindingLine = (finding: ReportFinding, { symbols }: MarkdownOptions): string => {
  const { severity, rule, title, address, plan, waiver } = finding;
  const waived = waiver === undefined ? "" : " (waived)";
  return `- ${severityMark(severity, symbols)}**${severity}** ${rule} ${prose(title)}: ${code(address ?? plan)}${waived}`;
};

function findingLine(finding: ReportFinding, { symbols }: MarkdownOptions): string {
  const { severity, rule, title, text, remedy, confidence, waiver, source, address } = finding;
  const certainty = confidence === "proven" ? "" : ` (${confidence})`;
  const where = source === undefined ? "" : ` ${code(`${source.file}:${source.line}`)}`;
  const at = address === undefined ? "" : ` ${code(address)}`;
  const waived =
    waiver === undefined
      ? ""
      : ` Waived by ${prose(waiver.owner)} until ${prose(waiver.until)}: ${prose(waiver.reason)}`;
  const how = waiver === undefined ? ` ${prose(remedy)}` : waived;
  return `- ${severityMark(severity, symbols)}**${severity}** ${rule} ${prose(title)}${certainty}:${at} ${prose(text)}${where}${how}`;
}

function section({ title, action, changes, folds }: Section, step: Step, options: MarkdownOptions): string[] {
  const isDestroyed = action === "delete" || action === "replace" || action === "forget";
  const form = isDestroyed ? step.destroyed : action === "create" ? step.creates : step.updates;
  if (form === "none") return [];
  const heading = [`### ${title} (${changes.length})`, ""];
  if (form === "names") return [...heading, ...changes.map((change) => `- ${code(objectName(change))}`), ""];
  if (form === "counted")
    return [...heading, ...countedByKind(changes, options).map((line) => `- ${line}`), ""];
  const shown = form === "full" ? changes.map((change): Fold => ({ changes: [change] })) : folds;
  return [
    ...heading,
    ...shown.flatMap((fold) => foldLines(fold, form === "paths", step.unknown, options)),
    "",
  ];
}

const countedByKind = (changes: readonly ReportChange[], { symbols }: MarkdownOptions): string[] =>
  [...Map.groupBy(changes, ({ kind }) => kind)].map(
    ([kind, all]) => `${all.length}${signsOf(symbols).times}${code(kind)}`,
  );

function foldLines(
  { changes }: Fold,
  pathsOnly: boolean,
  withUnknown: boolean,
  { symbols }: MarkdownOptions,
): string[] {
  const [first] = changes;
  const { rows, later } = listedDifferences(first);
  const summary =
    changes.length === 1
      ? `${code(first.address)}${first.name === undefined ? "" : ` ${code(first.name)}`}${idOf(first)}`
      : `${changes.length}${signsOf(symbols).times}${code(first.kind)}: ${changes
          .slice(0, 20)
          .map(({ name, address }) => code(name ?? address))
          .join(", ")}${changes.length > 20 ? " …" : ""}`;
  const details = [
    ...first.reasons.map((reason) => `  - ${prose(reason)}`),
    ...(first.action === "delete" || first.action === "replace" ? consequences(first) : []),
    ...(first.action === "create" && changes.length > 1
      ? []
      : [
          ...(withUnknown ? first.differences : rows).map(
            (difference) =>
              `  - ${pathsOnly ? code(difference.name) : differenceText(difference, first, symbols)}`,
          ),
          ...(withUnknown || later.length === 0
            ? []
            : [`  - known after the apply: ${later.map(code).join(", ")}`]),
        ]),
  ];
  return [`- ${summary}`, ...details];
}

const idOf = ({ id }: ReportChange): string => (id === undefined ? "" : ` ${code(id)}`);

function consequences({ dependents, reversal, order }: ReportChange): string[] {
  const names = dependents.names.map(code).join(", ");
  return [
    ...(order === undefined ? [] : [`  - Order: ${order}.`]),
    ...(dependents.total === 0
      ? []
      : [`  - ${counted(dependents.direct, "dependent")}, ${dependents.total} in all: ${names}.`]),
    `  - ${prose(reversal)}`,
  ];
}

function differenceText(
  { name, before, after, forcesReplacement, removed, added }: ReportDifference,
  change: ReportChange,
  symbols: SymbolStyle,
): string {
  const signs = signsOf(symbols);
  const force = forcesReplacement ? " **forces the replacement**" : "";
  if (removed !== undefined && added !== undefined)
    return `${code(name)}: ${[...removed.map((item) => `${signs.removed}${value(item)}`), ...added.map((item) => `${signs.added}${value(item)}`)].join(", ")}${force}`;
  return change.action === "create"
    ? `${code(name)}: ${value(after)}`
    : `${code(name)}: ${value(before)}${signs.becomes}${value(after)}${force}`;
}

const value = (shown: Shown): string => (shown.kind === "value" ? code(shownText(shown)) : shownText(shown));

/** Maximum number of lines of the rules of a security group. */
const mostRules = 50;

/** Returns the rules of security groups as diff blocks, which hosts colour. */
function ruleTables({ securityGroups = [] }: Report, { symbols }: MarkdownOptions): string[] {
  return securityGroups.flatMap((table) => {
    const lines = ruleLines(table, ruleSignsOf(symbols));
    const rest = lines.length - mostRules;
    return [
      `### Rules of ${code(table.group)}`,
      "",
      ...block(lines.slice(0, mostRules), symbols === "words" ? "" : "diff"),
      "",
      ...(rest > 0 ? [`${rest} more lines are not shown.`, ""] : []),
      ...(table.isPartial ? [partialNote, ""] : []),
    ];
  });
}

/** Returns lines in a code fence that is longer than any run of backticks in them. */
function block(lines: readonly string[], language: string): string[] {
  const longest = Math.max(
    2,
    ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([run]) => run.length)),
  );
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence];
}

function others(report: Report, { symbols }: MarkdownOptions): string[] {
  const { becomes, times } = signsOf(symbols);
  const moved = relocated(report).map(({ address, previousAddress, importedId }) =>
    previousAddress === undefined
      ? `- imported: ${code(address)} from ${code(importedId ?? "")}`
      : `- moved: ${code(previousAddress)}${becomes}${code(address)}`,
  );
  const drift = report.drift.map(
    ({ plan, kind, name, count, guess }) =>
      `- ${code(plan)}: ${count}${times}${code(kind)} ${code(name)}. ${prose(guess)}`,
  );
  const outputs = report.outputs.map(
    ({ plan, name, action, before, after }) =>
      `- ${action} ${code(plan)} ${code(name)}: ${value(before)}${becomes}${value(after)}`,
  );
  const invocations = report.invocations.map(({ address, type }) => `- ${code(type)} ${code(address)}`);
  const messages = report.plans.flatMap(({ name, messages: all }) =>
    all
      .filter(({ level }) => level !== "info")
      .map(({ level, text }) => `- ${level} of ${code(name)}: ${prose(text)}`),
  );
  const parts = [
    { title: "Moved and imported", lines: moved },
    { title: "Drift", lines: drift },
    { title: "Outputs", lines: outputs },
    { title: "Other effects of the apply", lines: invocations },
    { title: "Messages of the engine", lines: messages },
  ];
  return parts.flatMap(({ title, lines }) =>
    lines.length === 0 ? [] : [`### ${title} (${lines.length})`, "", ...lines, ""],
  );
}

function shortNote(report: Report, step: Step, { reportUrl }: MarkdownOptions): string {
  const omitted = report.changes.filter(
    ({ action }) =>
      (action === "create" && step.creates === "none") || (action === "update" && step.updates === "none"),
  ).length;
  const short = report.changes.length - omitted;
  const whole = reportUrl === undefined ? "" : ` Full report: ${link(reportUrl)}`;
  return `${counted(short, "change")} in short form${omitted > 0 ? `, ${omitted} omitted` : ""}.${whole}`;
}

function footer({ approval }: Report, { reportUrl }: MarkdownOptions): string[] {
  const sensitive = approval.coversSensitive ? "" : " It covers only the fact that sensitive values change.";
  return [
    ...(reportUrl === undefined ? [] : [`Full report: ${link(reportUrl)}`, ""]),
    `Approval digest: ${code(approval.digest)}.${sensitive}`,
    "",
  ];
}

/** Returns a URL as a link; keeps existing percent escapes. */
const link = (url: string): string =>
  `<${encodeURI(url.toWellFormed()).replace(/%25(?=[0-9a-f]{2})/gi, "%")}>`;

/** Returns a text as a code span, so that nothing in it becomes markup, a link or a mention. */
export function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = text === "" || text.startsWith("`") || text.endsWith("`") || text.startsWith(" ") ? " " : "";
  return `${fence}${pad}${text === "" ? "(empty)" : text}${pad}${fence}`;
}

/** Returns a sentence as Markdown: quoted names become code spans, all other characters are escaped. */
export function prose(text: string): string {
  const parts = text.split(/("(?:[^"\\]|\\.)*")/);
  return parts.map((part, at) => (at % 2 === 1 ? code(unquoted(part)) : escaped(part))).join("");
}

/** Returns the text of a JSON string, on one line. */
function unquoted(text: string): string {
  try {
    return visible(JSON.parse(text) as string);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}

/** Word joiner: invisible, and prevents hosts from recognizing mentions and links. */
const joiner = "\u2060";

const escaped = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]()<>#+!|~$&^=]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/@/g, `@${joiner}`)
    .replace(/&#35;/g, `&#35;${joiner}`)
    // References of GitLab: merge requests, snippets, epics, alerts, labels, milestones, vulnerabilities.
    .replace(/(&#(?:33|36|38|94|126);|%)(?=[\w"])/g, `$1${joiner}`)
    .replace(/&#91;(?=[a-z_]+:)/g, `&#91;${joiner}`)
    // Hosts link texts that look like commit hashes.
    .replace(/[0-9a-f]{7,}/gi, (digits) => digits.replace(/.{6}/g, `$&${joiner}`))
    .replace(/:\/\//g, `:${joiner}//`)
    .replace(/\b(www)\./gi, `$1${joiner}.`)
    .replace(/\b(gh)-(?=\d)/gi, `$1${joiner}-`)
    .replace(/^(\s*)([-+]|\d+\.)(?=\s)/g, `$1${joiner}$2`);
