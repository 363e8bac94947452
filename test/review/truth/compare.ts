import { settingsOf } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import type { Plan } from "../../../review/model/plan.ts";
import { readPlan } from "../../../review/read/read.ts";
import { makeReport } from "../../../review/report/make.ts";
import type { ReportFinding } from "../../../review/report/report.ts";
import { type ClassName, classes, classNames, markdownTable } from "./class.ts";
import { type Form, forms } from "./program.ts";
import type { RecordedEdit } from "./record.ts";

/** Compares the findings of the review with the effects of the apply, per object. */

/** Result for one object and one danger. */
export interface Outcome {
  readonly seed: number;
  readonly engine: string;
  readonly danger: ClassName;
  /** Name of the object in the stack. */
  readonly name: string;
  /** Form in which the plan shows the values that decide. */
  readonly form: Form;
  /** True if the plan shows what happens, so that a finding must be proven; otherwise a likely one is as good. */
  readonly isDecided: boolean;
  /** True if the danger happened. */
  readonly happened: boolean;
  /** Best confidence with which a finding reported the danger; undefined without a finding. */
  readonly announced: ReportFinding["confidence"] | undefined;
  /** Reason why no plan can show the danger. */
  readonly hidden?: string;
}

/** Returns the name in the stack of the object with an address of Terraform or Pulumi. */
const nameOf = (address: string): string => address.split("::").at(-1)?.split(".").at(-1) ?? address;

/** Returns the name of the action, the output or the object that a finding is about; undefined if the class is of others. */
function subjectOf(
  { address = "", text }: ReportFinding,
  isOf: "actions" | "outputs" | undefined,
): string | undefined {
  if (isOf === "actions") return / runs action\.\w+\.(\w+)/.exec(text)?.[1];
  const [kind] = address.split(".");
  return address === "" || kind === "action" || (kind === "output" && isOf !== "outputs")
    ? undefined
    : nameOf(address);
}

const confidences: readonly ReportFinding["confidence"][] = ["proven", "likely", "needs a live check"];

/** Returns the findings about a plan, without the places where a program declares its objects. */
export const findingsOf = (plan: Plan): readonly ReportFinding[] =>
  makeReport([plan], { results: runRules([plan], settingsOf({})) }).findings.map(
    ({ source: _, ...finding }) => finding,
  );

/** Reviews the plan of an edit as `kcloud review` does, and compares. */
export function outcomesOf(edit: RecordedEdit): Outcome[] {
  const { seed, engine, plan: text, witnesses, hidden } = edit;
  const plan = readPlan(engine, text);
  const findings = findingsOf(plan);
  const changed = plan.changes.filter(({ action }) => action !== "none" && action !== "read");
  const deleted = new Set(
    changed.filter(({ action }) => action === "delete").map(({ address }) => nameOf(address)),
  );
  const kindOf = new Map(
    plan.changes.map(({ address, resource }) => [nameOf(address), resource?.name ?? ""]),
  );
  const outputs = plan.outputs.map(({ name }) => name);
  return classNames.flatMap((danger) => {
    const { kinds, rules, isOfSurvivors, isOf, neverProven = [] } = classes[danger];
    const own = findings.filter(({ rule, severity, drift }) => {
      const severities = rules[rule];
      return drift === undefined && (severities === "any" || severities?.includes(severity));
    });
    const announced = Map.groupBy(own, (finding) => subjectOf(finding, isOf));
    const names = new Set([
      ...changed
        .filter(({ resource }) => kinds.includes(resource?.name ?? ""))
        .map(({ address }) => nameOf(address)),
      ...(isOf === "outputs" ? outputs : isOf === "actions" ? edit.actions : []),
      ...Object.keys(witnesses).filter((name) => witnesses[name]?.[danger] === "hit"),
      // No danger is defined for the objects of other providers, which conceal values.
      ...[...announced.keys()].filter(
        (name): name is string => name !== undefined && kindOf.get(name) !== "",
      ),
    ]);
    return [...names].flatMap((name): Outcome[] => {
      const witness = witnesses[name]?.[danger];
      if (witness === "shared" || (isOfSurvivors && deleted.has(name))) return [];
      const found = announced.get(name) ?? [];
      const best = confidences.find((confidence) => found.some((one) => one.confidence === confidence));
      const reason = hidden[name]?.[danger];
      const form = edit.forms[name] ?? "known";
      const kind = outputs.includes(name) ? "output" : (kindOf.get(name) ?? "");
      return [
        {
          ...{ seed, engine, danger, name, form, happened: witness === "hit", announced: best },
          // A preview of Pulumi masks sensitive values.
          isDecided:
            form !== "unknown" && (form === "known" || engine !== "pulumi") && !neverProven.includes(kind),
          ...(reason === undefined ? {} : { hidden: reason }),
        },
      ];
    });
  });
}

