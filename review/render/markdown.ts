import { outcomeWords } from "../report/applied-outcome.ts";
import type {
  Report,
  ReportApplied,
  ReportChange,
  ReportDifference,
  ReportFinding,
  ReportInner,
  ReportSecurityGroup,
  Shown,
} from "../report/report.ts";
import { counted } from "../rule/fact.ts";
import {
  appliedPlace,
  appliedPlanText,
  notDone,
  omittedErrorsText,
  outcomeTable,
  stepsText,
  warningsIn,
} from "./applied.ts";
import { coverageNotes } from "./approval.ts";
import {
  bytesOf,
  fitted,
  type Item,
  itemOf,
  type List,
  leastBytes,
  restLine,
  sharesOf,
  shortSizeOf,
  sizeOf,
} from "./budget.ts";
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
  partsOf,
  patternsOf,
  providerText,
  relocated,
  type Section,
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
import { openingOf, partialNote, ruleLines, ruleSignsOf } from "./rule-table.ts";
import { type SymbolStyle, severityMark, signsOf, verdictMark, verdictText } from "./symbol.ts";

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

/** Returns the report as Markdown within the budget: findings first, then the patterns of changes, then their details. */
export function renderMarkdown(original: Report, options: MarkdownOptions): string {
  if (original.applied !== undefined) return appliedMarkdown(original, original.applied, options);
  const report = withPlanNames(original);
  const [above, below] = [head(report, options), footer(report, options)];
  const room = options.budget - bytesOf([...above, ...below]);
  const details = detailsOf(report, options);
  const patterns = patternList(report, options);
  const least = details.reduce((sum, { list }) => sum + leastBytes(list), 0);
  const reserve = Math.max(leastBytes(patterns), Math.min(sizeOf(patterns, room), room * patternShare));
  const findings = findingSection(report, room - least - reserve, options);
  let left = room - bytesOf(findings);
  // Patterns of one change each repeat the details if these are complete.
  const isRepeated =
    patterns.items.length === report.changes.length &&
    details.reduce((sum, { list }) => sum + sizeOf(list, left), 0) <= left;
  const overview = isRepeated ? [] : fitted(patterns, left - least);
  left -= bytesOf(overview);
  let spare = Math.max(0, left - least);
  const demands = details.map(({ list, isFirst }) => {
    const minimum = leastBytes(list);
    const extra = isFirst ? Math.min(spare, Math.max(0, shortSizeOf(list, left) - minimum)) : 0;
    spare -= extra;
    return { least: minimum + extra, most: sizeOf(list, left) };
  });
  const shares = sharesOf(demands, left);
  return [
    ...above,
    ...findings,
    ...(report.changes.length === 0 ? [nothing, ""] : []),
    ...overview,
    ...details.flatMap(({ list }, index) => fitted(list, shares[index] ?? 0)),
    ...below,
  ].join("\n");
}

/** Maximum shares of the budget for what the apply did. */
const appliedShares = { reasons: 1 / 8, objects: 1 / 2, errors: 1 / 8, warnings: 1 / 16 } as const;

/** Minimum number of bytes for the report of the review below what the apply did. */
const leastReview = 3_000;

