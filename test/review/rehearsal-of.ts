import { type Change, isEffective } from "../../review/model/change.ts";
import type { Rehearsed } from "../../review/model/outcome.ts";
import type { Plan } from "../../review/model/plan.ts";
import type { Rehearsal, RehearsedObject, RehearsedStep } from "../../review/model/rehearsal.ts";
import { approvalOf } from "../../review/report/digest.ts";

/** Rehearsals of plans, as `kcloud rehearse` writes them. */

const classes: { readonly [A in Change["action"]]?: RehearsedObject["class"] } = {
  create: "created",
  update: "changed",
  replace: "replaced",
  delete: "destroyed",
  forget: "untouched",
};

/** Returns the steps of a change. */
const actionsOf = ({ action }: Change): RehearsedStep["action"][] =>
  action === "replace"
    ? ["delete", "create"]
    : action === "create" || action === "update" || action === "delete"
      ? [action]
      : [];

/** Returns a rehearsal in which every change of a plan is done, one after the other, and a second plan is empty. */
export function rehearsalOf(plan: Plan, more: Partial<Rehearsal> = {}): Rehearsal {
  const changes = plan.changes.filter(({ action }) => action !== "read");
  const steps = changes.flatMap((change) =>
    actionsOf(change).map((action) => ({ address: change.address, action })),
  );
  return {
    version: 1,
    engine: { name: "terraform", version: "1.16.0" },
    approval: approvalOf([plan], undefined).digest,
    isComplete: true,
    steps: steps.map((step, index) => ({ ...step, result: "done", start: 2 * index, end: 2 * index + 1 })),
    longestPath: steps.map(({ address }) => address),
    objects: changes.map((change) => ({
      address: change.address,
      kind: change.resource?.name ?? change.type,
      class: isEffective(change) ? (classes[change.action] ?? "untouched") : "untouched",
      isInterrupted: false,
      assumptions: [],
    })),
    absent: [],
    errors: [],
    secondPlan: [],
    assumed: [],
    unknown: [],
    differences: [],
    ...more,
  };
}

/** Returns the rehearsal of a plan as the rules get it. */
export const rehearsed = (plan: Plan, more?: Partial<Rehearsal>): Rehearsed => ({
  plan: plan.name,
  rehearsal: rehearsalOf(plan, more),
});

/** Returns the objects of the rehearsal of a plan, of which the one at an address has other values. */
export const objectsWith = (plan: Plan, address: string, more: Partial<RehearsedObject>): RehearsedObject[] =>
  rehearsalOf(plan).objects.map((object) => (object.address === address ? { ...object, ...more } : object));
