import type { LifecycleCase } from "../case.ts";

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