/** Returns what the apply did, and the report of the review in a folded section if it fits. */
function appliedMarkdown(report: Report, applied: ReportApplied, options: MarkdownOptions): string {
  const { verdict, approval, ...rest } = report;
  const { symbols, budget } = options;
  const size = Number.isFinite(budget) ? budget : Number.MAX_SAFE_INTEGER;
  const listed = (heading: readonly string[], items: readonly Item[], share: number): string[] =>
    fitted({ heading, items, rest: restLine(symbols) }, size * share);
  const bad = notDone(applied);
  const problems = applied.plans.flatMap((plan) => plan.problems);
  const next = applied.plans.flatMap((plan) =>
    plan.next.map((text) => `${applied.plans.length > 1 ? `Next for ${plan.name}` : "Next"}: ${text}`),
  );
  const errors = applied.plans.flatMap(({ name, errors: texts }) => texts.map((text) => `${name}: ${text}`));
  const warnings = warningsIn(applied);
  const omitted = omittedErrorsText(applied);
  const { columns, rows } = outcomeTable(applied);
  const lines = [
    `## ${verdictMark(verdict.code, symbols)}${prose(verdictText(report, symbols))}`,
    "",
    ...listed(
      [],
      [...problems, ...next].map((text) => itemOf(`- ${prose(text)}`)),
      appliedShares.reasons,
    ),
    ...(rows.length === 0
      ? []
      : [
          `| planned | ${columns.join(" | ")} |`,
          `|---|${columns.map(() => "---:|").join("")}`,
          ...rows.map(({ effect, counts }) => `| ${effect} | ${counts.join(" | ")} |`),
          "",
        ]),
    ...listed(
      [`### Not done as planned (${bad.length})`, ""],
      bad.map((object): Item => {
        const short = `- **${outcomeWords[object.outcome]}** ${codeSpan(appliedPlace(object, applied))}: ${stepsText(object)}`;
        const now = object.text === "" ? "" : ` ${prose(object.text)}`;
        const id = object.id === undefined ? "" : ` ${codeSpan(object.id)}`;
        return {
          text: () =>
            [`${short}.${now}${id}`, ...object.errors.map((text) => `  - ${codeSpan(text)}`)].join("\n"),
          short: () => short,
          count: 1,
          group: outcomeWords[object.outcome],
        };
      }),
      appliedShares.objects,
    ),
    ...listed(
      [`### Errors of the engine (${errors.length})`, ""],
      errors.map((text) => itemOf(`- ${codeSpan(text)}`)),
      appliedShares.errors,
    ),
    ...listed(
      [`### Warnings of the engine (${warnings.length})`, ""],
      warnings.map((text) => itemOf(`- ${codeSpan(text)}`)),
      appliedShares.warnings,
    ),
    ...(omitted === "" ? [] : [omitted, ""]),
    ...listed(
      [],
      applied.plans.map((plan) => itemOf(`- ${prose(appliedPlanText(plan))}`)),
      shares.reasons,
    ),
  ];
  const review = { ...rest, approval, verdict: applied.review, applied: undefined };
  const open = ["<details><summary>Report of the review</summary>", ""];
  const close = ["", "</details>", ""];
  const room = budget - bytesOf([...lines, ...open, ...close]);
  const folded =
    room < leastReview ? undefined : renderMarkdown(review, { ...options, budget: room }).trimEnd();
  return folded === undefined || Buffer.byteLength(folded) > room
    ? [...lines, "The report of the review does not fit.", "", ...footer(report, options)].join("\n")
    : [...lines, ...open, folded, ...close].join("\n");
}

/** Maximum share of the room for the patterns of changes, if the findings need the rest. */
const patternShare = 1 / 4;

/**
 * Maximum shares of the budget for the sections before the findings, limited because the reviewed revision controls their
 * content.
 */
const shares = {
  policy: 1 / 5,
  reasons: 1 / 10,
  parts: 1 / 20,
  gaps: 1 / 20,
  rehearsals: 1 / 20,
  since: 1 / 10,
} as const;

function head(report: Report, options: MarkdownOptions): string[] {
  const { verdict, policyChanges, plans } = report;
  const { symbols, budget } = options;
  const listed = (items: readonly Item[], share: number): string[] =>
    fitted({ heading: [], items, rest: restLine(symbols) }, budget * share);
  const lines = [`## ${verdictMark(verdict.code, symbols)}${prose(verdictText(report, symbols))}`, ""];
  if (policyChanges.lines.length > 0) {
    const effect = policyChanges.trusted
      ? "The changes apply."
      : "The changes do not apply until they are merged.";
    lines.push(
      "### This revision changes the policy",
      "",
      effect,
      "",
      ...listed(
        policyChanges.lines.map((text) => itemOf(`- ${prose(text)}`)),
        shares.policy,
      ),
    );
  }
  if (verdict.reasons.length > 0)
    lines.push(
      ...listed(
        verdict.reasons.map((reason) => itemOf(`- ${prose(reason)}`)),
        shares.reasons,
      ),
    );
  for (const { title, lines: all, share } of [
    { title: furtherGaps, lines: furtherGapsOf(report), share: shares.gaps },
    { title: unknownParts, lines: unknownPartsOf(plans), share: shares.parts },
  ])
    if (all.length > 0)
      lines.push(
        `${title}:`,
        "",
        ...listed(
          all.map((text) => itemOf(`- ${codeSpan(text)}`)),
          share,
        ),
      );
  const since = sinceEntries(report);
  if (since !== undefined)
    lines.push(
      "### Since the last report",
      "",
      ...(since.length === 0
        ? [unchangedSince, ""]
        : listed(
            since.map(({ word, name }) => itemOf(`- ${word}: ${codeSpan(name)}`, word)),
            shares.since,
          )),
    );
  const { rehearsals = [] } = report;
  if (rehearsals.length > 0)
    lines.push(
      "### Rehearsal",
      "",
      ...listed(
        rehearsals.map((rehearsal) => itemOf(`- ${prose(rehearsalText(rehearsal))}`)),
        shares.rehearsals,
      ),
    );
  return lines;
}

