import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import { volumeTypes } from "../simulation/catalogue.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

export const lifecycleCase: LifecycleCase = {
  // Instances create the other volumes, which have a source, to boot from them.
  idOf: (item) => ("source" in item && item.source !== null ? null : item.krn),
  inputs: { vpcId: inNetwork, name: "life", sizeGb: 20, volumeType: "ssd" },
  update: { vpcId: inNetwork, name: "life", sizeGb: 30, volumeType: "ssd", metadata: { tier: "gold" } },
  replace: { vpcId: inNetwork, name: "life-2", sizeGb: 30, volumeType: "ssd", availabilityZone: "nova-2" },
  replaceSameName: { vpcId: inNetwork, name: "life-2", sizeGb: 30, volumeType: "ssd", multiattach: true },
  drift: { change: { description: "changed by hand" }, planned: "update" },
  importId: (id, vpc) => `${vpc},${id}`,
};

export const simulatedKind: SimulatedKind = {
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
