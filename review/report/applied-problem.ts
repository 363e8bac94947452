import type { ApplyLog } from "../model/apply-log.ts";
import type { ApplyState } from "../model/apply-state.ts";
import { productOf } from "../model/change.ts";
import type { Report, ReportChange } from "./report.ts";
import { visible } from "./value.ts";

/** Problems of the log and the state of an apply: those because of which it cannot be known what was done. */

/** Apply of a plan of the report. */
export interface Apply {
  /** Undefined if there is no log, or one without any line of an engine. */
  readonly log: ApplyLog | undefined;
  readonly state: ApplyState | undefined;
}

/** Returns true for the log of the engine of a plan. */
export const isOfEngine = ({ engine }: ApplyLog, planned: ReportChange["engine"]): boolean =>
  planned === "unknown" || engine === planned;

/** Yields sentences on logs and states that cannot be used, or contradict each other. */
export function* problemsOf({
  name,
  engine,
  prior,
  purpose,
  effects,
  log,
  state,
  exitCode,
}: Pick<Report["plans"][number], "name" | "engine" | "prior" | "purpose"> & {
  /** Number of effects of the plan. */
  readonly effects: number;
  readonly exitCode: number | undefined;
} & Apply): Generator<string> {
  const of = `The log of ${name}`;
  if (purpose === "drift") yield `${name} is a review of drift, not of changes: there is nothing to apply.`;
  if (log === undefined) {
    if (effects > 0) yield `${name} has no log of an apply: it cannot be known what was done.`;
  } else {
    if (!isOfEngine(log, engine)) yield `${of} is of ${productOf[log.engine]}, and the plan is not.`;
    for (const problem of log.problems) yield `${of} ${problem}.`;
    if (log.end === undefined)
      yield `${of} does not show the end of the apply, as after a kill of the engine.`;
    if (exitCode === 0 && log.end === "failed")
      yield `${of} shows that the apply failed, and the exit code of the engine is 0.`;
    if (exitCode !== undefined && exitCode !== 0 && log.end === "succeeded")
      yield `${of} shows that the apply succeeded, and the exit code of the engine is ${exitCode}.`;
  }
  if (state === undefined) return;
  if (engine !== "unknown" && (state.engine === "pulumi") !== (engine === "pulumi"))
    yield `The state of ${name} is of another engine than the plan.`;
  if (prior.lineage && state.lineage && prior.lineage !== state.lineage)
    yield `The state of ${name} is another one: its lineage is ${visible(state.lineage)}, and that of the plan is ${prior.lineage}.`;
  const hasSteps = log?.events.some(({ action, result }) => action !== "read" && result === "done") === true;
  if (hasSteps && prior.serial !== undefined && state.serial !== undefined && state.serial <= prior.serial)
    yield `The state of ${name} is older than the apply: its serial is ${state.serial}, and that of the plan is ${prior.serial}.`;
  for (const problem of state.problems) yield `The state of ${name} cannot be read completely: ${problem}.`;
}
