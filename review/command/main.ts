import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkPositionals, parseArguments, UsageError } from "../../command/argument.ts";
import { explain as explainError, InputError } from "../../provider/core/error.ts";
import { describeCustomRules, runCustomRules } from "../custom-rule/custom-rule.ts";
import { checkRuleIds, decide, exitCodes, gateRules } from "../gate/gate.ts";
import { checkWaivers, PolicyError, profileOf, settingsOf, type Waiver, waives } from "../gate/policy.ts";
import { type PolicyFolder, policyChanges, readPolicyFolder } from "../gate/policy-folder.ts";
import { runRules } from "../gate/run.ts";
import { waive } from "../gate/waive.ts";
import { type Plan, sortedPlans } from "../model/plan.ts";
import { redacted } from "../model/redaction.ts";
import { NotReviewableError, UnreadableError } from "../read/read.ts";
import { makeReport } from "../report/make.ts";
import type { Report } from "../report/report.ts";
import { compareReports } from "../report/since.ts";
import { onOneLine } from "../report/value.ts";
import { rules as builtIn } from "../rule/catalogue.ts";
import { explanationOf, ruleLines } from "../rule/explanation.ts";
import type { RuleDescription } from "../rule/rule.ts";
import { reportApplied } from "./applied.ts";
import { isTooDeep, readContents, readReport } from "./input.ts";
import {
  explainOptions,
  parseOptions,
  type ReportOptions,
  type ReviewOptions,
  waiverOptions,
} from "./option.ts";
import { writeOutputs } from "./output.ts";
import { postReport } from "./post.ts";
import { noRehearsals, type Rehearsals, readRehearsals } from "./rehearsal.ts";
import { verify } from "./verify.ts";

/** `kcloud review`: reads plans, applies rules and gate, writes the outputs. Returns the exit code. */
export async function reviewMain(args: readonly string[]): Promise<number> {
  const [first = "", ...rest] = args;
  return withExitCode("review", async () => {
    if (first === "explain") return explain(rest);
    if (first === "waive") return waiveRule(rest);
    if (first === "post") return postReport(rest);
    if (first === "applied") return reportApplied(rest);
    if (first === "verify") return verify(parseOptions(rest), keyOf());
    return review(parseOptions(args));
  });
}

/** Runs the work of a command that reads inputs of a review. Reports an expected error, and returns its exit code. */
export async function withExitCode(command: string, work: () => Promise<number>): Promise<number> {
  const fail = (message: string, code: number): number => {
    process.stderr.write(`kcloud ${command}: ${message}\n`);
    return code;
  };
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotReviewableError) return fail(onOneLine(error.message), exitCodes.notReviewable);
    if (error instanceof UsageError)
      return fail(`${error.message}; see kcloud ${command} --help`, exitCodes.error);
    if (error instanceof UnreadableError || error instanceof PolicyError)
      return fail(onOneLine(error.message), exitCodes.error);
    if (error instanceof InputError) return fail(onOneLine(explainError(error).detail), exitCodes.error);
    if (isTooDeep(error)) return fail("an input is nested too deeply", exitCodes.error);
    throw error;
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCodes.ok;
}

const today = (): string => new Date().toISOString().slice(0, 10);

const keyOf = (): string | undefined => process.env.KCLOUD_REVIEW_KEY || undefined;

async function review(options: ReviewOptions): Promise<number> {
  if (options.approved !== undefined || options.report !== undefined || options.requireCovered)
    throw new UsageError("--approved, --report and --require-covered are options of kcloud review verify");
  const contents = readContents(options);
  const [report] = contents.flatMap((content) => ("report" in content ? [content.report] : []));
  if (report === undefined) {
    const plans = contents.flatMap((content) => ("plan" in content ? [content.plan] : []));
    return finish(await reportOf(plans, options, readRehearsals(options.rehearsals, plans)), options);
  }
  if (contents.length > 1) throw new UsageError("a JSON report must be the only input");
  const decided = (["policy", "policyHead", "profile", "failOn"] as const).find(
    (name) => options[name] !== undefined,
  );
  if (decided !== undefined || options.trustHead || options.roots.length + options.rehearsals.length > 0)
    throw new UsageError(
      "policy, profile, threshold, root and rehearsals are those of the JSON report: pass the plans to change them",
    );
  return finish(report, options);
}

/** Writes the outputs of a report. Returns the exit code. */
export function finish(report: Report, options: ReportOptions): number {
  const previous = options.previous === undefined ? undefined : readReport(options.previous);
  const since = previous === undefined ? undefined : compareReports(previous, report);
  writeOutputs(
    since === undefined ? report : { ...report, since },
    options,
    options.outputs ?? [{ format: "text", path: undefined }],
  );
  const { code } = report.verdict;
  const hasChanges =
    report.changes.length > 0 ||
    report.outputs.length > 0 ||
    report.invocations.length > 0 ||
    (options.judgesDrift === true && report.drift.length > 0);
  return code === exitCodes.ok && options.detailedExitCode && hasChanges ? exitCodes.changes : code;
}

