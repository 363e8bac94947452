import { redactor } from "../../provider/client/client.ts";
import { type LogStep, stepsOf } from "../model/apply-log.ts";
import type { StateObject } from "../model/apply-state.ts";
import { withoutCredentials } from "../model/secret-shape.ts";
import { isOwnKind, nextSteps } from "./applied-next.ts";
import { type Outcome, outcomes, worstFirst } from "./applied-outcome.ts";
import { type Apply, isOfEngine, problemsOf } from "./applied-problem.ts";
import { foreignRow, invocationRows, rowOf, takeSteps } from "./applied-row.ts";
import type { AppliedObject, AppliedPlan, Report, ReportApplied, ReportChange } from "./report.ts";
import { onOneLine, visible } from "./value.ts";

/** Compares an approved report with what its apply did: with the log of the engine, and with the state after it. */

export interface ApplyOptions {
  /** Applies by the names of their plans. */
  readonly applies: ReadonlyMap<string, Apply>;
  /** Exit code of the engine, if it is known. */
  readonly exitCode: number | undefined;
}

/** Maximum numbers of error texts of one object, and of all. */
const [mostOfObject, mostErrors] = [5, 1_000];

/** Returns what the applies did. */
export function appliedOf(report: Report, { applies, exitCode }: ApplyOptions): ReportApplied {
  const room = { errors: mostErrors, omitted: 0 };
  // One exit code for several applies: if it is not 0, at least one of them has failed.
  const hasFailure = [...applies.values()].some(({ log }) => log?.end !== "succeeded");
  const contradicts = exitCode === 0 || !hasFailure ? exitCode : undefined;
  const parts = report.plans.map((plan) =>
    appliedPlan(report, plan, applies.get(plan.name) ?? { log: undefined, state: undefined }, {
      exitCode: contradicts,
      room,
    }),
  );
  return {
    review: report.applied?.review ?? report.verdict,
    plans: parts.map(({ plan }) => plan),
    objects: parts.flatMap(({ objects }) => objects).toSorted((a, b) => rankOf(a) - rankOf(b)),
    omittedErrors: room.omitted,
  };
}

const rankOf = ({ outcome }: AppliedObject): number => worstFirst.indexOf(outcome);

/** Returns the number of objects of each outcome. */
export function outcomeCounts({ objects }: ReportApplied): Readonly<Record<Outcome, number>> {
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const { outcome } of objects) counts[outcome] += 1;
  return counts;
}

interface Context {
  readonly exitCode: number | undefined;
  /** Number of error texts for which the report has room. */
  readonly room: { errors: number; omitted: number };
}

function appliedPlan(
  report: Report,
  { name, engine, prior, purpose }: Report["plans"][number],
  { log, state }: Apply,
  { exitCode, room }: Context,
): { plan: AppliedPlan; objects: AppliedObject[] } {
  const secrets = new Set([...(state?.secrets ?? []), ...(log?.secrets ?? [])]);
  const redact = redactor([...secrets]);
  const errorsOf = (texts: readonly string[], most: number): string[] => {
    const shown = [...new Set(texts)].slice(0, Math.min(most, room.errors));
    room.errors -= shown.length;
    room.omitted += new Set(texts).size - shown.length;
    return shown.map((text) => errorText(text, redact));
  };
  const changes = report.changes.filter(({ plan }) => plan === name);
  const invocations = report.invocations.filter(({ plan }) => plan === name);
  const outputs = report.outputs.filter(({ plan }) => plan === name);
  const effects = changes.length + invocations.length + outputs.length;
  const problems = [...problemsOf({ name, engine, prior, purpose, effects, log, state, exitCode })];
  const end = log === undefined || !isOfEngine(log, engine) ? "unknown" : (log.end ?? "unknown");
  const moved = movesIn(changes);
  const steps =
    log === undefined ? [] : stepsOf(log.events).map((step) => movedStep(visibleStep(step), moved));
  const stepsAt = Map.groupBy(steps, ({ address }) => address);
  const objectsAt = Map.groupBy(state?.objects ?? [], ({ address }) => visible(address));
  const errorsAt = Map.groupBy(log?.errors ?? [], ({ address }) =>
    visible(address?.replace(/, called from .*$/s, "") ?? ""),
  );
  const unchanged = new Set(log?.unchanged.map(visible));
  const values = { compared: 0, uncompared: 0 };
  const groups = Map.groupBy(changes, ({ address }) => baseOf(address));
  const rows: AppliedObject[] = [];
  const misplaced: string[] = [];
  const known = new Set<string>();
  for (const [address, members] of groups) {
    known.add(address);
    const left = [...(stepsAt.get(address) ?? [])];
    const stored = objectsAt.get(address) ?? [];
    const pending = state?.pending.find((one) => visible(one.address) === address)?.operation;
    const texts = (errorsAt.get(address) ?? []).map(({ text }) => text);
    const shownTexts = () => (hidesErrors(members, stored) ? texts.slice(0, 1).map(() => hidden) : texts);
    const group = members.map((change) => {
      const needed = takeSteps(change, left);
      return { change, needed };
    });
    for (const [index, { change, needed }] of group.entries()) {
      // Steps that no change needs belong to the first one.
      const extra = index === 0 ? left.filter(({ action }) => action !== "read") : [];
      rows.push(
        rowOf({
          ...{ change, needed, extra, end, pending, values },
          hasSuccessor: members.some(({ action }) => action === "create"),
          stored: stored.map((object) => withoutSecretId(object, secrets)),
          hasState: state !== undefined,
          isUnchanged: unchanged.has(address),
          errors: () => errorsOf(shownTexts(), mostOfObject),
        }),
      );
    }
    // An object that is done may have an error, such as one of a check of its result.
    if (rows.slice(-members.length).every(({ outcome }) => outcome === "done"))
      misplaced.push(...shownTexts().map((text) => `${address}: ${text}`));
  }
  for (const [address, all] of stepsAt) {
    const relevant = all.filter(({ action }) => action !== "read");
    if (known.has(address) || relevant.length === 0) continue;
    known.add(address);
    rows.push(
      foreignRow(name, address, {
        steps: relevant,
        stored: (objectsAt.get(address) ?? []).map((object) => withoutSecretId(object, secrets)),
        hasState: state !== undefined,
        errors: errorsOf(
          (errorsAt.get(address) ?? []).map(({ text }) => text),
          mostOfObject,
        ),
      }),
    );
  }
  const invoked = invocationRows(name, { invocations, log, rows, steps, end });
  for (const row of invoked.rows) {
    known.add(row.address);
    rows.push({
      ...row,
      errors: errorsOf(
        (errorsAt.get(row.address) ?? []).map(({ text }) => text),
        mostOfObject,
      ),
    });
  }
  const others = [...errorsAt].flatMap(([address, all]) =>
    known.has(address) ? [] : all.map(({ text }) => (address === "" ? text : `${address}: ${text}`)),
  );
  const plan: AppliedPlan = {
    name,
    engine,
    ...(log?.engineVersion === undefined ? {} : { engineVersion: onOneLine(log.engineVersion) }),
    end,
    hasState: state !== undefined,
    problems,
    errors: errorsOf([...others, ...misplaced], mostOfPlan),
    warnings: errorsOf(
      (log?.warnings ?? []).map(({ address, text }) =>
        address === undefined ? text : `${visible(address)}: ${text}`,
      ),
      mostOfPlan,
    ),
    comparedValues: values.compared,
    uncomparedValues: values.uncompared,
    next: [],
  };
  const texts = (log?.errors ?? []).map(({ text }) => text.slice(0, longestRead));
  return { plan: { ...plan, next: nextSteps(plan, rows, texts) }, objects: rows };
}

