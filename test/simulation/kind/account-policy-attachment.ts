import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  place: 22,
  needs: ["account-policy"],
  make: (_draw, nth, refs) => ({ policyId: refs["account-policy"] as Ref, kcid: `ours-${nth}` }),
  // A policy is in force or not, and whoever had it so a moment ago may still take it away.
  takes: (_, { others, left }) => others === 0 && !left,
  successor: null,
  vary: (_, inputs, nth) => ({ ...inputs, kcid: `ours-${nth}` }),
  idOf: ({ parents: [policy = ""] }) => policy,
  is: ({ parents: [policy] }, { policyId }) => policy === policyId,
  blind: true,
};