/** Reviews plans with their rehearsals under the policy in force, and lists how the policy of the reviewed revision differs from it. */
export async function reportOf(
  inputs: readonly Plan[],
  options: ReportOptions,
  { rehearsals, problems }: Rehearsals = noRehearsals,
): Promise<Report> {
  const plans = sortedPlans(inputs);
  const base = options.policy === undefined ? nothing : readPolicyFolder(options.policy);
  const head =
    options.policyHead === undefined ? undefined : headFolder(options.policyHead, options.trustHead);
  const lines = head === undefined ? [] : typeof head === "string" ? [head] : policyChanges(base, head);
  const inForce = options.trustHead && head !== undefined && typeof head !== "string" ? head : base;
  const profile = profileOf(inForce.policy, options.profile);
  const settings = settingsOf(profile);
  const custom = await runCustomRules(inForce.rules, redacted(plans), settings);
  checkWaivers(inForce.policy, today());
  checkRuleIds(inForce.policy, [...builtIn, ...gateRules, ...custom.map(({ rule }) => rule)]);
  const draft = makeReport(plans, {
    results: runRules(plans, settings, { custom, rehearsals }),
    key: keyOf(),
    policyChanges: { trusted: options.trustHead, lines: shortened(lines) },
  });
  return decide(draft, {
    policy: inForce.policy,
    profile: options.judgesDrift ? { ...profile, failOnDrift: true } : profile,
    failOn: options.failOn ?? profile.failOn ?? "critical",
    today: today(),
    problems,
  });
}

/**
 * Maximum number of policy changes in a report, and of characters of each. Both are limited because the reviewed revision
 * controls them.
 */
const [mostLines, longestLine] = [20, 300];

function shortened(lines: readonly string[]): string[] {
  const shown = lines.slice(0, mostLines).map((line) => {
    const text = onOneLine(line);
    return text.length > longestLine
      ? `${text.slice(0, longestLine).toWellFormed()}… (${text.length} characters)`
      : text;
  });
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `And ${rest} more changes.`] : shown;
}

const nothing: PolicyFolder = { policy: {}, rules: [] };

/**
 * Returns the policy of the reviewed revision. If it cannot be read and is only compared, returns a sentence with the error.
 */
function headFolder(folder: string, isTrusted: boolean): PolicyFolder | string {
  try {
    return readPolicyFolder(folder);
  } catch (error) {
    if (!(error instanceof PolicyError) || isTrusted) throw error;
    return `The policy of this revision cannot be read: ${error.message}.`;
  }
}

/** Returns the rules that a waiver may name: the built-in ones, and those of the folder. */
async function knownRules(folder: string | undefined): Promise<readonly RuleDescription[]> {
  const custom = folder === undefined ? [] : await describeCustomRules(readPolicyFolder(folder).rules);
  return [...builtIn, ...gateRules, ...custom.map(({ rule }) => rule)].toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  );
}

async function explain(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(explainOptions, args);
  checkPositionals(positionals, 1);
  const [id] = positionals;
  const known = await knownRules(values.policy);
  if (id === undefined)
    return print(`${ruleLines(known).join("\n")}\n\nkcloud review explain ID describes a rule.\n`);
  const rule = known.find((one) => one.id === id.toUpperCase());
  if (rule === undefined)
    throw new UsageError(
      `unknown rule ${JSON.stringify(id)}; the rules are ${known.map((one) => one.id).join(", ")}`,
    );
  const { title, paragraphs } = explanationOf(rule);
  return print(
    `${title}\n${paragraphs.join("\n\n")}\n\nTo waive it: kcloud review waive ${rule.id} --address ADDRESS --until DATE --owner NAME --reason TEXT\n`,
  );
}

/** Returns waivers of the findings of a report, each for the content of its finding only. Throws `UsageError` if there is none. */
function waiversOf(
  { findings }: Report,
  wanted: { readonly rule: string; readonly address: string | undefined; readonly plan: string | undefined },
  decision: Pick<Waiver, "owner" | "reason" | "until">,
): Waiver[] {
  const { rule } = wanted;
  const found = findings.filter((finding) =>
    waives(
      { ...decision, rule, address: wanted.address ?? "*", plan: wanted.plan },
      { ...finding, isMoved: undefined },
      finding.address ?? "",
    ),
  );
  if (found.length === 0) throw new UsageError(`--report has no finding of ${rule} at this address`);
  if (found.some(({ content }) => content === undefined))
    throw new UsageError(
      `a finding of ${rule} is about sensitive values, which only a report made with KCLOUD_REVIEW_KEY can tell apart`,
    );
  return found.map(({ plan, address = "", id, content }) => ({
    ...{ rule, address, plan, content, ...decision },
    ...(id === undefined ? {} : { id }),
  }));
}

async function waiveRule(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArguments(waiverOptions, args);
  checkPositionals(positionals, 1);
  const [rule] = positionals;
  const needed = values.report === undefined ? (["address"] as const) : [];
  const missing = ([...needed, "until", "owner", "reason"] as const).filter(
    (name) => values[name] === undefined,
  );
  if (rule === undefined) throw new UsageError("waive RULE: the rule is missing");
  if (missing.length > 0)
    throw new UsageError(`waive requires ${missing.map((name) => `--${name}`).join(", ")}`);
  const { until = "", owner = "", reason = "", plan, address } = values;
  const folder = values.policy ?? ".";
  const id = rule.toUpperCase();
  const known = await knownRules(existsSync(join(folder, "rules")) ? folder : undefined);
  if (!known.some((one) => one.id === id)) throw new UsageError(`unknown rule ${JSON.stringify(rule)}`);
  const waivers =
    values.report === undefined
      ? [{ rule: id, address: address ?? "", ...(plan === undefined ? {} : { plan }), owner, reason, until }]
      : waiversOf(readReport(values.report), { rule: id, address, plan }, { owner, reason, until });
  const file = waive(folder, waivers, today());
  return print(
    waivers
      .map((waiver) => `${file}: ${id} is waived for ${waiver.address} until ${until} (UTC).\n`)
      .join(""),
  );
}
