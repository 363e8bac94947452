import { settingsOf } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import { readPlan } from "../../../review/read/read.ts";
import { makeReport } from "../../../review/report/make.ts";
import type { ReportFinding } from "../../../review/report/report.ts";
import { type ClassName, classes, classNames, markdownTable } from "./class.ts";
import type { RecordedEdit } from "./record.ts";

/** Compares the findings of the review with the effects of the apply, per object. */

/** Result for one object and one danger. */
export interface Outcome {
  readonly seed: number;
  readonly engine: string;
  readonly danger: ClassName;
  /** Name of the object in the stack. */
  readonly name: string;
  /** True if the danger happened. */
  readonly happened: boolean;
  /** Best confidence with which a finding reported the danger; undefined without a finding. */
  readonly announced: ReportFinding["confidence"] | undefined;
  /** Reason why no plan can show the danger. */
  readonly hidden?: string;
}

/** Returns the name in the stack of the object with an address of Terraform or Pulumi. */
const nameOf = (address: string): string => address.split("::").at(-1)?.split(".").at(-1) ?? address;

const confidences: readonly ReportFinding["confidence"][] = ["proven", "likely", "needs a live check"];

/** Reviews the plan of an edit as `kcloud review` does, and compares. */
export function outcomesOf({ seed, engine, plan: text, witnesses, hidden }: RecordedEdit): Outcome[] {
  const plan = readPlan(engine, text);
  const { findings } = makeReport([plan], { results: runRules([plan], settingsOf({})) });
  const changed = plan.changes.filter(({ action }) => action !== "none" && action !== "read");
  const deleted = new Set(
    changed.filter(({ action }) => action === "delete").map(({ address }) => nameOf(address)),
  );
  return classNames.flatMap((danger) => {
    const { kinds, rules, isOfSurvivors } = classes[danger];
    const own = findings.filter(({ rule, severity, address, drift }) => {
      const severities = rules[rule];
      return (
        drift === undefined &&
        address !== undefined &&
        (severities === "any" || severities?.includes(severity))
      );
    });
    const announced = Map.groupBy(own, ({ address = "" }) => nameOf(address));
    const names = new Set([
      ...changed
        .filter(({ resource }) => kinds.includes(resource?.name ?? ""))
        .map(({ address }) => nameOf(address)),
      ...Object.keys(witnesses).filter((name) => witnesses[name]?.[danger] === "hit"),
      ...announced.keys(),
    ]);
    return [...names].flatMap((name): Outcome[] => {
      const witness = witnesses[name]?.[danger];
      if (witness === "shared" || (isOfSurvivors && deleted.has(name))) return [];
      const found = announced.get(name) ?? [];
      const best = confidences.find((confidence) => found.some((one) => one.confidence === confidence));
      const reason = hidden[name]?.[danger];
      return [
        {
          ...{ seed, engine, danger, name, happened: witness === "hit", announced: best },
          ...(reason === undefined ? {} : { hidden: reason }),
        },
      ];
    });
  });
}

/** Counts of one class. */
export interface Row {
  readonly danger: ClassName;
  /** Objects to which the danger happened, without those for which no plan can show it. */
  readonly positives: number;
  /** Changed objects of the danger's kinds to which it did not happen. */
  readonly negatives: number;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  /** Findings that are likely or need a live check, by whether the danger happened. */
  readonly likely: { readonly happened: number; readonly not: number };
  /** Objects to which the danger happened although no plan can show it, by reason. */
  readonly hidden: Readonly<Record<string, number>>;
}

/** Returns the counts of each class. */
export const tableOf = (outcomes: readonly Outcome[]): Row[] =>
  classNames.map((danger) => {
    const all = outcomes.filter((one) => one.danger === danger);
    const isHidden = (one: Outcome) => one.happened && one.announced !== "proven" && one.hidden !== undefined;
    const counted = all.filter((one) => !isHidden(one));
    const count = (happened: boolean, isProven: boolean) =>
      counted.filter((one) => one.happened === happened && (one.announced === "proven") === isProven).length;
    const likely = all.filter(({ announced }) => announced !== undefined && announced !== "proven");
    const reasons = Map.groupBy(all.filter(isHidden), (one) => one.hidden ?? "");
    return {
      danger,
      positives: count(true, true) + count(true, false),
      negatives: count(false, true) + count(false, false),
      truePositives: count(true, true),
      falsePositives: count(false, true),
      falseNegatives: count(true, false),
      likely: {
        happened: likely.filter(({ happened }) => happened).length,
        not: likely.filter(({ happened }) => !happened).length,
      },
      hidden: Object.fromEntries([...reasons].map(([reason, found]) => [reason, found.length])),
    };
  });

export const precisionOf = ({ truePositives, falsePositives }: Row): number =>
  truePositives / (truePositives + falsePositives);
export const recallOf = ({ truePositives, positives }: Row): number => truePositives / positives;

const share = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(3));

/** Returns the table as Markdown. */
export const markdownOf = (rows: readonly Row[]): string =>
  markdownTable(
    [
      ...["danger", "happened", "did not", "found", "missed", "false", "precision", "recall"],
      ...["not proven: true / false", "not in the plan"],
    ],
    rows.map((row) =>
      [
        classes[row.danger].title,
        row.positives,
        row.negatives,
        row.truePositives,
        row.falseNegatives,
        row.falsePositives,
        share(precisionOf(row)),
        share(recallOf(row)),
        `${row.likely.happened} / ${row.likely.not}`,
        Object.values(row.hidden).reduce((sum, one) => sum + one, 0),
      ].map(String),
    ),
  );