/** Returns the findings within this many bytes. Each rule has a list of its own. */
function findingSection({ findings }: Report, bytes: number, options: MarkdownOptions): string[] {
  if (findings.length === 0) return [];
  const { symbols } = options;
  const heading = [`### Findings (${findings.length})`, ""];
  const groups = Map.groupBy(findings, ({ severity, rule, title }) =>
    JSON.stringify([severity, rule, title]),
  );
  const lists = [...groups.values()].map((group): List => {
    const items = group.map((finding, index): Item => {
      const last = group[index - 1];
      // Consecutive findings with one remedy show it once, at the first of them.
      const withRemedy = last?.remedy !== finding.remedy || last.waiver !== undefined;
      return {
        text: () => findingLine(finding, withRemedy, options),
        short: () => shortFindingLine(finding, options),
        count: 1,
        group: finding.severity,
      };
    });
    const [first] = group;
    const name =
      first === undefined
        ? ""
        : `${severityMark(first.severity, symbols)}**${first.severity}** ${first.rule} ${prose(first.title)}`;
    return { heading: [], items, rest: (omitted) => `- ${omitted.length} more: ${name}` };
  });
  let left = bytes - bytesOf([...heading, ""]) - restBytes;
  const shown = lists.filter((list) => {
    left -= leastBytes(list);
    return left >= 0;
  });
  const demands = shown.map((list) => ({ least: leastBytes(list), most: sizeOf(list, bytes) }));
  const room = sharesOf(
    demands,
    bytes - bytesOf([...heading, ""]) - (shown.length < lists.length ? restBytes : 0),
  );
  const omitted = lists.slice(shown.length).flatMap(({ items }) => items);
  return [
    ...heading,
    // Each list ends with an empty line, which would separate the rules.
    ...shown.flatMap((list, index) => fitted(list, room[index] ?? 0).slice(0, -1)),
    ...(omitted.length === 0 ? [] : [restLine(symbols)(omitted)]),
    "",
  ];
}

/** Maximum bytes of the line that counts the findings of rules without a list. */
const restBytes = 120;

/** Returns a finding without its text and remedy. */
const shortFindingLine = (finding: ReportFinding, { symbols }: MarkdownOptions): string => {
  const { severity, rule, title, address, plan, waiver } = finding;
  const waived = waiver === undefined ? "" : " (waived)";
  return `- ${severityMark(severity, symbols)}**${severity}** ${rule} ${prose(title)}: ${codeSpan(address ?? plan)}${waived}`;
};

function findingLine(finding: ReportFinding, withRemedy: boolean, { symbols }: MarkdownOptions): string {
  const { severity, rule, title, text, remedy, confidence, waiver, source, plan, address } = finding;
  const certainty = confidence === "proven" ? "" : ` (${confidence})`;
  const where = source === undefined ? "" : ` ${codeSpan(`${source.file}:${source.line}`)}`;
  const subject = address === undefined || address === plan ? "" : ` ${codeSpan(address)}`;
  const waived =
    waiver === undefined
      ? ""
      : ` Waived by ${prose(waiver.owner)} until ${prose(waiver.until)}: ${prose(waiver.reason)}`;
  const how = waiver === undefined ? (withRemedy ? ` ${prose(remedy)}` : "") : waived;
  return `- ${severityMark(severity, symbols)}**${severity}** ${rule} ${prose(title)}${certainty}:${subject} ${prose(text)}${where}${how}`;
}

/** Detailed list of the report. */
interface Detail {
  readonly list: List;
  /** True for the names of destroyed objects, which precede the details of others. */
  readonly isFirst?: boolean;
}

/** Returns the lists of details: changes by action, rules of security groups, and the other parts of the report. */
function detailsOf(report: Report, options: MarkdownOptions): Detail[] {
  return [
    ...sectionsOf(report).map((section) => sectionDetail(section, options)),
    { list: ruleTables(report, options) },
    ...otherLists(report, options).map((list) => ({ list })),
  ];
}

