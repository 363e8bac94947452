import { outcomeWords } from "../report/applied-outcome.ts";
import type { Report, ReportApplied, ReportChange, ReportFinding, Shown } from "../report/report.ts";
import { counted } from "../rule/fact.ts";
import {
  appliedPlace,
  appliedPlanText,
  notDone,
  omittedErrorsText,
  stepsText,
  warningsIn,
} from "./applied.ts";
import { coverageNotes } from "./approval.ts";
import { wrapped } from "./column.ts";
import {
  commonValues,
  effectText,
  type Fold,
  firstOf,
  formatsOf,
  furtherGaps,
  furtherGapsOf,
  innerLines,
  isDestroyed,
  listedDifferences,
  messagesOf,
  nothing,
  objectName,
  providerText,
  relocated,
  sectionsOf,
  shownText,
  sinceEntries,
  unchangedSince,
  unknownParts,
  unknownPartsOf,
  withPlanNames,
} from "./fold.ts";
import { uncomparedNote } from "./note.ts";
import { rehearsalText } from "./rehearsal.ts";
import { partialNote, ruleLines, ruleSignsOf } from "./rule-table.ts";
import { actionMark, type SymbolStyle, severityMark, signsOf, verdictMark, verdictText } from "./symbol.ts";

/** Settings of a report on a terminal. */
export interface TextOptions {
  readonly colour: boolean;
  readonly symbols: SymbolStyle;
  /** Width in columns, at least 40; longer lines are wrapped. */
  readonly width: number;
}

const codes = { critical: "1;31", high: "31", medium: "33", low: "36", bold: "1", dim: "2" } as const;

/** Minimum length of a part of the text, in characters. */
const leastPart = 65_536;

/** Returns the report for a terminal, in parts. */
export function* renderText(report: Report, options: TextOptions): Generator<string> {
  let lines: string[] = [];
  let length = 0;
  for (const line of linesOf(withPlanNames(report), options)) {
    lines.push(line);
    length += line.length;
    if (length < leastPart) continue;
    yield `${lines.join("\n")}\n`;
    [lines, length] = [[], 0];
  }
  if (lines.length > 0) yield `${lines.join("\n")}\n`;
}

function* linesOf(report: Report, options: TextOptions): Generator<string> {
  const paint = (text: string, code: keyof typeof codes): string =>
    options.colour ? `\u001b[${codes[code]}m${text}\u001b[0m` : text;
  const wrap = (text: string, indent: string): string => wrapped(text, options.width, indent);
  const { verdict, findings, changes, policyChanges, approval } = report;
  const mark = verdictMark(verdict.code, options.symbols);
  yield paint(wrap(`${mark}${verdictText(report, options.symbols)}`, "  "), "bold");
  for (const reason of verdict.reasons) yield wrap(`  ${reason}`, "  ");
  yield "";
  if (report.applied !== undefined) {
    yield* appliedLines(report.applied, { paint, wrap });
    const review = { verdict: report.applied.review };
    yield paint(wrap(`Review: ${verdictText(review, options.symbols)}`, "  "), "bold");
    for (const reason of review.verdict.reasons) yield wrap(`  ${reason}`, "  ");
    yield "";
  }
  if (policyChanges.lines.length > 0) {
    yield paint("This revision changes the policy", "bold");
    yield policyChanges.trusted ? "The changes apply." : "The changes do not apply until they are merged.";
    for (const line of policyChanges.lines) yield wrap(`  ${line}`, "  ");
    yield "";
  }
  const since = sinceEntries(report);
  if (since !== undefined) {
    yield paint("Since the last report", "bold");
    if (since.length === 0) yield `  ${unchangedSince}`;
    for (const { word: effect, name } of since) yield wrap(`  ${effect}: ${name}`, "    ");
    yield "";
  }
  const { rehearsals = [] } = report;
  if (rehearsals.length > 0) {
    yield paint("Rehearsal", "bold");
    for (const rehearsal of rehearsals) yield wrap(`  ${rehearsalText(rehearsal)}`, "    ");
    yield "";
  }
  if (findings.length > 0) yield paint("Findings", "bold");
  for (const [index, finding] of findings.entries()) {
    // Consecutive findings of a rule show their common remedy once, after the last of them.
    const next = findings[index + 1];
    const isLast = next?.rule !== finding.rule || next.remedy !== finding.remedy || next.waiver !== undefined;
    yield* findingText(finding, isLast, options, { paint, wrap });
  }
  if (findings.length > 0) yield "";
  if (changes.length === 0) yield* [nothing, ""];
  for (const { title, changes: members, folds } of sectionsOf(report)) {
    yield paint(`${title} (${members.length})`, "bold");
    for (const fold of folds) yield* foldLines(fold, options, wrap);
    yield "";
  }
  for (const table of report.securityGroups ?? []) {
    yield paint(`Rules of ${table.group}`, "bold");
    for (const line of ruleLines(table, ruleSignsOf(options.symbols))) yield `  ${line}`;
    if (table.isPartial) yield wrap(`  ${partialNote}`, "  ");
    yield "";
  }
  for (const { title, lines } of otherLines(report, options, wrap)) {
    yield paint(title, "bold");
    yield* lines;
    yield "";
  }
  yield `Approval digest: ${approval.digest}`;
  for (const note of coverageNotes(approval)) yield wrap(note, "");
}

