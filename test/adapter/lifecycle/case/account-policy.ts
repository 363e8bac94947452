import type { LifecycleCase } from "../case.ts";

const statements = JSON.stringify([{ effect: "allow", action: ["kos:GetObject"], resource: ["*"] }]);
const inputs = { name: "life", statements };
const replace = { ...inputs, name: "life-2", policyKrn: "krn:iam:In-Bangalore-1:default:default:policy:one" };

export const lifecycleCase: LifecycleCase = {
  inputs,
  update: { ...inputs, statements: statements.replace("allow", "deny"), conditions: "{}" },
  replace,
  replaceSameName: { ...replace, policyKrn: "krn:iam:In-Bangalore-1:default:default:policy:two" },
  drift: { change: { name: "by hand" }, planned: "update" },
  importId: (id) => id,
  recordedByApply: true,
};
