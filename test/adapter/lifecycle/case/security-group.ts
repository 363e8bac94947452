import { inNetwork, type LifecycleCase } from "../case.ts";

export const lifecycleCase: LifecycleCase = {
  inputs: { vpcId: inNetwork, name: "life" },
  update: null,
  replace: { vpcId: inNetwork, name: "life-2" },
  replaceSameName: { vpcId: inNetwork, name: "life-2", description: "Another" },
  drift: { change: { description: "changed by hand" }, planned: "replace" },
  importId: (id, vpc) => `${vpc},${id}`,
};