/** Returns true if a finding reported the danger as surely as the plan shows it. */
export const isFound = ({ announced, isDecided }: Outcome): boolean =>
  announced === "proven" || (announced === "likely" && !isDecided);

/** Returns true for a danger that happened and that no plan can show. */
export const isHidden = (one: Outcome): boolean => one.happened && !isFound(one) && one.hidden !== undefined;

/** Counts by the form of the values that decide. */
type Counts = Readonly<Record<Form, number>>;

/** Counts of one class. */
export interface Row {
  readonly danger: ClassName;
  /** Objects to which the danger happened, without those for which no plan can show it. */
  readonly positives: Counts;
  /** Changed objects of the danger's kinds to which it did not happen. */
  readonly negatives: Counts;
  /** Objects to which the danger happened without a finding, or without a proven one if the plan shows it. */
  readonly missed: Counts;
  /** Shares of the proven findings that came true, and of the dangers that a plan shows that were found. */
  readonly proven: { readonly precision: number; readonly recall: number };
  /** The same of likely findings, and of the dangers that depend on a value which no rule can read. */
  readonly likely: { readonly precision: number; readonly recall: number };
  /** Proven findings about objects to which the danger did not happen. */
  readonly falsePositives: number;
  /** Objects to which the danger happened although no plan can show it. */
  readonly hidden: number;
}

/** Returns the counts of each class. */
export const tableOf = (outcomes: readonly Outcome[]): Row[] =>
  classNames.map((danger) => {
    const all = outcomes.filter((one) => one.danger === danger);
    const counted = all.filter((one) => !isHidden(one));
    const count = (isCounted: (one: Outcome) => boolean): Counts =>
      Object.fromEntries(
        forms.map((form) => [form, counted.filter((one) => one.form === form && isCounted(one)).length]),
      ) as Counts;
    const share = (of: readonly Outcome[], isCounted: (one: Outcome) => boolean): number =>
      of.filter(isCounted).length / of.length;
    const happened = counted.filter((one) => one.happened);
    const found = (confidence: Outcome["announced"]) =>
      all.filter(({ announced }) => announced === confidence);
    return {
      danger,
      positives: count((one) => one.happened),
      negatives: count((one) => !one.happened),
      missed: count((one) => one.happened && !isFound(one)),
      proven: {
        precision: share(found("proven"), (one) => one.happened),
        recall: share(
          happened.filter(({ isDecided }) => isDecided),
          isFound,
        ),
      },
      likely: {
        precision: share(found("likely"), (one) => one.happened),
        recall: share(
          happened.filter(({ isDecided }) => !isDecided),
          isFound,
        ),
      },
      falsePositives: found("proven").filter((one) => !one.happened).length,
      hidden: all.length - counted.length,
    };
  });

export const sumOf = (counts: Counts): number => forms.reduce((sum, form) => sum + counts[form], 0);

const shownShare = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(3));
const shownCounts = (counts: Counts): string => forms.map((form) => counts[form]).join(" · ");

/** Returns the table as Markdown. */
export const markdownOf = (rows: readonly Row[]): string =>
  markdownTable(
    [
      ...["danger", "happened", "did not", "missed", "false", "precision", "recall"],
      ...["likely: precision", "likely: recall", "not in the plan"],
    ],
    rows.map((row) =>
      [
        ...[classes[row.danger].title, shownCounts(row.positives), shownCounts(row.negatives)],
        ...[shownCounts(row.missed), row.falsePositives],
        ...[row.proven, row.likely].flatMap(({ precision, recall }) => [precision, recall].map(shownShare)),
        row.hidden,
      ].map(String),
    ),
  );
