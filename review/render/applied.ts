import { createHash } from "node:crypto";
import { productOf } from "../model/change.ts";
import { outcomeWords, worstFirst } from "../report/applied-outcome.ts";
import type { AppliedObject, AppliedPlan, Report, ReportApplied, ReportFinding } from "../report/report.ts";
import { counted } from "../rule/fact.ts";
import { placeOf } from "./fold.ts";
import { codeElement, escapedHtml, listOf } from "./markup.ts";

/** What an apply did, as the outputs show it. */

const ends = {
  succeeded: "the apply succeeded",
  failed: "the apply failed",
  unknown: "the end of the apply is not known",
} as const;

/** Returns the engine, the end of the apply and the compared values of a plan in one sentence. */
export function appliedPlanText({
  name,
  engine,
  engineVersion,
  end,
  hasState,
  comparedValues,
  uncomparedValues,
}: AppliedPlan): string {
  const version = engineVersion === undefined ? "" : ` ${engineVersion}`;
  const values =
    comparedValues + uncomparedValues === 0
      ? ""
      : `; ${counted(comparedValues, "planned value")} compared, ${uncomparedValues} not`;
  const state = hasState ? "compared with the state after it" : "without a state";
  return `${name}: ${productOf[engine]}${version}, ${ends[end]}, ${state}${values}.`;
}

/** Returns the objects that are not done as planned, the worst first. */
export const notDone = ({ objects }: ReportApplied): AppliedObject[] =>
  objects.filter(({ outcome }) => outcome !== "done");

/** Table of the objects by planned effect and outcome: rows of a word and a number for each column. */
export interface OutcomeTable {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly effect: string; readonly counts: readonly number[] }[];
}

/** Returns the table of the outcomes; it has only the rows and columns that have an object. */
export function outcomeTable({ objects }: ReportApplied): OutcomeTable {
  const used = worstFirst.filter((outcome) => objects.some((object) => object.outcome === outcome));
  const effects = Map.groupBy(objects, ({ planned }) => planned);
  return {
    columns: used.map((outcome) => outcomeWords[outcome]),
    rows: [...effects]
      .map(([effect, all]) => ({
        effect: effectWords[effect],
        counts: used.map((outcome) => all.filter((object) => object.outcome === outcome).length),
      }))
      .toSorted((a, b) => (a.effect < b.effect ? -1 : 1)),
  };
}

const effectWords = {
  ...{ create: "create", update: "update", replace: "replace", delete: "delete", forget: "forget" },
  ...{ import: "import", move: "move", unprotect: "unprotect", invoke: "invoke", none: "not planned" },
} as const satisfies Record<AppliedObject["planned"], string>;

/** Returns what was planned for an object, and its steps: `replace (delete done, create failed)`. */
export function stepsText({ planned, steps }: AppliedObject): string {
  const done = steps.map(({ action, result }) => `${action} ${result === "open" ? "not ended" : result}`);
  return `${effectWords[planned]}${done.length === 0 ? "" : ` (${done.join(", ")})`}`;
}

/** Returns an address with the name of its plan, if a report has several. */
export const appliedPlace = ({ plan, address }: AppliedObject, { plans }: ReportApplied): string =>
  plans.length > 1 ? placeOf(plan, address) : address;

/** Returns a sentence on the error and warning texts that are left out; empty if there are none. */
export const omittedErrorsText = ({ omittedErrors }: ReportApplied): string =>
  omittedErrors === 0 ? "" : `${counted(omittedErrors, "more message")} of the engine left out.`;

/** Returns the warnings of the engines. */
export const warningsIn = ({ plans }: ReportApplied): string[] =>
  plans.flatMap(({ name, warnings }) => warnings.map((text) => `${name}: ${text}`));

/** Maximum number of objects in the markup of the page. */
const mostRows = 2_000;

