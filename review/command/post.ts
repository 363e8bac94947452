import { UsageError } from "../../command/argument.ts";
import type { Ports } from "../../provider/platform/ports.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { exitCodes } from "../gate/gate.ts";
import { NotPostedError, post } from "../post/post.ts";
import { targetOf } from "../post/target.ts";
import { visible } from "../report/value.ts";
import { readReport } from "./input.ts";
import { parsePostOptions } from "./option.ts";

/** Runs `kcloud review post`: posts a JSON report to a pull request or a merge request. Returns the exit code. */
export async function postReport(
  args: readonly string[],
  ports: Pick<Ports, "clock" | "foreign"> = realPorts,
): Promise<number> {
  const { path, target: targetOptions, isApplied: expectsApply, ...options } = parsePostOptions(args);
  const report = readReport(path);
  const dryRun = options.isDryRun ? (text: string) => void process.stdout.write(`${text}\n`) : undefined;
  const isApplied = report.applied !== undefined;
  if (isApplied && !expectsApply)
    throw new UsageError(
      `${visible(path)} is a report after an apply: --applied posts it. Set that option in the job after the apply only: the code of a request could forge such a report`,
    );
  if (!isApplied && expectsApply)
    throw new UsageError(`${visible(path)} is no report after an apply: kcloud review applied writes one`);
  const target = targetOf({ ...targetOptions, isApplied }, process.env, { ports, dryRun });
  const names = report.plans.map(({ name }) => name).toSorted();
  const stack = options.stack ?? names.join(", ");
  try {
    const lines = await post(report, { target, options: { ...options, stack }, ports });
    process.stdout.write(
      options.isDryRun ? "Dry run: nothing was changed.\n" : lines.map((line) => `${line}\n`).join(""),
    );
    return exitCodes.ok;
  } catch (error) {
    if (!(error instanceof NotPostedError)) throw error;
    process.stderr.write(`kcloud review post: ${error.message}\n`);
    return exitCodes.notPosted;
  }
}
