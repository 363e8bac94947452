import { outcomeCounts } from "../report/applied.ts";
import { outcomes, outcomeWords } from "../report/applied-outcome.ts";
import type { AppliedObject, Report, ReportApplied } from "../report/report.ts";
import { counted } from "../rule/fact.ts";
import { exitCodes } from "./gate.ts";

/** Verdict of a report after the apply. */

/** Maximum number of objects that the reasons name. */
const mostNamed = 10;

/** Adds what the applies did, and the verdict on it, to the report of the review. */
export function decideApplied(report: Report, applied: ReportApplied): Report {
  const { plans, objects, review } = applied;
  const counts = outcomeCounts(applied);
  const bad = objects.filter(({ outcome }) => outcome !== "done");
  const withoutState = plans.filter(
    ({ name, hasState }) =>
      !hasState && objects.some(({ plan, outcome }) => plan === name && outcome === "failed"),
  );
  const problems = [
    ...(review.code === exitCodes.ok ? [] : [`The review of what was applied did not pass: ${review.line}`]),
    ...plans.flatMap((plan) => plan.problems),
    ...withoutState.map(
      ({ name }) => `${name} has no state after the apply: it cannot be known what exists now.`,
    ),
  ];
  const isOther = problems.length + counts.other + counts.unknown > 0;
  const isIncomplete = counts.failed + counts["not reached"] > 0 || plans.some(({ end }) => end === "failed");
  const placeOf = ({ plan, address }: AppliedObject): string =>
    plans.length > 1 ? `${plan}: ${address}` : address;
  const uncompared = plans.reduce((sum, plan) => sum + plan.uncomparedValues, 0);
  const parts = outcomes
    .filter((outcome) => outcome === "done" || counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`);
  return {
    ...report,
    applied,
    verdict: {
      code: isOther ? exitCodes.otherThanPlanned : isIncomplete ? exitCodes.incomplete : exitCodes.ok,
      line: `Applied: ${parts.join(", ")}.`,
      reasons: [
        ...problems,
        ...bad
          .slice(0, mostNamed)
          .map((object) => `${placeOf(object)}: ${outcomeWords[object.outcome]}. ${object.text}`.trim()),
        ...(bad.length > mostNamed
          ? [`${bad.length - mostNamed} more objects are not done as planned.`]
          : []),
        ...plans.flatMap((plan) => plan.errors.map((text) => `Error of ${plan.name}: ${text}`)),
        ...(uncompared === 0
          ? []
          : [`Not compared, since sensitive or unknown: ${counted(uncompared, "planned value")}.`]),
        ...plans.flatMap(({ name, next }) =>
          next.map((text) => (plans.length > 1 ? `Next for ${name}: ${text}` : `Next: ${text}`)),
        ),
      ],
      failOn: review.failOn,
    },
  };
}
