import { redactor } from "../../provider/client/client.ts";
import { type ApplyLog, type LogStep, stepsOf } from "../model/apply-log.ts";
import type { ApplyState, StateObject } from "../model/apply-state.ts";
import { wordsOf } from "../model/change.ts";
import { withoutCredentials } from "../model/secret-shape.ts";
import { counted } from "../rule/fact.ts";
import { isOwnKind, nextSteps } from "./applied-next.ts";
import { type Facts, type Outcome, outcomeOf, outcomes } from "./applied-outcome.ts";
import { comparedInputs } from "./applied-value.ts";
import type { AppliedObject, AppliedPlan, Report, ReportApplied, ReportChange } from "./report.ts";
import { onOneLine, visible } from "./value.ts";

/** Compares an approved report with what its apply did: with the log of the engine, and with the state after it. */

/** Apply of a plan of the report. */
export interface Apply {
  /** Undefined if there is no log, or one without any line of an engine. */
  readonly log: ApplyLog | undefined;
  readonly state: ApplyState | undefined;
}

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

const worstFirst: readonly Outcome[] = ["other", "unknown", "failed", "not reached", "done"];

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

const isOfEngine = ({ engine }: ApplyLog, planned: ReportChange["engine"]): boolean =>
  planned === "unknown" || engine === planned;

const products = { terraform: "Terraform", opentofu: "OpenTofu", pulumi: "Pulumi" } as const;

