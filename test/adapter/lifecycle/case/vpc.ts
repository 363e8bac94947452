import type { LifecycleCase } from "../case.ts";

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
