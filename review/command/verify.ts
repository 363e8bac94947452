import { UsageError } from "../../command/argument.ts";
import { exitCodes } from "../gate/gate.ts";
import { settingsOf } from "../gate/policy.ts";
import { runRules } from "../gate/run.ts";
import { isEffective } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { redacted } from "../model/redaction.ts";
import { coverageNotes } from "../render/approval.ts";
import { type Approval, approvalOf, otherVersion } from "../report/digest.ts";
import { makeReport } from "../report/make.ts";
import type { Report } from "../report/report.ts";
import { compareReports } from "../report/since.ts";
import { onOneLine } from "../report/value.ts";
import { counted } from "../rule/fact.ts";
import { readContents, readReport } from "./input.ts";
import type { ReviewOptions } from "./option.ts";
import { writeOutputs } from "./output.ts";

/**
 * Runs `kcloud review verify`: compares plans with an approved digest, and their prior states with those of the reviewed plans.
 * Returns the exit code.
 */
export function verify(options: ReviewOptions, key: string | undefined): number {
  if (options.approved === undefined) throw new UsageError("--approved DIGEST is required");
  const { policy, policyHead, profile, failOn, previous, trustHead, detailedExitCode, rehearsals } = options;
  const [rehearsal] = rehearsals;
  if (
    (policy ?? policyHead ?? profile ?? failOn ?? previous ?? rehearsal) !== undefined ||
    trustHead ||
    detailedExitCode
  )
    throw new UsageError(
      "verify only compares plans: policy, threshold, --rehearsal and --previous are options of the review",
    );
  const plans = readContents(options).map((content, index): Plan => {
    if ("plan" in content) return content.plan;
    throw new UsageError(`${options.inputs[index]?.name} is a report: verify compares plans`);
  });
  const reviewed = options.report === undefined ? undefined : readReport(options.report);
  const approval = approvalOf(plans, key);
  const { code, reasons } = outcomeOf(redacted(plans), approval, options, reviewed);
  const line = lineOf(code, plans, reviewed !== undefined);
  if (options.outputs !== undefined) {
    const draft = makeReport(plans, { results: runRules(plans, settingsOf({})), key });
    // Findings depend on the policy, which verify does not have.
    const since =
      reviewed === undefined
        ? {}
        : { since: compareReports({ ...reviewed, findings: [] }, { ...draft, findings: [] }) };
    const verdict = { code, line, reasons, failOn: "none" };
    writeOutputs({ ...draft, ...since, verdict }, options, options.outputs);
  }
  if (code === exitCodes.ok) {
    if (options.outputs === undefined)
      process.stdout.write(`${[line, ...coverageNotes(approval)].join("\n")}\n`);
  } else if (options.outputs === undefined)
    process.stderr.write(`kcloud review: ${[line, ...reasons].join("\n  ")}\n`);
  return code;
}

interface Outcome {
  readonly code: Report["verdict"]["code"];
  /** Each a sentence or a clause; empty for the approved plan. */
  readonly reasons: string[];
}

function outcomeOf(
  plans: readonly Plan[],
  approval: Approval,
  { approved = "", requireCovered }: ReviewOptions,
  reviewed: Report | undefined,
): Outcome {
  const gaps = plans.flatMap(({ name, gaps: all }) => all.map((gap) => `${name} cannot be verified: ${gap}`));
  if (gaps.length > 0) return { code: exitCodes.notReviewable, reasons: gaps.map(onOneLine) };
  const { digest } = approval;
  const reasons = [
    ...(digest === approved
      ? []
      : [
          otherVersion(approved) ??
            `The digest of the plans is ${digest}, not the approved ${approved}: review them again.`,
        ]),
    ...(reviewed === undefined ? [] : plans.flatMap((plan) => stale(plan, reviewed))),
  ];
  if (reasons.length > 0) return { code: exitCodes.mismatch, reasons: reasons.map(onOneLine) };
  const notes = requireCovered ? coverageNotes(approval) : [];
  return { code: notes.length === 0 ? exitCodes.ok : exitCodes.notReviewable, reasons: notes };
}

/** Returns how the prior state of a plan differs from that of the reviewed plan with the same name; empty if it does not. */
function stale({ name, prior }: Plan, reviewed: Report): string[] {
  const before = reviewed.plans.find((plan) => plan.name === name)?.prior;
  if (before === undefined) return [`${name} is not in the report of the approved plans.`];
  if (before.lineage !== undefined && prior.lineage !== undefined && before.lineage !== prior.lineage)
    return [`${name} was made from another state: its lineage is ${prior.lineage}, not ${before.lineage}.`];
  if (before.serial !== undefined && prior.serial !== undefined && before.serial !== prior.serial)
    return [
      `${name}: the state changed since the review, from serial ${before.serial} to ${prior.serial}. Create a new plan and review it.`,
    ];
  return before.digest === prior.digest
    ? []
    : [`${name}: the state changed since the review. Create a new plan and review it.`];
}

function lineOf(code: number, plans: readonly Plan[], isCompared: boolean): string {
  if (code === exitCodes.notReviewable) return "A plan cannot be verified.";
  if (code === exitCodes.mismatch) return "These are not the approved plans.";
  const count = plans.reduce((sum, { changes }) => sum + changes.filter(isEffective).length, 0);
  const age = isCompared ? "" : " Their prior state was not compared: --report compares it.";
  return `These are the approved plans, with ${counted(count, "change")}.${age}`;
}
