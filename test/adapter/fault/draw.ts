import type { Fault } from "../../../emulator/fault/fault.ts";
import { isShownOnce } from "../../../provider/definition/field.ts";
import { visibilityOf } from "../../../provider/engine/existence/visibility.ts";
import { createDraw } from "../../simulation/draw.ts";
import { resource } from "../../support/cloud.ts";
import { isRef, type Stack } from "../adapter.ts";
import { lifecycleCases, type Stage, stackAt } from "../lifecycle/lifecycle.ts";

/**
 * Lifecycle of one resource and of the objects that it refers to, with faults during one step. A seed determines every value.
 */
export interface Case {
  readonly seed: number;
  readonly resource: string;
  /** The step under faults; the steps before it run without. */
  readonly step: Step;
  /** Index of an engine; the first one is drawn in at least half of the cases. */
  readonly engine: number;
}

export type Step = "create" | "update" | "replace" | "destroy";

const stages: Readonly<Record<Step, readonly Stage[]>> = {
  create: ["inputs"],
  update: ["inputs", "update"],
  replace: ["inputs", "replace"],
  destroy: ["inputs"],
};

/** Stages that a case applies, in order; the last one is under faults, unless the destroy is. */
export const stagesOf = ({ step }: Case): readonly Stage[] => stages[step];

export function drawCase(seed: number, engines: number): Case {
  const draw = createDraw(`drawn fault ${seed}`);
  return {
    seed,
    resource: draw.pick(lifecycleCases).resource,
    step: draw.pick(["create", "create", "update", "replace", "destroy"]),
    engine: draw.chance(0.5) ? 0 : draw.int(0, engines - 1),
  };
}

const before = "reset fin 408 429 500 502 503 504 400 403 html-403".split(" ");
const after = "reset fin 500 502 503 504".split(" ");
const invalidResponses =
  "cut-length cut-json empty-200 html-200 error-in-200 wrong-types bad-utf8 text-plain".split(" ");

/**
 * Resources without a read route, or whose listing omits new objects: after a create with a lost response, the new object
 * cannot be found (docs/contract.md#9.4). With them, resources whose secret only the create returns: the error names the new
 * object, and the user deletes it.
 */
const notRecoverable = lifecycleCases.flatMap(({ importId, resource: name }) =>
  importId === null ||
  !visibilityOf(resource(name)).isNewListed ||
  Object.values(resource(name).fields).some(isShownOnce)
    ? [name]
    : [],
);

/**
 * Draws one or two faults of a step, from the number of calls of each operation that the step makes without faults. Omits kinds
 * that only cost time (`hang`, `slow-loris`, `delay`), which the simulation covers on its virtual clock. If the
 * stack has a resource that is not recoverable, draws no fault that executes a call and loses or damages its response.
 */
export function drawFaults({ seed, resource: name }: Case, calls: Readonly<Record<string, number>>): Fault[] {
  const draw = createDraw(`drawn fault ${seed} kinds`);
  const operations = Object.keys(calls).toSorted();
  // A step that sends nothing, such as the destroy of a text result, has no faults.
  if (operations.length === 0) return [];
  const isRecoverable = stackOf(name, "inputs").every((item) => !notRecoverable.includes(item.resource));
  return Array.from({ length: draw.int(1, 2) }, () => {
    const target = draw.pick(operations);
    const kind = draw.pick<Omit<Fault, "target">>([
      { kind: draw.pick(before), when: "before" },
      ...(isRecoverable
        ? [{ kind: draw.pick(after), when: "after" as const }, { kind: draw.pick(invalidResponses) }]
        : []),
    ]);
    return { target, ...kind, from: draw.int(1, Math.min(calls[target] ?? 1, 4)), times: draw.int(1, 4) };
  });
}

const refersTo = (value: unknown): string[] => {
  if (isRef(value)) return [value.ref];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(refersTo) : [];
};

/** Returns the object of a resource's lifecycle at a stage, with all objects that it refers to. */
export function stackOf(resource: string, stage: Stage): Stack {
  const stack = stackAt(stage);
  const names = new Set<string>();
  const add = (name: string): void => {
    if (names.has(name)) return;
    names.add(name);
    for (const item of stack) if (item.name === name) for (const ref of refersTo(item.inputs)) add(ref);
  };
  for (const { dependencies = [] } of lifecycleCases.filter((one) => one.resource === resource))
    for (const { name } of dependencies) add(name);
  add(resource);
  return (
    stack
      .filter(({ name }) => names.has(name))
      // Only the object of the lifecycle changes; the objects that it refers to stay the same.
      .map((item) =>
        item.name === resource ? item : (stackAt("inputs").find(({ name }) => name === item.name) ?? item),
      )
  );
}
