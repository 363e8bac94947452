import type { Noun, Ref } from "../noun.ts";

export const noun: Noun = {
  needs: ["account-policy"],
  make: (_draw, nth, refs) => ({ policyId: refs["account-policy"] as Ref, kcid: `ours-${nth}` }),
  // A policy is in force or not.
  takes: (_, { others }) => others === 0,
  successor: null,
  vary: (_, inputs, nth) => ({ ...inputs, kcid: `ours-${nth}` }),
  idOf: ({ parents: [policy = ""] }) => policy,
  is: ({ parents: [policy] }, { policyId }) => policy === policyId,
  blind: true,
};
