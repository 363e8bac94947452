import { equal } from "../../../provider/core/value.ts";
import type { Plan } from "../../../provider/engine/plan.ts";
import { PlanError, type Run } from "../fake-engine.ts";
import { resolved, type StoredObject } from "../state.ts";

/** Planned change of one object; `plan.problems` says why it cannot be made. */
export interface Change {
  readonly address: string;
  readonly action: "none" | "create" | "update" | "replace" | "delete";
  readonly kept: StoredObject | undefined;
  readonly plan: Plan | undefined;
}

/**
 * Returns the changes that lead to the stack; sends nothing. Throws `PlanError` for invalid inputs, and if planning
 * twice gives two results.
 */
export function previewAll({ stack, state: { kept }, provider }: Run): Change[] {
  const changes = new Map<string, Change>();
  const idOf = (address: string) => {
    const action = changes.get(address)?.action;
    return action === "create" || action === "replace" ? undefined : kept.get(address)?.state.id;
  };
  for (const { address, resource: name, inputs: written } of stack) {
    const before = kept.get(address);
    const made = before?.tainted || before?.isPending ? undefined : before?.state;
    const { inputs, problems } = provider.check(name, resolved(written, idOf), made !== undefined);
    if (problems.length > 0) throw new PlanError(`${address}: `, problems);
    const plan = provider.plan(name, made, inputs, false, { isPreview: true });
    const again = provider.plan(name, made, inputs, false, { isPreview: true });
    if (plan.action !== again.action || !equal(plan.values, again.values))
      throw new PlanError(`${address}: planned twice, with two results`);
    const action = before?.tainted
      ? "replace"
      : plan.action === "none" && before?.unfinished
        ? "update"
        : plan.action;
    changes.set(address, { address, action, kept: before, plan });
  }
  for (const one of kept.values())
    if (!changes.has(one.address))
      changes.set(one.address, { address: one.address, action: "delete", kept: one, plan: undefined });
  return [...changes.values()];
}
