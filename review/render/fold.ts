import type {
  Report,
  ReportChange,
  ReportDifference,
  ReportFinding,
  ReportInner,
  Shown,
} from "../report/report.ts";
import { visible } from "../report/value.ts";
import { severities } from "../rule/rule.ts";
import type { Signs } from "./symbol.ts";

/** Equal changes of objects of one kind, in the order of the report. */
export interface Fold {
  readonly changes: readonly [ReportChange, ...ReportChange[]];
}

/** Folds equal changes: same action, kind and values. Never folds replacements. */
function folded(changes: readonly ReportChange[]): Fold[] {
  const groups = new Map<string, [ReportChange, ...ReportChange[]]>();
  const numbers = new Map<string, number>();
  const known = new Map<ReportChange["differences"], number>();
  /** Returns a number that identifies a list of differences by content. */
  const numberOf = (differences: ReportChange["differences"]): number => {
    const found = known.get(differences);
    if (found !== undefined) return found;
    const text = JSON.stringify(
      differences.map(({ name, before, after, inner }) => [name, before, after, inner]),
    );
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    known.set(differences, number);
    return number;
  };
  for (const change of changes) {
    const key = keyOf(change, numberOf);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()].map((all) => ({ changes: all }));
}

function keyOf(
  { plan, action, kind, address, differences, reasons }: ReportChange,
  numberOf: (differences: ReportChange["differences"]) => number,
): string {
  if (action === "replace") return JSON.stringify([plan, action, address]);
  // New objects differ at least in their names, so they are folded by kind.
  return JSON.stringify([plan, action, kind, action === "create" ? "" : numberOf(differences), reasons]);
}

/** Changes of one action. */
export interface Section {
  readonly action: ReportChange["action"];
  readonly title: string;
  readonly changes: readonly ReportChange[];
  readonly folds: readonly Fold[];
}

/** Actions and titles of the sections, most dangerous first. */
const titles = [
  { action: "replace", title: "Replaced" },
  { action: "delete", title: "Deleted" },
  { action: "update", title: "Updated" },
  { action: "create", title: "Created" },
  { action: "forget", title: "Removed from the state, kept in the cloud" },
] as const;

/** Changes of one kind of object that change the same attributes. */
export interface Pattern {
  readonly kind: string;
  /** Names of the changed attributes; empty for objects that are created or destroyed. */
  readonly names: readonly string[];
  readonly changes: readonly ReportChange[];
}

/** Returns the patterns of the changes of a section, the most frequent first. */
export function patternsOf({ changes }: Section): Pattern[] {
  const known = new Map<ReportChange["differences"], string>();
  const namesIn = ({ action, differences }: ReportChange): string => {
    if (action !== "update" && action !== "replace") return "";
    const found = known.get(differences) ?? JSON.stringify(differences.map(({ name }) => name).toSorted());
    known.set(differences, found);
    return found;
  };
  const groups = Map.groupBy(changes, (change) => `${change.kind} ${namesIn(change)}`);
  return [...groups.values()]
    .map((all) => ({
      kind: all[0]?.kind ?? "",
      names:
        all[0]?.action === "update" || all[0]?.action === "replace"
          ? all[0].differences.map(({ name }) => name)
          : [],
      changes: all,
    }))
    .toSorted((a, b) => b.changes.length - a.changes.length);
}

const known = new WeakMap<Report, readonly Section[]>();

/** Returns the sections of a report that have changes; computed once. */
export function sectionsOf(report: Report): readonly Section[] {
  const found = known.get(report);
  if (found !== undefined) return found;
  const byAction = Map.groupBy(report.changes, ({ action }) => action);
  const sections = titles.flatMap(({ action, title }) => {
    const changes = byAction.get(action) ?? [];
    return changes.length === 0 ? [] : [{ action, title, changes, folds: folded(changes) }];
  });
  known.set(report, sections);
  return sections;
}

/** Returns the changes that move or import an object. */
export const relocated = ({ changes }: Report): ReportChange[] =>
  changes.filter(
    ({ previousAddress, importedId }) => previousAddress !== undefined || importedId !== undefined,
  );

