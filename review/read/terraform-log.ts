import type { ApplyLog, LogMessage, LogStep, StepAction, StepEvent } from "../model/apply-log.ts";
import { type Json, objectOf, stringOf } from "./json.ts";

/** Reads the messages of `apply -json` of Terraform and OpenTofu. */

const results = { apply_start: undefined, apply_complete: "done", apply_errored: "failed" } as const;

const stepActions: ReadonlySet<unknown> = new Set<StepAction>([
  ...(["create", "update", "delete", "read", "replace"] as const),
]);

/** Messages about a step that has not ended, or that belongs to another one. */
const isOfStep = /^(?:apply|provision|action|ephemeral_op)_/;

export function readTerraformLog(messages: readonly Json[]): ApplyLog {
  const versions = messages.filter(({ type }) => type === "version");
  const [version = {}] = versions;
  const name = stringOf(version.tofu) === undefined ? "terraform" : "opentofu";
  const events = messages.flatMap(stepEventIn);
  return {
    engine: name,
    engineVersion: stringOf(version.tofu) ?? stringOf(version.terraform),
    events,
    unchanged: [],
    invocations: invocationsIn(messages),
    errors: messages.flatMap((message) => diagnosticIn(message, "error")),
    warnings: messages.flatMap((message) => diagnosticIn(message, "warning")),
    end: endOf(messages),
    // Its messages about objects have no values.
    secrets: new Set(),
    problems: [
      ...(versions.length > 1 ? [`holds ${versions.length} logs`] : []),
      ...(versions.length === 0 ? ["has no beginning"] : []),
      ...(versions.length === 1 ? miscounted(messages, events) : []),
    ],
  };
}

/** Returns the numbers of the summary that are not those of the steps. */
function miscounted(messages: readonly Json[], events: readonly StepEvent[]): string[] {
  const summary = objectOf(messages.findLast((one) => isSummary(one))?.changes);
  const counted = { add: "create", change: "update", remove: "delete" } as const;
  return Object.entries(counted).flatMap(([name, action]) => {
    const count = summary[name];
    const held = events.filter((event) => event.action === action && event.result === "done").length;
    return typeof count === "number" && count !== held
      ? [`has ${held} steps ${action}, and its summary counts ${count}`]
      : [];
  });
}

/** Returns true for the summary at the end of an apply; that of a plan is another one. */
const isSummary = ({ type, changes }: Json): boolean =>
  type === "change_summary" && ["apply", "destroy"].includes(String(objectOf(changes).operation));

function stepEventIn({ type, hook }: Json): StepEvent[] {
  const { resource, action, id_value: id, elapsed_seconds: seconds } = objectOf(hook);
  const { addr, resource_type: kind } = objectOf(resource);
  const address = stringOf(addr);
  if (typeof type !== "string" || !Object.hasOwn(results, type) || address === undefined) return [];
  if (!stepActions.has(action)) return [];
  const result = results[type as keyof typeof results];
  return [
    {
      ...{ address, type: stringOf(kind) ?? "", action: action as StepAction },
      ...(result && { result }),
      id: stringOf(id),
      ...(typeof seconds === "number" && result !== undefined ? { seconds } : {}),
    },
  ];
}

const invocationResults: Readonly<Record<string, LogStep["result"] | undefined>> = {
  action_start: "open",
  action_complete: "done",
  action_errored: "failed",
};

/** Returns the actions of providers that were invoked. One action may be invoked several times. */
function invocationsIn(messages: readonly Json[]): ApplyLog["invocations"] {
  const open: string[] = [];
  const ended = messages.flatMap(({ type, hook }) => {
    const address = stringOf(objectOf(objectOf(hook).action).addr);
    const result = invocationResults[String(type)];
    if (address === undefined || result === undefined) return [];
    if (result === "open") {
      open.push(address);
      return [];
    }
    if (open.includes(address)) open.splice(open.indexOf(address), 1);
    return [{ address, result }];
  });
  return [...ended, ...open.map((address) => ({ address, result: "open" as const }))];
}

function diagnosticIn({ diagnostic }: Json, level: "error" | "warning"): LogMessage[] {
  // The snippet of a diagnostic has values of the configuration.
  const { severity, summary, detail, address } = objectOf(diagnostic);
  if (severity !== level) return [];
  const text = [summary, detailOf(String(summary), detail)].filter(Boolean).join(": ");
  const named = stringOf(address);
  return [named === undefined ? { text } : { address: named, text }];
}

/** Returns the detail of an error. That of a provisioner has its command and its output, which are not those of a provider. */
const detailOf = (summary: string, detail: unknown): unknown =>
  /provisioner error$/.test(summary) ? /exit status \d+/.exec(String(detail))?.[0] : detail;

/**
 * Returns how the apply ended. After the last step, the engine writes a summary, or the errors; an engine that is stopped at once
 * writes an error while steps run.
 */
function endOf(messages: readonly Json[]): ApplyLog["end"] {
  let end: ApplyLog["end"];
  for (const message of messages) {
    const { type, diagnostic } = message;
    if (isSummary(message)) end = "succeeded";
    else if (objectOf(diagnostic).severity === "error") end = "failed";
    else if (typeof type === "string" && isOfStep.test(type)) end = undefined;
  }
  return end;
}