/** Yields the objects that are not done as planned, with their errors. */
function* appliedLines(
  applied: ReportApplied,
  { paint, wrap }: { readonly paint: Paint; readonly wrap: Wrap },
): Generator<string> {
  yield paint("Apply", "bold");
  for (const plan of applied.plans) yield wrap(`  ${appliedPlanText(plan)}`, "    ");
  for (const object of notDone(applied)) {
    const { outcome, text, errors } = object;
    yield wrap(`  ${outcomeWords[outcome]}: ${appliedPlace(object, applied)}, ${stepsText(object)}`, "    ");
    if (text !== "") yield wrap(`    ${text}`, "    ");
    for (const error of errors) yield wrap(`    Error: ${error}`, "      ");
  }
  for (const warning of warningsIn(applied)) yield wrap(`  Warning of ${warning}`, "    ");
  const omitted = omittedErrorsText(applied);
  if (omitted !== "") yield `  ${omitted}`;
  yield "";
}

type Paint = (text: string, code: keyof typeof codes) => string;
type Wrap = (text: string, indent: string) => string;

function findingText(
  finding: ReportFinding,
  withRemedy: boolean,
  { symbols }: TextOptions,
  { paint, wrap }: { readonly paint: Paint; readonly wrap: Wrap },
): string[] {
  const { severity, rule, title, text, remedy, confidence, waiver, source, address } = finding;
  const certainty = confidence === "proven" ? "" : ` (${confidence})`;
  const place = address === undefined || address === finding.plan ? "" : `: ${address}`;
  const waived =
    waiver === undefined ? "" : `Waived by ${waiver.owner} until ${waiver.until}: ${waiver.reason}`;
  const advice = waived === "" && withRemedy ? remedy : waived;
  return [
    wrap(
      `  ${severityMark(severity, symbols)}${severity} ${rule} ${title}${certainty}${place}`,
      "    ",
    ).replace(severity, (word) => paint(word, severity)),
    wrap(`    ${text}`, "    "),
    ...(source === undefined ? [] : [`    ${source.file}:${source.line}`]),
    ...(advice === "" ? [] : [wrap(`    ${advice}`, "    ")]),
  ];
}

function foldLines({ changes }: Fold, { symbols }: TextOptions, wrap: Wrap): string[] {
  const [first] = changes;
  const hasEnd = isDestroyed(first.action);
  const lineOf = (change: ReportChange): string => `${change.address}  ${objectName(change)}`;
  const names = hasEnd ? "" : ` ${changes.map(({ name, address }) => name ?? address).join(", ")}`;
  const title =
    changes.length === 1 ? lineOf(first) : `${changes.length}${signsOf(symbols).times}${first.kind}:${names}`;
  return [
    wrap(`  ${actionMark(first.action, symbols)}${title}`, "    "),
    // Shows each deleted object with its id.
    ...(hasEnd && changes.length > 1 ? changes.map((change) => wrap(`    ${lineOf(change)}`, "      ")) : []),
    ...first.reasons.map((reason) => wrap(`      ${reason}`, "      ")),
    ...(hasEnd ? [wrap(`      ${first.reversal}`, "      ")] : []),
    ...(hasEnd && first.dependents.total > 0 ? [wrap(`      ${dependentsOf(first)}`, "      ")] : []),
    ...(first.action === "create" && changes.length > 1
      ? commonValues({ changes }).map(({ name, values }) =>
          wrap(`      ${name}: ${commonText(values)}`, "        "),
        )
      : differenceRows(first, symbols, wrap)),
  ];
}