/** Differences of a change in the lists of outputs. */
interface Listed {
  readonly rows: readonly ReportDifference[];
  /** Names of values that are known only after the apply: those of a new object, and those that only the API sets. */
  readonly later: readonly string[];
}

/**
 * Returns the differences that a list shows. Unknown values of a new object are listed by name only. An unknown value of an
 * existing object can have any effect, so it is listed with the value that it replaces.
 */
export function listedDifferences({ action, differences }: ReportChange): Listed {
  const isLater = ({ after, isComputed }: ReportDifference) =>
    after.kind === "unknown" && isComputed === true;
  return {
    rows: differences.filter(
      (difference) => !isLater(difference) && (action !== "create" || difference.after.kind !== "unknown"),
    ),
    later: differences
      .filter(
        (difference) => isLater(difference) || (action === "create" && difference.after.kind === "unknown"),
      )
      .map(({ name }) => name),
  };
}

/** Values of one attribute of several new objects. */
export interface CommonValue {
  readonly name: string;
  /** Different values, in the order of the objects. */
  readonly values: readonly Shown[];
}

/** Returns the values of the attributes of new objects. */
export function commonValues({ changes }: Fold): CommonValue[] {
  const byName = new Map<string, Map<string, Shown>>();
  const counts = new Map<string, number>();
  for (const { differences } of changes)
    for (const { name, after } of differences) {
      const values = byName.get(name) ?? new Map<string, Shown>();
      byName.set(name, values);
      values.set(shownText(after), after);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  return [...byName].map(([name, values]) => ({
    name,
    values: [...values.values(), ...(counts.get(name) === changes.length ? [] : [{ kind: "none" } as const])],
  }));
}

/** Formats a value as text without markup. */
export function shownText(value: Shown): string {
  switch (value.kind) {
    case "none":
      return "(none)";
    case "unknown":
      return "(known after apply)";
    case "sensitive":
      return value.mark === undefined ? "(sensitive)" : `(sensitive ${value.mark})`;
    case "value":
      return value.cut === undefined
        ? value.text
        : `${value.text}… (${value.cut} characters${value.sha256 === undefined ? "" : `, SHA-256 ${value.sha256.slice(0, 12)}…`})`;
  }
}

/** Returns the formats in which texts are compared, as in ` (Base64, JSON)`; empty for none. */
export const formatsOf = ({ formats }: ReportInner): string =>
  formats.length === 0 ? "" : ` (${formats.join(", ")})`;

/** Returns the differences inside of a value as lines, each with the sign of its effect. */
export function innerLines(
  { parts, omitted }: ReportInner,
  signs: Signs,
  textOf: (value: Shown) => string,
): string[] {
  const lines = parts.map(({ effect, at, before, after }) => {
    const place = at === "" ? "" : `${at}: `;
    const values = [before, after].flatMap((value) => (value === undefined ? [] : [textOf(value)]));
    return `${signs[effect]}${place}${values.join(signs.becomes)}`;
  });
  return omitted === 0 ? lines : [...lines, `${omitted} more`];
}

/** Returns the first texts of a list, and the number of the others. */
export const firstOf = (texts: readonly string[], most: number): string =>
  [...texts.slice(0, most), ...(texts.length > most ? [`${texts.length - most} more`] : [])].join(", ");

/** Returns the kind and name of an object, and its id if the object is destroyed. */
export function objectName({ action, kind, name, id, address }: ReportChange): string {
  const label = name === undefined ? address : quotedName(name);
  return id === undefined || !isDestroyed(action) ? `${kind} ${label}` : `${kind} ${label} (${id})`;
}

/** Returns true for an action that destroys the existing object. */
export const isDestroyed = (action: ReportChange["action"]): boolean =>
  action === "delete" || action === "replace";

/** Returns a name in quotes. Its invisible characters are escaped already, and are not escaped again. */
const quotedName = (name: string): string => `"${name.replaceAll('"', '\\"')}"`;

/** Part of a sentence: words, or a name without its quotes and escapes. */
interface SentencePart {
  readonly text: string;
  readonly isName: boolean;
}

/** Returns the parts of a sentence, in which names are written as JSON strings. */
export const partsOf = (sentence: string): SentencePart[] =>
  sentence
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((text, index) =>
      index % 2 === 1 ? { text: unquoted(text), isName: true } : { text, isName: false },
    );

const controls: { readonly [letter: string]: string | undefined } = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Returns the text of a JSON string, with its invisible characters escaped once. */
const unquoted = (text: string): string =>
  visible(
    text.slice(1, -1).replace(/\\(?:u\{[0-9a-f]+\}|u([0-9a-f]{4})|(.))/g, (whole, code, letter) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return letter === undefined ? whole : (controls[letter] ?? letter);
    }),
  );

