import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

export const lifecycleCase: LifecycleCase = {
  inputs: { vpcId: inNetwork, name: "life" },
  update: null,
  replace: { vpcId: inNetwork, name: "life-2" },
  replaceSameName: { vpcId: inNetwork, name: "life-2", description: "Another" },
  drift: { change: { description: "changed by hand" }, planned: "replace" },
  importId: (id, vpc) => `${vpc},${id}`,
};

export const simulatedKind: SimulatedKind = {
  needs: ["vpc"],
  make: (_, nth, { vpc }) => ({ vpcId: vpc as Ref, name: `ours-${nth}` }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, description: "more" },
    ]),
};
