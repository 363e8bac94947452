import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";

const replace = { name: "life-2", tags: { team: "orders" } };

export const lifecycleCase: LifecycleCase = {
  inputs: { name: "life" },
  update: { name: "life", versioning: true, tags: { team: "orders" } },
  replace,
  replaceSameName: { ...replace, description: "Another" },
  drift: { change: { anonymous: true }, planned: "update" },
  importId: (id) => id,
};

export const simulatedKind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({
    name: `ours-${nth}`,
    ...(draw.chance(0.3) ? { tags: { tier: "gold" } } : {}),
    ...(draw.chance(0.3) ? { versioning: true } : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, tags: { tier: "silver" }, anonymousAccess: true },
      { ...inputs, versioning: false },
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, description: `the ${nth}th` },
    ]),
  drift: (draw) => draw.pick([{ anonymous: true }, { versioning: true }, { tags: { by: "hand" } }]),
  writes: { versioning: "versioning", anonymous: "anonymousAccess", tags: "tags" },
};
