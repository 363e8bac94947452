import { createHash } from "node:crypto";
import { UsageError } from "../../command/argument.ts";
import { decideApplied } from "../gate/applied.ts";
import type { ApplyLog } from "../model/apply-log.ts";
import type { ApplyState } from "../model/apply-state.ts";
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
  const logs = filesOf(report, "--log", options.logs);
  const states = filesOf(report, "--state", options.states);
  const applies = new Map(
    report.plans.map(({ name }) => [
      name,
      { log: read(logs.get(name), logIn), state: read(states.get(name), readApplyState) },
    ]),
  );
  requireOwnLogs(logs);
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

/** Throws `UsageError` if two plans have the same log: an apply is that of one plan. */
function requireOwnLogs(logs: ReadonlyMap<string, string>): void {
  const plans = new Map<string, string>();
  for (const [plan, path] of logs) {
    const text = readText(path).trim();
    if (text === "") continue;
    const digest = createHash("sha256").update(text).digest("hex");
    const other = plans.get(digest);
    if (other !== undefined)
      throw new UsageError(
        `--log: ${other} and ${plan} have the same content, and each plan has a log of its own`,
      );
    plans.set(digest, plan);
  }
}

const logIn = (text: string): ApplyLog | undefined => applyLogIn(logLines(text));

/** Reads a file. Throws `UnreadableError`. */
function read<T extends ApplyLog | ApplyState | undefined>(
  path: string | undefined,
  parse: (text: string) => T,
): T | undefined {
  if (path === undefined) return undefined;
  const name = visible(path);
  try {
    return parse(readText(path));
  } catch (error) {
    if (isTooDeep(error)) throw new UnreadableError(`${name} is nested too deeply`);
    if (error instanceof UnreadableError || error instanceof NotReviewableError)
      throw new UnreadableError(`${name} ${error.message}`);
    throw error;
  }
}