function sectionDetail({ title, action, changes, folds }: Section, options: MarkdownOptions): Detail {
  const items = isDestroyed(action)
    ? changes.map(
        (change): Item => ({
          text: () => changeLines({ changes: [change] }, options).join("\n"),
          short: () => `- ${nameOf(change)}`,
          count: 1,
          group: codeSpan(change.kind),
        }),
      )
    : folds.map(
        (fold): Item => ({
          text: () => changeLines(fold, options).join("\n"),
          short: () => shortChangeLine(fold, options),
          count: fold.changes.length,
          group: codeSpan(fold.changes[0].kind),
        }),
      );
  const heading = [`### ${title} (${changes.length})`, ""];
  return { list: { heading, items, rest: restLine(options.symbols) }, isFirst: isDestroyed(action) };
}

/**
 * Maximum number of names of attributes in a line, of objects in a line, also if the list is cut, and of values of one
 * attribute.
 */
const [mostNames, mostObjects, mostShort, mostValues] = [10, 1_000, 20, 3];

/** Returns one line for each action, kind and set of changed attributes. */
function patternList(report: Report, { symbols }: MarkdownOptions): List {
  const items = sectionsOf(report).flatMap((section) =>
    patternsOf(section).map(({ kind, names, changes }): Item => {
      const paths = names.length === 0 ? "" : `: ${firstOf(names.map(codeSpan), mostNames)}`;
      const text = `- ${section.action} ${changes.length}${signsOf(symbols).times}${codeSpan(kind)}${paths}`;
      return { text: () => text, count: changes.length, group: codeSpan(kind) };
    }),
  );
  const count = items.reduce((sum, item) => sum + item.count, 0);
  return { heading: [`### Changes (${count})`, ""], items, rest: restLine(symbols) };
}

/** Returns kind, name and id of an object. */
const nameOf = ({ kind, name, address, id }: ReportChange): string =>
  `${codeSpan(kind)} ${codeSpan(name ?? address)}${id === undefined ? "" : ` ${codeSpan(id)}`}`;

/** Returns the object of a change, or the number and names of the objects of equal changes. */
function titleOf({ changes }: Fold, most: number, { symbols }: MarkdownOptions): string {
  const [first] = changes;
  if (changes.length === 1)
    return `${codeSpan(first.address)}${first.name === undefined ? "" : ` ${codeSpan(first.name)}`}`;
  const names = changes.slice(0, most).map(({ name, address }) => codeSpan(name ?? address));
  const more = changes.length > most ? [`${changes.length - most} more`] : [];
  return `${changes.length}${signsOf(symbols).times}${codeSpan(first.kind)}: ${[...names, ...more].join(", ")}`;
}

/** Returns changes with the names of their changed attributes. */
function shortChangeLine(fold: Fold, options: MarkdownOptions): string {
  const [{ action, differences }] = fold.changes;
  const names =
    action === "update"
      ? `: ${firstOf(
          differences.map(({ name }) => codeSpan(name)),
          mostNames,
        )}`
      : "";
  return `- ${titleOf(fold, mostShort, options)}${names}`;
}

/** Returns equal changes with their reasons and values. */
function changeLines(fold: Fold, options: MarkdownOptions): string[] {
  const [first] = fold.changes;
  const hasEnd = isDestroyed(first.action);
  return [
    `- ${titleOf(fold, mostObjects, options)}${hasEnd && first.id !== undefined ? ` ${codeSpan(first.id)}` : ""}`,
    ...first.reasons.map((reason) => `  - ${prose(reason)}`),
    ...(hasEnd ? consequences(first) : []),
    ...(first.action === "create" && fold.changes.length > 1
      ? commonLines(fold)
      : differenceItems(first, options)),
  ];
}

/** Returns the attributes of several new objects. */
const commonLines = (fold: Fold): string[] =>
  commonValues(fold).map(({ name, values }) =>
    values.length === 1
      ? `  - ${codeSpan(name)}: ${values.map(value).join("")}`
      : `  - ${codeSpan(name)}: ${values.length} values: ${firstOf(values.map(value), mostValues)}`,
  );

function differenceItems(change: ReportChange, { symbols }: MarkdownOptions): string[] {
  const { rows, later } = listedDifferences(change);
  return [
    ...rows.map((difference) => `  - ${differenceText(difference, change, symbols)}`),
    ...(later.length === 0 ? [] : [`  - known after the apply: ${later.map(codeSpan).join(", ")}`]),
  ];
}