/** Yields sentences on logs and states that cannot be used, or contradict each other. */
function* problemsOf({
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
    if (!isOfEngine(log, engine)) yield `${of} is of ${products[log.engine]}, and the plan is not.`;
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

type Action = LogStep["action"];

/** Returns the actions of the steps that a change needs. */
function neededActions({ action, engine, importedId }: ReportChange): Action[] {
  switch (action) {
    case "replace":
      return ["delete", engine === "pulumi" && importedId !== undefined ? "read" : "create"];
    case "create":
    case "update":
    case "delete":
      return [action];
    case "forget":
      // Pulumi logs the object that it leaves in the cloud as deleted.
      return engine === "pulumi" ? ["delete"] : [];
    default:
      return engine === "pulumi" && importedId !== undefined ? ["read"] : [];
  }
}

/** Step that a change needs; undefined if the log has none. */
type Needed = readonly { readonly action: Action; readonly step: LogStep | undefined }[];

/** Removes the steps that a change needs from a list, and returns them. A delete of another object of the address stays. */
function takeSteps(change: ReportChange, steps: LogStep[]): Needed {
  return neededActions(change).map((action) => {
    const candidates = steps.filter((step) => step.action === action);
    const own = candidates.find(({ id }) => id !== undefined && id === change.id) ?? candidates[0];
    if (own !== undefined) steps.splice(steps.indexOf(own), 1);
    return { action, step: own };
  });
}

/** Returns the result of the steps of a change. */
function resultOf(needed: Needed): Facts["steps"] {
  const results = needed.map(({ step }) => step?.result);
  if (results.includes("failed")) return "failed";
  if (results.includes("open")) return "open";
  const done = results.filter((result) => result === "done").length;
  return done === 0 ? "none" : done === results.length ? "done" : "half";
}

interface RowInput {
  readonly change: ReportChange;
  readonly needed: Needed;
  /** Steps that the change does not need. */
  readonly extra: readonly LogStep[];
  readonly end: AppliedPlan["end"];
  /** Objects that the state has at the address. */
  readonly stored: readonly StateObject[];
  readonly hasState: boolean;
  /** True if the report creates another object at the address. */
  readonly hasSuccessor: boolean;
  readonly pending: string | undefined;
  readonly isUnchanged: boolean;
  readonly values: { compared: number; uncompared: number };
  readonly errors: () => string[];
}

function rowOf(input: RowInput): AppliedObject {
  const { change, needed, extra, end, stored, hasState, hasSuccessor, pending, isUnchanged, values } = input;
  const planned = plannedEffect(change);
  const deposed = stored.filter((object) => object.deposed !== undefined);
  const current = stored.find((object) => object.deposed === undefined && !object.isDeleted);
  // Of a deposed object, the state has to lose the one with its key or id.
  const object = change.isDeposed
    ? deposed.find(
        ({ deposed: key, id }) =>
          change.address.endsWith(` (deposed ${key})`) || (id !== undefined && visible(id) === change.id),
      )
    : hasSuccessor && isOther(change, current)
      ? undefined
      : current;
  const result = resultOf(needed);
  const facts: Facts = {
    planned,
    // An imported or renamed object that the engine compared is done.
    steps: planned === "keep" && result === "none" && isUnchanged ? "done" : result,
    end,
    state: !hasState ? undefined : object === undefined ? "absent" : object.isTainted ? "tainted" : "present",
  };
  const byFacts = outcomeOf(facts);
  const contradictions = [
    ...extra.map(
      ({ action, result }) => `The log has the step ${action} (${result}), which the report does not have.`,
    ),
    ...(byFacts === "done" && object !== undefined ? idContradiction(change, needed, object) : []),
  ];
  const created = needed.find(({ action }) => action !== "delete")?.step;
  const inputs = created?.inputs ?? object?.inputs;
  const compared =
    byFacts === "done" && created !== undefined && inputs !== undefined
      ? comparedInputs(change, { ...created, inputs })
      : undefined;
  if (change.engine === "pulumi") {
    values.compared += compared?.compared ?? 0;
    values.uncompared += compared?.uncompared ?? 0;
  }
  const others = compared?.different ?? [];
  const outcome = contradictions.length > 0 || others.length > 0 ? "other" : byFacts;
  const sentences = [
    ...contradictions,
    ...(others.length === 0 ? [] : [`Other values than planned: ${others.join(", ")}.`]),
    ...(outcome === "other" && contradictions.length + others.length === 0 ? [logText(facts)] : []),
    ...(outcome === "unknown" ? [unknownText(facts)] : []),
    ...(outcome === "failed" ? (facts.steps === "half" ? [halfText(needed)] : failedText(needed)) : []),
    ...(outcome === "done" && pending === undefined ? [] : existence(facts, { object, pending, change })),
    ...(deposed.length === 0 || change.isDeposed
      ? []
      : [
          `${counted(deposed.length, "old object")} still ${deposed.length === 1 ? "exists" : "exist"}, and the next apply deletes ${deposed.length === 1 ? "it" : "them"}.`,
        ]),
  ];
  return {
    ...base(change, planned, outcome),
    steps: [...needed.flatMap(({ step }) => step ?? []), ...extra].map(({ action, result }) => ({
      action,
      result,
    })),
    text: sentences.join(" "),
    errors: outcome === "done" ? [] : input.errors(),
    ...(hasState ? { exists: object !== undefined } : {}),
    ...idOf(object, change, facts),
    ...(object?.isTainted ? { isTainted: true as const } : {}),
    ...(deposed.length === 0 ? {} : { deposed: deposed.length }),
    ...(pending === undefined ? {} : { pending: visible(pending) }),
    ...(others.length === 0 ? {} : { otherValues: others }),
  };
}

/** Returns true for the object that takes the place of one that the report deletes or forgets. */
const isOther = ({ action, id }: ReportChange, object: StateObject | undefined): boolean =>
  (action === "delete" || action === "forget") &&
  id !== undefined &&
  object?.id !== undefined &&
  visible(object.id) !== id;

const base = (change: ReportChange, planned: Facts["planned"], outcome: Outcome) => ({
  plan: change.plan,
  address: change.address,
  kind: change.kind,
  planned:
    planned !== "keep"
      ? planned
      : change.importedId !== undefined
        ? ("import" as const)
        : change.previousAddress !== undefined
          ? ("move" as const)
          : ("unprotect" as const),
  outcome,
});

const plannedEffect = ({ action }: ReportChange): Facts["planned"] =>
  action === "none" || action === "read" ? "keep" : action;

const idOf = (object: StateObject | undefined, change: ReportChange, { state }: Facts): { id?: string } => {
  const id = object?.id ?? (state === undefined ? change.id : undefined);
  return id === undefined ? {} : { id: visible(id) };
};

/** Returns a sentence if the object in the state has another id than the log, or than before although it is not replaced. */
function idContradiction(change: ReportChange, needed: Needed, { id }: StateObject): string[] {
  if (id === undefined || change.isDeposed) return [];
  const created = needed.find(({ action }) => action === "create")?.step?.id;
  if (created !== undefined && created !== visible(id))
    return ["The log and the state have different ids of the new object."];
  const isSame = (change.action === "update" || change.action === "none") && change.importedId === undefined;
  return isSame && change.id !== undefined && change.id !== visible(id)
    ? ["The object has another id than before, although the report does not replace it."]
    : [];
}

const ends = {
  succeeded: "The log shows a successful apply",
  failed: "The log shows a failed apply",
  unknown: "The log does not show the end of the apply",
} as const;

/** Returns what the log shows of an object that is other than planned; what the state has follows. */
function logText({ steps, end }: Facts): string {
  if (steps === "none") return `${ends[end]} without a step for this object.`;
  if (steps === "done") return "The log shows that this is done.";
  return `${ends[end]}, and the step of this object ${steps === "failed" ? "failed" : "did not end"}.`;
}

const unknownText = ({ steps, end }: Facts): string =>
  steps === "open" || steps === "half"
    ? "The log ends before the result of the step."
    : end === "unknown"
      ? "The log does not show whether this was done."
      : "Only a state shows whether this was done.";

const halfText = (needed: Needed): string =>
  needed.some(({ action, step }) => action === "delete" && step !== undefined)
    ? "The old object was deleted, and the new one was not created."
    : "The new object was created, and the old one was not deleted.";

/** Returns which steps of a replacement are done, and which are not. */
const failedText = (needed: Needed): string[] =>
  needed.length < 2
    ? []
    : needed.flatMap(({ action, step }) => {
        const isOld = action === "delete";
        if (step === undefined) return [];
        if (step.result === "done")
          return [isOld ? "The old object was deleted." : "The new object was created."];
        return [isOld ? "The delete of the old object failed." : "The create of the new object failed."];
      });

/** Returns sentences on what exists now. */
function existence(
  { state }: Facts,
  {
    object,
    pending,
    change,
  }: { object: StateObject | undefined; pending: string | undefined; change: ReportChange },
): string[] {
  const words = wordsOf(change.engine);
  return [
    ...(state === undefined ? ["Without a state, it is not known what exists now."] : []),
    ...(state === "absent" ? ["The state does not have the object."] : []),
    ...(state === "present" ? ["The object exists."] : []),
    ...(state === "tainted" ? ["The object exists, and the next apply replaces it."] : []),
    ...(pending === undefined
      ? []
      : [`The operation ${JSON.stringify(visible(pending))} is pending: its result is not known.`]),
    ...(object === undefined && state !== undefined && pending !== undefined && words === "pulumi"
      ? ["It may exist in the cloud."]
      : []),
  ];
}

/** Returns the row of an object that the report does not change. */
function foreignRow(
  plan: string,
  address: string,
  {
    steps,
    stored,
    hasState,
    errors,
  }: {
    readonly steps: readonly LogStep[];
    readonly stored: readonly StateObject[];
    readonly hasState: boolean;
    readonly errors: string[];
  },
): AppliedObject {
  const object = stored.find(({ deposed, isDeleted }) => deposed === undefined && !isDeleted);
  const [first] = steps;
  const id = object?.id ?? first?.id;
  return {
    plan,
    address,
    kind: first?.type ?? "",
    planned: "none",
    outcome: "other",
    steps: steps.map(({ action, result }) => ({ action, result })),
    text: "The report does not change this object.",
    errors,
    ...(hasState ? { exists: object !== undefined } : {}),
    ...(id === undefined ? {} : { id: visible(id) }),
    ...(object?.isTainted ? { isTainted: true as const } : {}),
  };
}

/** Returns the rows of the effects that belong to no object: actions, commands, and reads of data sources. */
function invocationRows(
  plan: string,
  {
    invocations,
    log,
    rows,
    steps,
    end,
  }: {
    readonly invocations: Report["invocations"];
    readonly log: ApplyLog | undefined;
    readonly rows: readonly AppliedObject[];
    readonly steps: readonly LogStep[];
    readonly end: AppliedPlan["end"];
  },
): { rows: AppliedObject[] } {
  const invoked = (log?.invocations ?? []).map(({ address, result }) => ({
    address: visible(address),
    result,
  }));
  const objects = new Map(rows.map((row) => [row.address, row]));
  const row = (
    address: string,
    kind: string,
    {
      outcome,
      text,
      results,
      action = "invoke",
    }: {
      outcome: Outcome;
      text: string;
      results: readonly LogStep["result"][];
      action?: "invoke" | "read";
    },
  ): AppliedObject => ({
    ...{ plan, address, kind, outcome, text, errors: [] },
    planned: "invoke",
    steps: results.map((result) => ({ action, result })),
  });
  const planned = invocations.flatMap((invocation): AppliedObject[] => {
    const { address, type } = invocation;
    // A command is a part of the step of its object.
    const object = objects.get(address);
    if (object !== undefined) return [];
    const read = steps.filter((step) => step.action === "read" && step.address === address);
    const isRead = read.length > 0;
    const own = isRead ? read : takeInvocation(invoked, address);
    const results = own.map(({ result }) => result);
    const result = results.includes("failed")
      ? "failed"
      : results.includes("open")
        ? "open"
        : own.length > 0
          ? "done"
          : "none";
    const outcome = outcomeOf({ planned: "update", steps: result, end, state: undefined });
    return [
      row(address, type, {
        outcome,
        results,
        ...(isRead ? { action: "read" as const } : {}),
        text:
          outcome === "other"
            ? `${ends[end]} without it.`
            : outcome === "unknown"
              ? "The log does not show whether this was done."
              : "",
      }),
    ];
  });
  const others = invoked.map(({ address, result }) =>
    row(address, "action", {
      outcome: "other",
      results: [result],
      text: "The report does not have this invocation.",
    }),
  );
  return { rows: [...planned, ...others] };
}

/** Removes one invocation of an address from a list, and returns it. */
function takeInvocation<T extends { readonly address: string }>(invoked: T[], address: string): T[] {
  const index = invoked.findIndex((one) => one.address === address);
  return index < 0 ? [] : invoked.splice(index, 1);
}
