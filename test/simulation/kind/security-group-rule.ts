import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
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
