import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

const policy = (name: string) => ({
  name,
  resource: "account-policy",
  inputs: { name, statements: "[]" },
});
const of = (name: string) => ({ policyId: { ref: name, property: "id" }, kcid: "one" });

const policies = ["readers", "writers", "auditors"];

export const lifecycleCase: LifecycleCase = {
  dependencies: policies.map(policy),
  recordedAround: policies,
  // The id of an attachment is that of its policy.
  idOf: ({ parents }) => parents[0] ?? null,
  inputs: of("readers"),
  update: { ...of("readers"), kcid: "two" },
  replace: of("writers"),
  replaceSameName: of("auditors"),
  drift: null,
  // No route shows an attachment, so a deletion is not visible.
  deleted: "never",
  importId: null,
};

export const simulatedKind: SimulatedKind = {
  needs: ["account-policy"],
  make: (_draw, nth, refs) => ({ policyId: refs["account-policy"] as Ref, kcid: `ours-${nth}` }),
  // A policy is attached or not: deleting the previous attachment may still detach it.
  accepts: (_, { others, left }) => others === 0 && !left,
  successor: null,
  vary: (_, inputs, nth) => ({ ...inputs, kcid: `ours-${nth}` }),
  idOf: ({ parents: [policy = ""] }) => policy,
  is: ({ parents: [policy] }, { policyId }) => policy === policyId,
  unlisted: true,
};
