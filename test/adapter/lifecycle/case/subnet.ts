import { inNetwork, type LifecycleCase } from "../case.ts";

export const lifecycleCase: LifecycleCase = {
  inputs: { vpcId: inNetwork, name: "life", cidr: "10.0.1.0/24" },
  update: null,
  replace: { vpcId: inNetwork, name: "life-2", cidr: "10.0.1.0/24" },
  replaceSameName: { vpcId: inNetwork, name: "life-2", cidr: "10.0.2.0/24" },
  drift: { change: { name: "other" }, planned: "replace" },
  importId: (id, vpc) => `${vpc},${id}`,
};