function consequences({ dependents, reversal, order }: ReportChange): string[] {
  const names = dependents.names.map(codeSpan).join(", ");
  return [
    ...(order === undefined ? [] : [`  - Order: ${order}.`]),
    ...(dependents.total === 0
      ? []
      : [`  - ${counted(dependents.direct, "dependent")}, ${dependents.total} in all: ${names}.`]),
    `  - ${prose(reversal)}`,
  ];
}

/** Returns a changed value, with the differences inside of it as a list. */
function differenceText(
  { name, before, after, forcesReplacement, isUncompared, inner }: ReportDifference,
  change: ReportChange,
  symbols: SymbolStyle,
): string {
  const signs = signsOf(symbols);
  const note = isUncompared ? uncomparedNote : forcesReplacement ? "forces the replacement" : undefined;
  const force = note === undefined ? "" : ` **${note}**`;
  if (inner !== undefined)
    return [`${codeSpan(name)}${formatsOf(inner)}:${force}`, ...innerItems(inner, symbols, "    ")].join(
      "\n",
    );
  return change.action === "create"
    ? `${codeSpan(name)}: ${value(after)}`
    : `${codeSpan(name)}: ${value(before)}${signs.becomes}${value(after)}${force}`;
}

const innerItems = (inner: ReportInner, symbols: SymbolStyle, indent: string): string[] =>
  innerLines(inner, signsOf(symbols), shownText).map((line) => `${indent}- ${codeSpan(line)}`);

const value = (shown: Shown): string =>
  shown.kind === "value" ? codeSpan(shownText(shown)) : shownText(shown);

/** Maximum numbers of rules in the table of a security group. */
const ruleLimits = { kept: 10, all: 50 } as const;

/** Returns the rules of security groups as diff blocks, which hosts colour. */
function ruleTables({ securityGroups = [] }: Report, { symbols }: MarkdownOptions): List {
  const items = securityGroups.map((table): Item => {
    const counts = (["added", "removed", "kept"] as const).map(
      (effect) => `${table.rules.filter((rule) => rule.effect === effect).length} ${effect}`,
    );
    const openings = new Set(table.rules.map(openingOf).filter((text) => text !== ""));
    return {
      text: () => ruleTableLines(table, symbols).join("\n"),
      short: () => `- Rules of ${codeSpan(table.group)}: ${[...counts, ...openings].join(", ")}`,
      count: 1,
      group: "security groups",
    };
  });
  return { heading: [], items, rest: restLine(symbols) };
}

function ruleTableLines(table: ReportSecurityGroup, symbols: SymbolStyle): string[] {
  const lines = ruleLines(table, ruleSignsOf(symbols), ruleLimits);
  return [
    `### Rules of ${codeSpan(table.group)}`,
    "",
    ...block(lines, symbols === "words" ? "" : "diff"),
    "",
    ...(table.isPartial ? [partialNote, ""] : []),
  ];
}

/** Returns lines in a code fence that is longer than any run of backticks in them. */
function block(lines: readonly string[], language: string): string[] {
  const longest = lines.reduce((most, line) => Math.max(most, longestRun(line)), 2);
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence];
}

/** Returns the other parts of the report: moves, drift, outputs, effects and messages. */
function otherLists(report: Report, { symbols }: MarkdownOptions): List[] {
  const { becomes, times } = signsOf(symbols);
  const moved = relocated(report).map(({ address, previousAddress, importedId, kind }) =>
    itemOf(
      previousAddress === undefined
        ? `- imported: ${codeSpan(address)} from ${codeSpan(importedId ?? "")}`
        : `- moved: ${codeSpan(previousAddress)}${becomes}${codeSpan(address)}`,
      codeSpan(kind),
    ),
  );
  const drift = report.drift.map(({ plan, kind, name, count, guess }) =>
    itemOf(
      `- ${codeSpan(plan)}: ${count}${times}${codeSpan(kind)} ${codeSpan(name)}. ${prose(guess)}`,
      codeSpan(kind),
    ),
  );
  const outputs = report.outputs.map(({ plan, name, action, before, after, inner }) => {
    const title = `- ${action} ${codeSpan(plan)} ${codeSpan(name)}`;
    return inner === undefined
      ? itemOf(`${title}: ${value(before)}${becomes}${value(after)}`, action)
      : {
          ...itemOf([`${title}${formatsOf(inner)}:`, ...innerItems(inner, symbols, "  ")].join("\n"), action),
          short: () => title,
        };
  });
  const invocations = report.invocations.map((invocation) =>
    itemOf(`- ${codeSpan(effectText(invocation))}`, codeSpan(invocation.type)),
  );
  const providers = (report.providers ?? []).map((one) =>
    itemOf(`- ${codeSpan(providerText(one))}`, codeSpan(one.name)),
  );
  const { shown, quiet } = messagesOf(report);
  const messages = [
    ...shown.map(({ plan, level, text }) => itemOf(`- ${level} of ${codeSpan(plan)}: ${prose(text)}`, level)),
    ...(quiet === 0 ? [] : [{ ...itemOf(`- ${quiet} more of level info`, "info"), count: quiet }]),
  ];
  const parts = [
    { title: "Moved and imported", items: moved },
    { title: "Drift", items: drift },
    { title: "Outputs", items: outputs },
    { title: "Other effects of the apply", items: invocations },
    { title: "Providers", items: providers },
    { title: "Messages of the engine", items: messages },
  ];
  return parts.map(({ title, items }) => ({
    heading: [`### ${title} (${items.length})`, ""],
    items,
    rest: restLine(symbols),
  }));
}

