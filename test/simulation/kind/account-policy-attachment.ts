import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
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
