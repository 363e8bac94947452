import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  needs: ["vpc", "port", "security-group"],
  make: (_draw, _nth, refs) => ({
    portId: refs.port as Ref,
    securityGroups: [refs["security-group"] as Ref],
  }),
  // Two lists of groups for one port would overwrite each other.
  accepts: ({ resource, inputs }, { others }) =>
    resource !== "port" || (others === 0 && inputs.securityGroups === undefined),
  successor: null,
  vary: (_, inputs) => inputs,
  is: () => false,
};
