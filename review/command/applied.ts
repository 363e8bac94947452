import { UsageError } from "../../command/argument.ts";
import { decideApplied } from "../gate/applied.ts";
import type { ApplyLog } from "../model/apply-log.ts";
import { applyLogIn, logLines } from "../read/apply-log.ts";
import { readApplyState } from "../read/apply-state.ts";
import { readText } from "../read/file.ts";
import { NotReviewableError, UnreadableError } from "../read/read.ts";
import { appliedOf } from "../report/applied.ts";
import type { Report } from "../report/report.ts";
import { visible } from "../report/value.ts";
import { isTooDeep, readReport } from "./input.ts";
import { parseAppliedOptions, type Root } from "./option.ts";
import { writeOutputs } from "./output.ts";

/** Runs `kcloud review applied`: compares an approved report with what its apply did. Returns the exit code. */
export function reportApplied(args: readonly string[]): number {
  const options = parseAppliedOptions(args);
  const report = readReport(options.report);
  const logs = textsOf(filesOf(report, "--log", options.logs));
  requireOwnLogs(logs);
  const states = textsOf(filesOf(report, "--state", options.states));
  const applies = new Map(
    report.plans.map(({ name }) => [
      name,
      { log: parsed(logs.get(name), logIn), state: parsed(states.get(name), readApplyState) },
    ]),
  );
  const applied = decideApplied(report, appliedOf(report, { applies, exitCode: options.exitCode }));
  writeOutputs(applied, options, options.outputs ?? [{ format: "text", path: undefined }]);
  return applied.verdict.code;
}

/** Returns the files by the names of their plans. Throws `UsageError`. */
function filesOf({ plans }: Report, option: string, files: readonly Root[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, path } of files) {
    const [only, other] = plans;
    const plan = name === undefined ? (other === undefined ? only?.name : undefined) : visible(name);
    if (plan === undefined)
      throw new UsageError(
        `${option} ${path} must name its plan, as in ${option} ${only?.name ?? "net"}=${path}`,
      );
    if (!plans.some((one) => one.name === plan)) throw new UsageError(`${option}: no plan is called ${plan}`);
    if (found.has(plan)) throw new UsageError(`${option}: ${plan} has two files`);
    found.set(plan, path);
  }
  return found;
}

/** Text of a file, with its path for errors. */
interface NamedText {
  readonly path: string;
  readonly text: string;
}

/** Reads the files of plans. Throws `UnreadableError`. */
const textsOf = (files: ReadonlyMap<string, string>): ReadonlyMap<string, NamedText> =>
  new Map([...files].map(([plan, path]) => [plan, { path, text: named(path, () => readText(path)) }]));

/** Throws `UsageError` if two plans have the same log: an apply is that of one plan. */
function requireOwnLogs(logs: ReadonlyMap<string, NamedText>): void {
  const plans = new Map<string, string>();
  for (const [plan, { text }] of logs) {
    const other = plans.get(text);
    if (other !== undefined && text.trim() !== "")
      throw new UsageError(
        `--log: ${other} and ${plan} have the same content, and each plan has a log of its own`,
      );
    plans.set(text, plan);
  }
}

const logIn = (text: string): ApplyLog | undefined => applyLogIn(logLines(text));

const parsed = <T>(file: NamedText | undefined, parse: (text: string) => T): T | undefined =>
  file === undefined ? undefined : named(file.path, () => parse(file.text));

/** Runs work on a file, and adds its path to errors. Throws `UnreadableError`. */
function named<T>(path: string, work: () => T): T {
  const name = visible(path);
  try {
    return work();
  } catch (error) {
    if (isTooDeep(error)) throw new UnreadableError(`${name} is nested too deeply`);
    if (error instanceof UnreadableError || error instanceof NotReviewableError)
      throw new UnreadableError(`${name} ${error.message}`);
    throw error;
  }
}