/** Returns what the apply did as markup. */
export function appliedContent(
  applied: ReportApplied,
  shown: (plan: string, address: string) => string,
): string {
  const { columns, rows } = outcomeTable(applied);
  const bad = notDone(applied);
  const rest = bad.length - mostRows;
  const counts = `<table class="outcomes"><thead><tr>${["Planned", ...columns].map((title) => `<th scope="col">${title}</th>`).join("")}</tr></thead>
<tbody>${rows.map(({ effect, counts: numbers }) => `<tr><th scope="row">${effect}</th>${numbers.map((count) => `<td>${count}</td>`).join("")}</tr>`).join("\n")}</tbody></table>`;
  const objects = bad.slice(0, mostRows).map((object) => {
    const { plan, address, outcome, text, errors, id } = object;
    const identifier = id === undefined ? "" : `<br><code class="soft">${escapedHtml(id)}</code>`;
    return `<tr><td><strong>${outcomeWords[outcome]}</strong></td><td>${shown(plan, address)}${identifier}</td><td>${escapedHtml(stepsText(object))}</td><td>${escapedHtml(text)}${listOf(errors)}</td></tr>`;
  });
  const table =
    objects.length === 0
      ? ""
      : `<table class="destroyed applied"><thead><tr>${["Outcome", "Object", "Planned", "Now"].map((title) => `<th scope="col">${title}</th>`).join("")}</tr></thead>
<tbody>${objects.join("\n")}</tbody></table>${rest > 0 ? `<p>and ${rest} more</p>` : ""}`;
  const errors = applied.plans.flatMap(({ name, errors: texts }) => texts.map((text) => `${name}: ${text}`));
  const next = applied.plans.flatMap(({ name, next: texts }) => texts.map((text) => `${name}: ${text}`));
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? "" : `<h3>${title}</h3>${listOf(lines)}`;
  return [
    listOf(applied.plans.map(appliedPlanText)),
    rows.length === 0 ? "" : counts,
    table,
    list("Errors of the engine", errors),
    list("Warnings of the engine", [...warningsIn(applied), omittedErrorsText(applied)].filter(Boolean)),
    list("Next", next),
    `<p class="soft">Review: ${codeElement(applied.review.line)}</p>`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const findings = {
  other: { rule: "APPLY-01", severity: "critical", title: "The apply did something else than planned" },
  unknown: { rule: "APPLY-02", severity: "critical", title: "It cannot be known what the apply did" },
  failed: { rule: "APPLY-03", severity: "high", title: "The apply failed" },
  "not reached": { rule: "APPLY-04", severity: "medium", title: "The apply did not reach the object" },
} as const;

/**
 * Returns a report whose findings begin with what the apply did not do as planned, for hosts that show findings only. Other reports
 * stay as they are.
 */
export const withApplyFindings = (report: Report): Report =>
  report.applied === undefined
    ? report
    : { ...report, findings: [...applyFindings(report, report.applied), ...report.findings] };

/** Returns what the apply did not do as planned as findings. */
export function applyFindings({ changes }: Report, applied: ReportApplied): ReportFinding[] {
  const sources = new Map(
    changes.flatMap(({ plan, address, source }) =>
      source === undefined ? [] : [[`${plan} ${address}`, source] as const],
    ),
  );
  const next = new Map(applied.plans.map(({ name, next: texts }) => [name, texts.join(" ")]));
  const finding = (
    { rule, severity, title }: (typeof findings)[keyof typeof findings],
    { plan, address, text }: { plan: string; address: string; text: string },
  ): ReportFinding => {
    const source = sources.get(`${plan} ${address}`);
    return {
      fingerprint: createHash("sha256")
        .update(JSON.stringify([rule, plan, address, address === plan ? text : ""]))
        .digest("hex"),
      ...{ rule, title, severity, confidence: "proven", plan, address, text },
      remedy: next.get(plan) ?? "",
      ...(source === undefined ? {} : { source }),
    };
  };
  const ofPlans = applied.plans.flatMap(({ name, problems, errors }) => [
    ...problems.map((text) => finding(findings.unknown, { plan: name, address: name, text })),
    ...errors.map((text) => finding(findings.failed, { plan: name, address: name, text })),
  ]);
  const ofObjects = notDone(applied).flatMap((object) => {
    const { plan, address, outcome, text, errors } = object;
    if (outcome === "done") return [];
    const what = `${address}, ${stepsText(object)}: ${outcomeWords[outcome]}.`;
    return [
      finding(findings[outcome], { plan, address, text: [what, text, ...errors].filter(Boolean).join(" ") }),
    ];
  });
  return [...ofPlans, ...ofObjects];
}
