import type { Report, ReportChange, ReportDifference, Shown } from "../report/report.ts";

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
    const text = JSON.stringify(differences.map(({ name, before, after }) => [name, before, after]));
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

const known = new WeakMap<Report, readonly Section[]>();

/** Returns the sections of a report that have changes; computed once. */
export function sectionsOf(report: Report): readonly Section[] {
  const found = known.get(report);
  if (found !== undefined) return found;
  const byAction = Map.groupBy(report.changes, ({ action }) => action);
  const made = titles.flatMap(({ action, title }) => {
    const changes = byAction.get(action) ?? [];
    return changes.length === 0 ? [] : [{ action, title, changes, folds: folded(changes) }];
  });
  known.set(report, made);
  return made;
}

/** Returns the changes that move or import an object. */
export const relocated = ({ changes }: Report): ReportChange[] =>
  changes.filter(
    ({ previousAddress, importedId }) => previousAddress !== undefined || importedId !== undefined,
  );

/** Differences of a change in the lists of outputs. */
interface Listed {
  readonly rows: readonly ReportDifference[];
  /** Names of values that only the API sets, and that are known only after the apply. */
  readonly later: readonly string[];
}

/**
 * Returns the differences that a list shows. Unknown values of a new object are omitted: a list of what is created names what is
 * given. An unknown value of an existing object can have any effect, so it is always listed.
 */
export function listedDifferences({ action, differences }: ReportChange): Listed {
  const isLater = ({ after, isComputed }: ReportDifference) =>
    after.kind === "unknown" && isComputed === true;
  return {
    rows: differences.filter(
      (difference) => !isLater(difference) && (action !== "create" || difference.after.kind !== "unknown"),
    ),
    later: action === "create" ? [] : differences.filter(isLater).map(({ name }) => name),
  };
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
      return value.cut === undefined ? value.text : `${value.text}… (${value.cut} characters)`;
  }
}

/** Returns the kind, name and id of an object. */
export function objectName({ kind, name, id, address }: ReportChange): string {
  const own = name === undefined ? address : JSON.stringify(name);
  return id === undefined ? `${kind} ${own}` : `${kind} ${own} (${id})`;
}

/** Prefixes each address with the name of its plan if the report has several plans, whose addresses may be equal. */
export function withPlanNames(report: Report): Report {
  if (report.plans.length < 2) return report;
  const named = <T extends { readonly plan: string; readonly address?: string | undefined }>(part: T): T =>
    part.address === undefined ? part : { ...part, address: placeOf(part.plan, part.address) };
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

/** Text if nothing differs from the last report. */
export const unchangedSince = "Nothing changed.";

/** Text of a report without changes. */
export const nothing = "No changes.";
