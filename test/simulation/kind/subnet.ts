import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  needs: ["vpc"],
  make: (_, nth, { vpc }) => ({ vpcId: vpc as Ref, name: `ours-${nth}`, cidr: `10.${nth}.0.0/24` }),
  is: (row, { name, cidr }) => row.name === name && (row as { cidr?: string }).cidr === cidr,
  // Ranges must not overlap.
  successor: (inputs, nth) => ({ ...inputs, name: `ours-${nth}`, cidr: `10.${nth}.0.0/24` }),
  vary: (draw, inputs, nth) => ({
    ...inputs,
    ...(draw.chance(0.5) ? { cidr: `10.${nth}.0.0/24` } : { name: `ours-${nth}` }),
  }),
  drift: () => ({ name: "ours-renamed" }),
};
