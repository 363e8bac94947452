import { createHash } from "node:crypto";
import type { Draft } from "../report/make.ts";
import { unredactedAddress } from "../report/make.ts";
import type { Counts, Report, ReportFinding } from "../report/report.ts";
import { visible } from "../report/value.ts";
import { counted } from "../rule/fact.ts";
import { type RuleDescription, type Severity, severities } from "../rule/rule.ts";
import { changedOutside } from "./drift.ts";
import { type FailOn, type Policy, PolicyError, type Profile, type Waiver, waives } from "./policy.ts";

/** Exit codes of the command; a code never changes its meaning. */
export const exitCodes = {
  ok: 0,
  /** Invalid usage, or an input, policy or rule that cannot be read or run. */
  error: 1,
  /** As `ok`, but there are changes; with `--detailed-exitcode` only. */
  changes: 2,
  /** A finding at or above the threshold. */
  blocked: 3,
  /** A plan that cannot be reviewed, or a rehearsal that cannot be used. */
  notReviewable: 4,
  /** `verify` only: the digest is not the approved one, or the plan is stale. */
  mismatch: 5,
  /** `post` only: the host did not accept the report, or only a part of it. */
  notPosted: 6,
  /** `applied` only: an object failed or was not reached. */
  incomplete: 7,
  /** `applied` only: something other than planned happened, or it cannot be known. */
  otherThanPlanned: 8,
} as const;

const expired = {
  id: "META-06",
  title: "A waiver has expired",
  severity: "medium",
  confidence: "proven",
  about:
    "A waiver of the policy matches a finding, but its last day is in the past. The finding counts again.",
  remedy: "Remove the waiver, or renew it with a reason.",
} as const satisfies RuleDescription;

/** Rules that the gate applies itself: they are about the policy, and about drift. */
export const gateRules: readonly RuleDescription[] = [expired, changedOutside];

/** Rules of earlier versions, which a policy may still name. */
const retired = ["OPS-08"];

/** Throws `PolicyError` if a policy names an unknown rule: a misspelt id would have no effect. */
export function checkRuleIds(
  { waivers = [], profiles = {} }: Policy,
  rules: readonly { id: string }[],
): void {
  const known = new Set([...rules.map(({ id }) => id), ...retired]);
  const named = [
    ...waivers.map(({ rule }) => rule),
    ...Object.values(profiles).flatMap(({ severity = {} }) => Object.keys(severity)),
  ];
  const unknown = named.find((id) => !known.has(id));
  if (unknown !== undefined) throw new PolicyError(`the policy names an unknown rule: ${unknown}`);
}

/** Settings of the gate. */
export interface GateOptions {
  readonly policy: Policy;
  readonly profile: Profile;
  readonly failOn: FailOn;
  /** Today, as in `2027-01-31`. A waiver applies up to and including its last day. */
  readonly today: string;
  /** Sentences on files that cannot be used, such as a rehearsal of another plan: the review is then not complete. */
  readonly problems?: readonly string[];
}

/** Applies severities and waivers of the policy, and adds the verdict. */
export function decide(draft: Draft, { policy, profile, failOn, today, problems = [] }: GateOptions): Report {
  const { waivers = [] } = policy;
  const renewals: ReportFinding[] = [];
  const findings = draft.findings.flatMap((finding): ReportFinding[] => {
    const severity = profile.severity?.[finding.rule] ?? finding.severity;
    if (severity === "off") return [];
    const matching = waivers.filter((waiver) => waives(waiver, finding, unredactedAddress(finding)));
    const valid = matching.find(({ until }) => until >= today);
    const [old] = matching;
    if (valid === undefined && old !== undefined) renewals.push(expiredFinding(finding, old));
    const { owner, reason, until } = valid ?? {};
    const waiver =
      owner === undefined || reason === undefined || until === undefined
        ? {}
        : { waiver: { owner: visible(owner), reason: visible(reason), until } };
    return [{ ...finding, severity, ...waiver }];
  });
  const ownSeverity = profile.severity?.[expired.id] ?? expired.severity;
  const expiries = ownSeverity === "off" ? [] : renewals.map((one) => ({ ...one, severity: ownSeverity }));
  const all = [...findings, ...expiries].toSorted(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
  );
  const blocking = all.filter(
    (finding) =>
      finding.waiver === undefined &&
      isAtLeast(finding.severity, failOn) &&
      (finding.drift !== "untouched" || profile.failOnDrift === true),
  );
  const gaps = draft.plans.filter((plan) => plan.gaps.length > 0);
  const reasons = [
    ...problems,
    ...gaps.map(({ name, gaps: [first, ...more] }) => {
      const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
      return `${name} cannot be reviewed: ${first}${rest}`;
    }),
    ...(blocking.length === 0
      ? []
      : [
          `${counted(blocking.length, "finding")} of severity ${failOn === severities[0] ? failOn : `${failOn} or worse`}`,
        ]),
  ];
  const code =
    gaps.length + problems.length > 0
      ? exitCodes.notReviewable
      : blocking.length > 0
        ? exitCodes.blocked
        : exitCodes.ok;
  const { counts, drift, plans } = draft;
  return {
    ...draft,
    findings: all,
    verdict: { code, line: lineOf(plans.length, counts, all, drift), reasons, failOn },
  };
}

/** Returns true if a severity is at least as bad as the threshold. */
export const isAtLeast = (severity: ReportFinding["severity"], threshold: FailOn): boolean =>
  threshold !== "none" && severities.indexOf(severity) <= severities.indexOf(threshold);

/** Returns the finding about an expired waiver of another finding. */
const expiredFinding = (finding: ReportFinding, { owner, until }: Waiver): ReportFinding => ({
  ...finding,
  fingerprint: createHash("sha256").update(`expired ${finding.fingerprint}`).digest("hex"),
  rule: expired.id,
  title: expired.title,
  severity: expired.severity as Severity,
  confidence: expired.confidence,
  text: `The waiver of ${finding.rule} for ${finding.address ?? finding.plan} by ${visible(owner)} ended on ${until}.`,
  remedy: expired.remedy,
});

function lineOf(
  plans: number,
  counts: Counts,
  findings: readonly ReportFinding[],
  drift: Report["drift"],
): string {
  const effects = (["create", "update", "replace", "delete", "forget", "move", "import"] as const)
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${name}`);
  const open = findings.filter(({ waiver }) => waiver === undefined);
  const worst = severities
    .map((severity) => ({ severity, count: open.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`);
  const waived = findings.length - open.length;
  return [
    counted(plans, "plan"),
    effects.length === 0 ? "no changes" : effects.join(", "),
    worst.length === 0 ? "no findings" : `findings: ${worst.join(", ")}`,
    ...(waived > 0 ? [`${waived} waived`] : []),
    `drift: ${drift.reduce((sum, { count }) => sum + count, 0)}`,
  ].join(" · ");
}