function footer({ approval }: Report, { reportUrl }: MarkdownOptions): string[] {
  const notes = coverageNotes(approval, 5).map((note) => ` ${escapedMarkdown(shortened(note))}`);
  return [
    ...(reportUrl === undefined ? [] : [`Full report: ${link(reportUrl)}`, ""]),
    `Approval digest: ${codeSpan(approval.digest)}.${notes.join("")}`,
    "",
  ];
}

/** Returns a URL as a link; keeps existing percent escapes. */
const link = (url: string): string =>
  `<${encodeURI(url.toWellFormed()).replace(/%25(?=[0-9a-f]{2})/gi, "%")}>`;

/** Returns the length of the longest run of backticks in a text. */
const longestRun = (text: string): number =>
  text.includes("`") ? (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0) : 0;

/** Maximum length of a code span, so that a very long name leaves room for others. */
const longestCode = 1_000;

/** Returns a text of at most `longestCode` characters, with its full length if it is longer. */
const shortened = (text: string): string =>
  text.length <= longestCode
    ? text
    : `${text.slice(0, longestCode).toWellFormed()}… (${text.length} characters)`;

/** Returns a text as a code span, so that nothing in it becomes markup, a link or a mention. */
export function codeSpan(whole: string): string {
  const text = shortened(whole);
  const longest = longestRun(text);
  const fence = "`".repeat(longest + 1);
  const pad = text === "" || text.startsWith("`") || text.endsWith("`") || text.startsWith(" ") ? " " : "";
  return `${fence}${pad}${text === "" ? "(empty)" : text}${pad}${fence}`;
}

/** Returns a sentence as Markdown: quoted names become code spans, all other characters are escaped. */
export const prose = (text: string): string =>
  partsOf(text)
    .map(({ text: part, isName }) => (isName ? codeSpan(part) : escapedMarkdown(part)))
    .join("");

/** Word joiner: invisible, and prevents hosts from recognizing mentions and links. */
const joiner = "\u2060";

const escapedMarkdown = (text: string): string =>
  text
    // An underscore inside of a word is no markup.
    .replace(
      /[\\`*{}[\]()<>#+!|~$&^=]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g,
      (character) => `&#${character.charCodeAt(0)};`,
    )
    .replace(/@/g, `@${joiner}`)
    .replace(/&#35;/g, `&#35;${joiner}`)
    // References of GitLab: merge requests, snippets, epics, alerts, labels, milestones, vulnerabilities.
    .replace(/(&#(?:33|36|38|94|126);|%)(?=[\w"])/g, `$1${joiner}`)
    .replace(/&#91;(?=[a-z_]+:)/g, `&#91;${joiner}`)
    // Hosts link words that look like commit hashes.
    .replace(/(?<![a-z0-9])[0-9a-f]{7,}(?![a-z0-9])/gi, (digits) => digits.replace(/.{6}/g, `$&${joiner}`))
    .replace(/:\/\//g, `:${joiner}//`)
    .replace(/\b(www)\./gi, `$1${joiner}.`)
    .replace(/\b(gh)-(?=\d)/gi, `$1${joiner}-`)
    .replace(/^(\s*)([-+]|\d+\.)(?=\s)/g, `$1${joiner}$2`);
