import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  needs: ["vpc"],
  make: (_, nth, { vpc }) => ({ vpcId: vpc as Ref, name: `ours-${nth}` }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, description: "more" },
    ]),
};
