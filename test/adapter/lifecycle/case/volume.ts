import { inNetwork, type LifecycleCase } from "../case.ts";

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
