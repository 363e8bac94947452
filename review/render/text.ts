import type { Report, ReportChange, ReportFinding } from "../report/report.ts";
import { counted } from "../rule/fact.ts";
import { type Fold, folded, nothing, objectName, relocated, sections, shownText } from "./fold.ts";
import { partialNote, ruleLines, ruleSigns } from "./rule-table.ts";
import { actionMark, type SymbolStyle, severityMark, verdictMark, verdictWord } from "./symbol.ts";

/** Settings of a report on a terminal. */
export interface TextOptions {
  readonly colour: boolean;
  readonly symbols: SymbolStyle;
  /** Width in columns, at least 40; longer lines are wrapped. */
  readonly width: number;
}

const codes = { critical: "1;31", high: "31", medium: "33", low: "36", bold: "1", dim: "2" } as const;

/** Returns the report for a terminal. */
export function renderText(report: Report, options: TextOptions): string {
  const paint = (text: string, code: keyof typeof codes): string =>
    options.colour ? `\u001b[${codes[code]}m${text}\u001b[0m` : text;
  const wrap = (text: string, indent: string): string => wrapped(text, options.width, indent);
  const { verdict, findings, changes, policyChanges, approval } = report;
  const lines = [
    paint(
      `${verdictMark(verdict.code, options.symbols)}${verdictWord(verdict.code)}: ${verdict.line}`,
      "bold",
    ),
    ...verdict.reasons.map((reason) => wrap(`  ${reason}`, "  ")),
    "",
  ];
  if (policyChanges.lines.length > 0)
    lines.push(
      paint("This revision changes the policy", "bold"),
      policyChanges.trusted ? "They count." : "They do not count until they are merged.",
      ...policyChanges.lines.map((line) => wrap(`  ${line}`, "  ")),
      "",
    );
  if (findings.length > 0) lines.push(paint("Findings", "bold"));
  for (const finding of findings) lines.push(...findingLines(finding, options, paint, wrap));
  if (findings.length > 0) lines.push("");
  if (changes.length === 0) lines.push(nothing, "");
  for (const { action, title } of sections) {
    const own = changes.filter((change) => change.action === action);
    if (own.length === 0) continue;
    lines.push(paint(`${title} (${own.length})`, "bold"));
    for (const fold of folded(own)) lines.push(...foldLines(fold, options, wrap));
    lines.push("");
  }
  for (const table of report.securityGroups ?? []) {
    const signs =
      options.symbols === "words" ? { removed: "removed", added: "added", kept: "kept" } : ruleSigns;
    lines.push(
      paint(`Rules of ${table.group}`, "bold"),
      ...ruleLines(table, signs).map((line) => `  ${line}`),
      ...(table.isPartial ? [wrap(`  ${partialNote}`, "  ")] : []),
      "",
    );
  }
  lines.push(
    ...otherLines(report, wrap).flatMap(({ title, lines: all }) => [paint(title, "bold"), ...all, ""]),
  );
  lines.push(`Approval digest: ${approval.digest}`);
  if (!approval.coversSensitive)
    lines.push("Sensitive values enter it as changed only: set KCLOUD_REVIEW_KEY.");
  return `${lines.join("\n")}\n`;
}

type Paint = (text: string, code: keyof typeof codes) => string;
type Wrap = (text: string, indent: string) => string;

function findingLines(finding: ReportFinding, { symbols }: TextOptions, paint: Paint, wrap: Wrap): string[] {
  const { severity, rule, title, text, remedy, confidence, waiver, source } = finding;
  const certainty = confidence === "proven" ? "" : ` (${confidence})`;
  return [
    `  ${severityMark(severity, symbols)}${paint(severity, severity)} ${rule} ${title}${certainty}`,
    wrap(`    ${text}`, "    "),
    waiver === undefined
      ? wrap(`    ${remedy}`, "    ")
      : wrap(`    Waived by ${waiver.owner} until ${waiver.until}: ${waiver.reason}`, "    "),
    ...(source === undefined ? [] : [`    ${source.file}:${source.line}`]),
  ];
}

function foldLines({ changes }: Fold, { symbols }: TextOptions, wrap: Wrap): string[] {
  const [first] = changes;
  const title =
    changes.length === 1
      ? `${first.address}  ${objectName(first)}`
      : `${changes.length} × ${first.kind}: ${changes.map(({ name, address }) => name ?? address).join(", ")}`;
  const isDestroyed = first.action === "delete" || first.action === "replace";
  return [
    wrap(`  ${actionMark(first.action, symbols)}${title}`, "    "),
    ...first.reasons.map((reason) => wrap(`      ${reason}`, "      ")),
    ...(isDestroyed ? [`      ${first.reversal}`] : []),
    ...(isDestroyed && first.dependents.total > 0 ? [wrap(`      ${dependentsOf(first)}`, "      ")] : []),
    ...(first.action === "create" && changes.length > 1 ? [] : differenceLines(first, wrap)),
  ];
}

const dependentsOf = ({ dependents: { direct, total, names } }: ReportChange): string =>
  `${counted(direct, "dependent")}, ${total} in all: ${names.join(", ")}`;

const differenceLines = ({ action, differences }: ReportChange, wrap: Wrap): string[] =>
  differences
    .filter(({ after }) => after.kind !== "unknown")
    .map(({ name, before, after, forcesReplacement, removed, added }) => {
      const force = forcesReplacement ? "  (forces the replacement)" : "";
      const items = [
        ...(removed ?? []).map((item) => `- ${shownText(item)}`),
        ...(added ?? []).map((item) => `+ ${shownText(item)}`),
      ];
      const text =
        removed === undefined
          ? action === "create"
            ? shownText(after)
            : `${shownText(before)} → ${shownText(after)}`
          : items.join(", ");
      return wrap(`      ${name}: ${text}${force}`, "        ");
    });

function otherLines(report: Report, wrap: Wrap): { title: string; lines: string[] }[] {
  const moved = relocated(report).map(({ address, previousAddress, importedId }) =>
    wrap(
      previousAddress === undefined
        ? `  ${address} imported from ${importedId}`
        : `  ${previousAddress} → ${address}`,
      "    ",
    ),
  );
  const drift = report.drift.map(({ plan, kind, name, count, guess }) =>
    wrap(`  ${plan}: ${count} × ${kind} ${name}. ${guess}`, "    "),
  );
  const outputs = report.outputs.map(({ plan, name, before, after }) =>
    wrap(`  ${plan} ${name}: ${shownText(before)} → ${shownText(after)}`, "    "),
  );
  const invocations = report.invocations.map(({ address, type }) => wrap(`  ${type} ${address}`, "    "));
  const messages = report.plans.flatMap(({ name, messages: all }) =>
    all
      .filter(({ level }) => level !== "info")
      .map(({ level, text }) => wrap(`  ${level} of ${name}: ${text}`, "    ")),
  );
  return [
    { title: "Moved and imported", lines: moved },
    { title: "Changed outside", lines: drift },
    { title: "Outputs", lines: outputs },
    { title: "Other effects of the apply", lines: invocations },
    { title: "Messages of the engine", lines: messages },
  ].filter(({ lines }) => lines.length > 0);
}

/** Breaks a line at spaces; a word longer than the width stays whole. */
function wrapped(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? "";
  let isStart = true;
  for (const word of text.trim().split(" ")) {
    if (!isStart && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      isStart = true;
    }
    line += isStart ? word : ` ${word}`;
    isStart = false;
  }
  return [...lines, line].join("\n");
}
