import type { ApplyLog, LogStep } from "../model/apply-log.ts";
import type { StateObject } from "../model/apply-state.ts";
import { wordsOf } from "../model/change.ts";
import { counted } from "../rule/fact.ts";
import { type Facts, type Outcome, outcomeOf } from "./applied-outcome.ts";
import { comparedInputs } from "./applied-value.ts";
import type { AppliedObject, AppliedPlan, Report, ReportChange } from "./report.ts";
import { visible } from "./value.ts";

/** Rows of the report after an apply: what was done with an object, what exists now, and the effects that belong to no object. */

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
export function takeSteps(change: ReportChange, steps: LogStep[]): Needed {
  return neededActions(change).map((action) => {
    const candidates = steps.filter((one) => one.action === action);
    const step = candidates.find(({ id }) => id !== undefined && id === change.id) ?? candidates[0];
    if (step !== undefined) steps.splice(steps.indexOf(step), 1);
    return { action, step };
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

export function rowOf(input: RowInput): AppliedObject {
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
export function foreignRow(
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
export function invocationRows(
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
    const results = (isRead ? read : takeInvocation(invoked, address)).map(({ result }) => result);
    const result = results.includes("failed")
      ? "failed"
      : results.includes("open")
        ? "open"
        : results.length > 0
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