/** Maximum number of error texts of a plan that are about no object. */
const mostOfPlan = 20;

/** Text in place of an error that may contain a sensitive value. */
const hidden =
  "An error that may contain a sensitive value, which no state shows: the log of the engine has it.";

/**
 * Returns true if errors of an object may contain a sensitive value that is not known here. Those of this provider never have one:
 * it redacts them itself.
 */
const hidesErrors = (changes: readonly ReportChange[], stored: readonly StateObject[]): boolean =>
  stored.length === 0 &&
  changes.some(
    ({ kind, differences }) =>
      !isOwnKind(kind) &&
      differences.some(({ before, after }) => before.kind === "sensitive" || after.kind === "sensitive"),
  );

/** Returns an object without its id if that is a sensitive value. */
const withoutSecretId = (object: StateObject, secrets: ReadonlySet<string>): StateObject =>
  object.id !== undefined && secrets.has(object.id) ? { ...object, id: undefined } : object;

const visibleStep = (step: LogStep): LogStep => ({
  ...step,
  address: baseOf(visible(step.address)),
  type: visible(step.type),
  ...(step.id === undefined ? {} : { id: visible(step.id) }),
});

/** Returns the new addresses of replaced objects by their old addresses and ids. */
const movesIn = (changes: readonly ReportChange[]): ReadonlyMap<string, string> =>
  new Map(
    changes.flatMap(({ action, address, previousAddress, id }) =>
      action === "replace" && previousAddress !== undefined && id !== undefined
        ? [[`${previousAddress} ${id}`, address] as const]
        : [],
    ),
  );

/** Returns a step at the address of the report: Pulumi logs the delete of a renamed object with its old name. */
function movedStep(step: LogStep, moves: ReadonlyMap<string, string>): LogStep {
  const address = step.action === "delete" ? moves.get(`${step.address} ${step.id}`) : undefined;
  return address === undefined ? step : { ...step, address };
}

/** Returns an address without the key of a deposed object, which no log has. */
const baseOf = (address: string): string => address.replace(/ \(deposed [^)]*\)$/, "");

/** Maximum length of an error text that is read, and of its end, in which a credential may be cut, in characters. */
const [longestRead, longestCredential] = [20_000, 4_096];

const longestShown = 2_000;

/** Returns an error text without secrets on one line; a long one is cut. */
function errorText(text: string, redact: (text: string) => string): string {
  const isCut = text.length > longestRead;
  const clean = onOneLine(
    withoutCredentials(redact(isCut ? text.slice(0, longestRead).toWellFormed() : text)),
  );
  const whole = isCut ? clean.slice(0, -longestCredential) : clean;
  return whole.length > longestShown || isCut
    ? `${whole.slice(0, longestShown).toWellFormed()}… (${text.length} characters)`
    : whole;
}
