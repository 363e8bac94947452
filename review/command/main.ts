import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { decide, exitCodes } from "../gate/gate.ts";
import { type Policy, PolicyError, parsePolicy, policyFile, profileOf, settingsOf } from "../gate/policy.ts";
import { waive } from "../gate/waive.ts";
import { isEffective } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import { isBinaryPlan, readInput } from "../read/file.ts";
import { NotReviewableError, readPlan, UnreadableError } from "../read/read.ts";
import { renderAnnotations, renderGitlab } from "../render/host.ts";
import { renderHtml } from "../render/html.ts";
import { renderJunit } from "../render/junit.ts";
import { budgets, renderMarkdown } from "../render/markdown.ts";
import { renderSarif } from "../render/sarif.ts";
import type { SymbolStyle } from "../render/symbol.ts";
import { renderText } from "../render/text.ts";
import { approvalOf } from "../report/digest.ts";
import { makeReport } from "../report/make.ts";
import { type Report, reportSchema } from "../report/report.ts";
import { compareReports } from "../report/since.ts";
import { rules } from "../rule/catalogue.ts";
import { type Format, help, type Input, parseOptions, type ReviewOptions, UsageError } from "./option.ts";

/** `kcloud review`: reads plans, applies rules and gate, writes the outputs. Returns the exit code. */
export async function reviewMain(args: readonly string[]): Promise<number> {
  const [first = "", ...rest] = args;
  try {
    if (args.includes("--help") || args.includes("-h")) return print(help);
    if (first === "explain") return explain(rest);
    if (first === "waive") return waiveRule(rest);
    if (first === "verify") return verify(parseOptions(rest));
    return review(parseOptions(args));
  } catch (error) {
    if (error instanceof NotReviewableError) return fail(error.message, exitCodes.notReviewable);
    if (error instanceof UsageError)
      return fail(`${error.message}; see kcloud review --help`, exitCodes.error);
    if (error instanceof UnreadableError || error instanceof PolicyError)
      return fail(error.message, exitCodes.error);
    throw error;
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCodes.ok;
}

function fail(message: string, code: number): number {
  process.stderr.write(`kcloud review: ${message}\n`);
  return code;
}

const today = (): string => new Date().toISOString().slice(0, 10);

function review(options: ReviewOptions): number {
  const report = reportOf(options);
  const previous = options.previous === undefined ? undefined : readReport(options.previous);
  const since = previous === undefined ? undefined : compareReports(previous, report);
  const whole: Report = since === undefined ? report : { ...report, since };
  for (const { format, path } of options.outputs) {
    const text = render(whole, format, options);
    if (path === undefined) process.stdout.write(text);
    else writeOutput(path, text);
  }
  const { code } = report.verdict;
  const hasChanges = report.changes.length > 0 || report.outputs.length > 0;
  return code === exitCodes.ok && options.detailedExitCode && hasChanges ? exitCodes.changes : code;
}

function writeOutput(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UnreadableError(
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Returns the report of the inputs: made from plans, or one that was made before. */
function reportOf(options: ReviewOptions): Report {
  const [first, ...more] = options.inputs;
  const earlier = first === undefined ? undefined : earlierReport(first);
  if (earlier !== undefined) {
    if (more.length === 0) return earlier;
    throw new UsageError("a JSON report is the only input");
  }
  const policy = readPolicy(options.policy);
  const head = readPolicy(options.policyHead);
  const counting = options.trustHead && options.policyHead !== undefined ? head : policy;
  const profile = profileOf(counting, options.profile);
  const plans = options.inputs.map(planOf);
  const lines = options.policyHead === undefined ? [] : policyChanges(policy, head);
  const draft = makeReport(plans, {
    settings: settingsOf(profile),
    key: keyOf(),
    policyChanges: { trusted: options.trustHead, lines },
  });
  return decide(draft, {
    policy: counting,
    profile,
    failOn: options.failOn ?? profile.failOn ?? "critical",
    today: today(),
  });
}

/** Returns the report if the input is one; a report begins with its schema version. */
function earlierReport(input: Input): Report | undefined {
  const text = contentOf(input);
  return /^\s*\{\s*"schemaVersion"\s*:/.test(text) ? parseReport(text, input.name) : undefined;
}

const contents = new Map<string, string>();

/** Returns the text of an input; standard input is read once. */
function contentOf({ name, path }: Input): string {
  const known = contents.get(path);
  if (known !== undefined) return known;
  try {
    const content = readInput(path);
    if (isBinaryPlan(content))
      throw new NotReviewableError(
        "is a plan file: pass the output of terraform show -json or tofu show -json",
      );
    const text = content.toString("utf8");
    contents.set(path, text);
    return text;
  } catch (error) {
    throw named(error, name);
  }
}

function planOf(input: Input): Plan {
  try {
    return readPlan(input.name, contentOf(input));
  } catch (error) {
    throw named(error, input.name);
  }
}

/** Adds the name of the input to an error about it. */
function named(error: unknown, name: string): unknown {
  if (!(error instanceof NotReviewableError || error instanceof UnreadableError)) return error;
  if (error.message.startsWith(`${name}: `)) return error;
  const message = `${name}: ${error.message}`;
  return error instanceof NotReviewableError ? new NotReviewableError(message) : new UnreadableError(message);
}

const readReport = (path: string): Report => parseReport(readInput(path).toString("utf8"), path);

function parseReport(text: string, name: string): Report {
  const parsed = reportSchema.safeParse(jsonIn(text, name));
  if (!parsed.success) throw new UnreadableError(`${name} is no JSON report of this version`);
  return parsed.data;
}

function jsonIn(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UnreadableError(`${path} is no JSON, or is cut`);
  }
}

const keyOf = (): string | undefined => {
  const { KCLOUD_REVIEW_KEY: key } = process.env;
  return key === "" ? undefined : key;
};

function readPolicy(folder: string | undefined): Policy {
  if (folder === undefined) return {};
  const file = join(folder, policyFile);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new PolicyError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return parsePolicy(text, file);
}

/** Returns the differences between two policies, each as a sentence. */
function policyChanges(base: Policy, head: Policy): string[] {
  const lines: string[] = [];
  const text = (value: unknown) => JSON.stringify(value);
  const old = new Set((base.waivers ?? []).map(text));
  const next = new Set((head.waivers ?? []).map(text));
  for (const waiver of head.waivers ?? [])
    if (!old.has(text(waiver)))
      lines.push(
        `It adds a waiver of ${waiver.rule} for ${text(waiver.address)} by ${text(waiver.owner)} until ${waiver.until}.`,
      );
  for (const waiver of base.waivers ?? [])
    if (!next.has(text(waiver)))
      lines.push(`It removes the waiver of ${waiver.rule} for ${text(waiver.address)}.`);
  const names = new Set([...Object.keys(base.profiles ?? {}), ...Object.keys(head.profiles ?? {})]);
  for (const name of [...names].toSorted())
    if (text(base.profiles?.[name]) !== text(head.profiles?.[name]))
      lines.push(`It changes the profile ${text(name)}.`);
  return lines;
}

function render(report: Report, format: Format, options: ReviewOptions): string {
  const words: SymbolStyle = options.screenReader ? "words" : options.emoji ? "emoji" : "letter";
  switch (format) {
    case "text":
      return renderText(report, {
        colour: process.stdout.isTTY === true && !process.env.NO_COLOR && !options.screenReader,
        symbols: words === "emoji" ? "letter" : words,
        width: Math.max(40, process.stdout.columns ?? 100),
      });
    case "md":
      return renderMarkdown(report, {
        budget: budgets[options.budget],
        reportUrl: options.reportUrl,
        symbols: words,
      });
    case "html":
      return renderHtml(report);
    case "json":
      return `${JSON.stringify(report, null, 1)}\n`;
    case "sarif":
      return renderSarif(report, manifest.version);
    case "junit":
      return renderJunit(report);
    case "annotations":
      return renderAnnotations(report);
    case "gitlab":
      return renderGitlab(report);
  }
}

/** `kcloud review verify`: compares plans with an approved digest, and with the state of the reviewed plans. */
function verify(options: ReviewOptions): number {
  if (options.approved === undefined) throw new UsageError("--approved DIGEST is required");
  const plans = options.inputs.map(planOf);
  const [gap] = plans.flatMap(({ name, gaps }) => gaps.map((text) => `${name}: ${text}`));
  if (gap !== undefined) throw new NotReviewableError(gap);
  const { digest } = approvalOf(plans, keyOf());
  if (digest !== options.approved)
    return fail(
      `this is not the approved plan: its digest is ${digest}; review it again`,
      exitCodes.mismatch,
    );
  if (options.report !== undefined) {
    const reviewed = new Map(readReport(options.report).plans.map(({ name, prior }) => [name, prior]));
    const stale = plans.find(({ name, prior }) => reviewed.get(name)?.digest !== prior.digest);
    if (stale !== undefined)
      return fail(
        `${stale.name}: the state changed since the review; make a new plan and review it`,
        exitCodes.mismatch,
      );
  }
  const count = plans.reduce((sum, { changes }) => sum + changes.filter(isEffective).length, 0);
  const age =
    options.report === undefined
      ? " The age of the plan is not known: pass --report to compare its state."
      : "";
  return print(`This is the approved plan, with ${count} changes.${age}\n`);
}

function explain(args: readonly string[]): number {
  const [id = ""] = args;
  const rule = rules.find((known) => known.id === id.toUpperCase());
  if (rule === undefined)
    throw new UsageError(
      `there is no rule ${JSON.stringify(id)}; there are ${rules.map((known) => known.id).join(", ")}`,
    );
  return print(
    `${rule.id}: ${rule.title}\nSeverity: ${rule.severity}. Confidence: ${rule.confidence}.\n\n${rule.about}\n\nRemedy: ${rule.remedy}\n\nTo waive it: kcloud review waive ${rule.id} --address ADDRESS --until DATE --owner NAME --reason TEXT\n`,
  );
}

function waiveRule(args: readonly string[]): number {
  const { values, positionals } = parsedWaiver(args);
  const [rule] = positionals;
  const missing = (["address", "until", "owner", "reason"] as const).filter(
    (name) => values[name] === undefined,
  );
  if (rule === undefined) throw new UsageError("waive RULE: the rule is missing");
  if (missing.length > 0)
    throw new UsageError(`waive needs ${missing.map((name) => `--${name}`).join(", ")}`);
  const { address = "", until = "", owner = "", reason = "", plan } = values;
  const file = waive(
    values.policy ?? ".",
    { rule: rule.toUpperCase(), address, until, owner, reason, ...(plan === undefined ? {} : { plan }) },
    today(),
  );
  return print(`${file}: ${rule.toUpperCase()} is waived for ${address} until ${until}.\n`);
}

function parsedWaiver(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = { address: text, until: text, owner: text, reason: text, plan: text, policy: text };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}