/** Maximum number of values of one attribute of several objects. */
const mostValues = 3;

const commonText = (values: readonly Shown[]): string =>
  values.length === 1
    ? values.map(shownText).join("")
    : `${values.length} values: ${firstOf(values.map(shownText), mostValues)}`;

const dependentsOf = ({ dependents: { direct, total, names } }: ReportChange): string =>
  `${counted(direct, "dependent")}, ${total} in all: ${names.join(", ")}`;

function differenceRows(change: ReportChange, symbols: SymbolStyle, wrap: Wrap): string[] {
  const { action } = change;
  const signs = signsOf(symbols);
  const { rows, later } = listedDifferences(change);
  return [
    ...rows.flatMap(({ name, before, after, forcesReplacement, isUncompared, inner }) => {
      const note = isUncompared ? uncomparedNote : forcesReplacement ? "forces the replacement" : undefined;
      const force = note === undefined ? "" : `  (${note})`;
      if (inner !== undefined)
        return [
          wrap(`      ${name}${formatsOf(inner)}:${force}`, "        "),
          ...innerLines(inner, signs, shownText).map((line) => wrap(`        ${line}`, "          ")),
        ];
      const text =
        action === "create" ? shownText(after) : `${shownText(before)}${signs.becomes}${shownText(after)}`;
      return [wrap(`      ${name}: ${text}${force}`, "        ")];
    }),
    ...(later.length === 0 ? [] : [wrap(`      known after the apply: ${later.join(", ")}`, "        ")]),
  ];
}

function otherLines(
  report: Report,
  { symbols }: TextOptions,
  wrap: Wrap,
): { title: string; lines: string[] }[] {
  const { becomes, times } = signsOf(symbols);
  const moved = relocated(report).map(({ address, previousAddress, importedId }) =>
    wrap(
      previousAddress === undefined
        ? `  ${address} imported from ${importedId}`
        : `  ${previousAddress}${becomes}${address}`,
      "    ",
    ),
  );
  const drift = report.drift.map(({ plan, kind, name, count, guess }) =>
    wrap(`  ${plan}: ${count}${times}${kind} ${name}. ${guess}`, "    "),
  );
  const outputs = report.outputs.flatMap(({ plan, name, before, after, inner }) =>
    inner === undefined
      ? [wrap(`  ${plan} ${name}: ${shownText(before)}${becomes}${shownText(after)}`, "    ")]
      : [
          wrap(`  ${plan} ${name}${formatsOf(inner)}:`, "    "),
          ...innerLines(inner, signsOf(symbols), shownText).map((line) => wrap(`    ${line}`, "      ")),
        ],
  );
  const invocations = report.invocations.map((invocation) => wrap(`  ${effectText(invocation)}`, "    "));
  const providers = (report.providers ?? []).map((one) => wrap(`  ${providerText(one)}`, "    "));
  const { shown, quiet } = messagesOf(report);
  const messages = [
    ...shown.map(({ plan, level, text }) => wrap(`  ${level} of ${plan}: ${text}`, "    ")),
    ...(quiet === 0 ? [] : [`  ${quiet} more of level info`]),
  ];
  return [
    { title: "Moved and imported", lines: moved },
    { title: "Drift", lines: drift },
    { title: "Outputs", lines: outputs },
    { title: "Other effects of the apply", lines: invocations },
    { title: "Providers", lines: providers },
    { title: "Messages of the engine", lines: messages },
    { title: furtherGaps, lines: furtherGapsOf(report).map((line) => wrap(`  ${line}`, "    ")) },
    { title: unknownParts, lines: unknownPartsOf(report.plans).map((line) => wrap(`  ${line}`, "    ")) },
  ].filter(({ lines }) => lines.length > 0);
}
