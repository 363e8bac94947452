import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

const group = (name: string) => ({
  name,
  resource: "security-group",
  inputs: { vpcId: inNetwork, name },
});
const inGuard = { vpcId: inNetwork, securityGroupId: { ref: "guard", property: "id" } };
const fromAnywhere = { direction: "ingress", protocol: "tcp", remoteIpPrefix: "0.0.0.0/0" };
const inputs = { ...inGuard, ...fromAnywhere, portRangeMin: 80, portRangeMax: 80 };

export const lifecycleCase: LifecycleCase = {
  dependencies: [group("guard"), group("spare")],
  inputs,
  update: { ...inputs, securityGroupId: { ref: "spare", property: "id" } },
  replace: { ...inputs, portRangeMax: 443 },
  replaceSameName: { ...inputs, protocol: "udp" },
  drift: { change: { groups: [] }, planned: "replace" },
  // The API does not distinguish a detached rule from a deleted one, so the engine replaces a rule that no group lists.
  deleted: "replace",
  importId: (id, vpc) => `${vpc},${id}`,
  recordedByApply: true,
};

export const simulatedKind: SimulatedKind = {
  needs: ["vpc", "security-group"],
  make: (draw, nth, refs) => ({
    vpcId: refs.vpc as Ref,
    securityGroupId: refs["security-group"] as Ref,
    direction: draw.pick(["ingress", "egress"]),
    protocol: draw.pick(["tcp", "udp"]),
    remoteIpPrefix: "0.0.0.0/0",
    portRangeMin: 1_000 + nth,
    portRangeMax: 2_000 + nth,
  }),
  successor: (inputs, nth) => ({ ...inputs, portRangeMin: 1_000 + nth }),
  vary: (_, inputs, nth) => ({ ...inputs, portRangeMin: 1_000 + nth }),
  is: (row, { portRangeMin }) => (row as { portMin?: number }).portMin === portRangeMin,
  drift: () => ({ groups: [] }),
};
