import { volumeTypes } from "../catalogue.ts";
import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  needs: ["vpc"],
  make: (draw, nth, { vpc }) => ({
    vpcId: vpc as Ref,
    name: `ours-${nth}`,
    sizeGb: draw.int(1, 50),
    volumeType: draw.pick(volumeTypes),
    ...(draw.chance(0.3) ? { metadata: { tier: "gold" } } : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, sizeGb: Number(inputs.sizeGb) + draw.int(1, 9) },
      {
        ...inputs,
        sizeGb: Number(inputs.sizeGb) + 1,
        volumeType: draw.pick(volumeTypes),
        description: "more",
      },
      { ...inputs, name: `ours-${nth}`, metadata: { tier: "silver" } },
      { ...inputs, multiattach: true },
      { ...inputs, name: `ours-${nth}`, availabilityZone: "nova-2" },
    ]),
  drift: (draw) =>
    draw.pick([{ description: "by hand" }, { name: "ours-renamed" }, { metadata: { by: "hand" } }]),
  writes: { name: "name", description: "description", metadata: "metadata" },
};
