import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";

const statements = (effect: string) => JSON.stringify([{ effect, action: ["kos:GetObject"] }]);
const inputs = { name: "life", statements: statements("allow") };
const replace = { ...inputs, name: "life-2", policyKrn: "krn:iam:In-Bangalore-1:default:default:policy:one" };

export const lifecycleCase: LifecycleCase = {
  inputs,
  update: { ...inputs, statements: statements("deny"), conditions: "{}" },
  replace,
  replaceSameName: { ...replace, policyKrn: "krn:iam:In-Bangalore-1:default:default:policy:two" },
  drift: { change: { name: "by hand" }, planned: "update" },
  importId: (id) => id,
  recordedByApply: true,
};

const ownKrn = (nth: number) => `krn:iam:In-Bangalore-1:default:default:policy:own-${nth}`;

export const simulatedKind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({
    name: `ours-${nth}`,
    statements: statements("allow"),
    ...(draw.chance(0.3) ? { conditions: "{}" } : {}),
    ...(draw.chance(0.3) ? { policyKrn: ownKrn(nth) } : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, statements: statements(draw.pick(["allow", "deny"])) },
      { ...inputs, name: `ours-${nth}`, conditions: `{"nth": ${nth}}` },
      { ...inputs, policyKrn: ownKrn(nth) },
    ]),
  successor: ({ policyKrn: _, ...inputs }, nth) => ({ ...inputs, name: `ours-${nth}` }),
  // The API shows a policy only by its id.
  unlisted: true,
  // Pulumi creates the replacement of a renamed policy first, which fails if both are to have one KRN.
  drift: (_, { krn }): { name?: string } => (krn.includes(":own-") ? {} : { name: "ours-renamed" }),
  writes: { name: "name", statements: "statements", conditions: "conditions" },
};
