import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

const quay = (name: string, cidr: string) => ({
  name,
  resource: "subnet",
  inputs: { vpcId: inNetwork, name, cidr },
});
const watch = (name: string) => ({
  name,
  resource: "security-group",
  inputs: { vpcId: inNetwork, name },
});
const of = (ref: string) => ({ ref, property: "id" });
const inputs = { vpcId: inNetwork, name: "life", subnetId: of("quay"), securityGroups: [of("day-watch")] };
const replace = { ...inputs, name: "life-2" };

export const lifecycleCase: LifecycleCase = {
  dependencies: [
    quay("quay", "10.0.10.0/24"),
    quay("far-quay", "10.0.11.0/24"),
    watch("day-watch"),
    watch("night-watch"),
  ],
  inputs,
  update: { ...inputs, securityGroups: [of("night-watch"), of("day-watch")] },
  replace,
  replaceSameName: { ...replace, subnetId: of("far-quay") },
  last: { ...inputs, name: "life-3" },
  drift: { change: { uses: [] }, planned: "update" },
  undeletable: true,
  importId: (id, vpc) => `${vpc},${id}`,
};

export const simulatedKind: SimulatedKind = {
  needs: ["vpc", "subnet", "security-group"],
  make: (_, nth, refs) => ({
    vpcId: refs.vpc as Ref,
    subnetId: refs.subnet as Ref,
    name: `ours-${nth}`,
    ...(nth % 2 === 0 ? { securityGroups: [refs["security-group"] as Ref] } : {}),
  }),
  vary: (_, inputs, nth) => ({ ...inputs, name: `ours-${nth}` }),
  outsideVpc: true,
};
