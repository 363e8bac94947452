import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

export const lifecycleCase: LifecycleCase = {
  inputs: { vpcId: inNetwork, name: "life", cidr: "10.0.1.0/24" },
  update: null,
  replace: { vpcId: inNetwork, name: "life-2", cidr: "10.0.1.0/24" },
  replaceSameName: { vpcId: inNetwork, name: "life-2", cidr: "10.0.2.0/24" },
  drift: { change: { name: "other" }, planned: "replace" },
  importId: (id, vpc) => `${vpc},${id}`,
};

export const simulatedKind: SimulatedKind = {
  needs: ["vpc"],
  make: (_, nth, { vpc }) => ({ vpcId: vpc as Ref, name: `ours-${nth}`, cidr: `10.${nth}.0.0/24` }),
  is: (row, { name, cidr }) => row.name === name && (row as { cidr?: string }).cidr === cidr,
  // Ranges must not overlap.
  successor: (inputs, nth) => ({ ...inputs, name: `ours-${nth}`, cidr: `10.${nth}.0.0/24` }),
  vary: (draw, inputs, nth) => ({
    ...inputs,
    ...(draw.chance(0.5) ? { cidr: `10.${nth}.0.0/24` } : { name: `ours-${nth}` }),
  }),
  drift: () => ({ name: "ours-renamed" }),
};