/** Returns an effect of the apply with its configuration. */
export const effectText = ({ plan, type, address, configuration }: Report["invocations"][number]): string =>
  `${plan}: ${type} ${address}${configuration === undefined ? "" : `: ${shownText(configuration)}`}`;

/** Returns a provider with its source and configuration. */
export const providerText = ({
  plan,
  name,
  source,
  configuration,
}: NonNullable<Report["providers"]>[number]): string =>
  `${plan}: ${name} (${source}): ${shownText(configuration)}`;

/** Prefixes each address with the name of its plan if the report has several plans, whose addresses may be equal. */
export function withPlanNames(report: Report): Report {
  if (report.plans.length < 2) return report;
  const named = <T extends { readonly plan: string; readonly address?: string | undefined }>(part: T): T =>
    part.address === undefined || part.address === part.plan
      ? part
      : { ...part, address: placeOf(part.plan, part.address) };
  return { ...report, findings: report.findings.map(named), changes: report.changes.map(named) };
}

/** Prefixes an address with the name of its plan. */
export const placeOf = (plan: string, address: string): string => `${plan}: ${address}`;

/** Returns the differences from the last report; undefined without `--previous`. */
export const sinceEntries = ({ since }: Report): { word: string; name: string }[] | undefined =>
  since && [
    ...since.added.map((name) => ({ word: "new", name })),
    ...since.changed.map((name) => ({ word: "changed", name })),
    ...since.removed.map((name) => ({ word: "removed", name })),
  ];

/** Message of an engine, with the name of its plan. */
interface PlanMessage {
  readonly plan: string;
  readonly level: string;
  readonly text: string;
}

/** Returns the errors and warnings of the engines, and the number of their other messages. */
export function messagesOf({ plans }: Report): { shown: PlanMessage[]; quiet: number } {
  const all = plans.flatMap(({ name: plan, messages }) => messages.map((message) => ({ plan, ...message })));
  const shown = all.filter(({ level }) => level !== "info");
  return { shown, quiet: all.length - shown.length };
}

/** Title and lines of the parts of inputs that this version does not support. */
export const unknownParts = "Parts of the input that this version does not support";
export const unknownPartsOf = (plans: Report["plans"]): string[] =>
  plans.flatMap(({ name, unknownParts: parts }) => parts.map((part) => `${name}: ${part}`));

/** Title and lines of the reasons for which plans cannot be reviewed, without those that the verdict names. */
export const furtherGaps = "Further reasons why a plan cannot be reviewed";
export const furtherGapsOf = ({ plans, verdict }: Report): string[] =>
  plans.flatMap(({ name, gaps }) =>
    gaps
      .filter((gap) => !verdict.reasons.some((reason) => reason.endsWith(gap)))
      .map((gap) => `${name}: ${gap}`),
  );

/** Returns the number of findings by severity, as in `20 high, 11 low`. */
export const severitiesOf = (findings: readonly ReportFinding[]): string =>
  severities
    .map((severity) => ({ severity, count: findings.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`)
    .join(", ");

/** Text if nothing differs from the last report. */
export const unchangedSince = "Nothing changed.";

/** Text of a report without changes. */
export const nothing = "No changes.";
