import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";

export const lifecycleCase: LifecycleCase = {
  inputs: { name: "life", primarySubnet: { name: "first", cidr: "10.1.0.0/24" } },
  update: null,
  replace: { name: "life-2", primarySubnet: { name: "first", cidr: "10.1.0.0/24" } },
  replaceSameName: { name: "life-2", primarySubnet: { name: "first", cidr: "10.1.1.0/24" } },
  drift: { change: { name: "other" }, planned: "replace" },
  importId: (id) => id,
  // The API does not show which subnet is the first one of a VPC.
  recordedByApply: true,
};

export const simulatedKind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({
    name: `ours-${nth}`,
    ...(draw.chance(0.3) ? { primarySubnet: { name: "first", cidr: `10.${nth}.255.0/24` } } : {}),
  }),
  vary: (_, inputs, nth) => ({
    ...inputs,
    primarySubnet: { name: `first-${nth}`, cidr: `10.${nth}.254.0/24` },
  }),
  drift: () => ({ name: "ours-renamed" }),
};
