import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
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
