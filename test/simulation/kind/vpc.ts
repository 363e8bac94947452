import type { SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({
    name: `ours-${nth}`,
    ...(draw.chance(0.3) ? { primarySubnet: { name: "first", cidr: `10.${nth}.255.0/24` } } : {}),
  }),
  vary: (_, inputs, nth) => ({
    ...inputs,
    primarySubnet: { name: `first-${nth}`, cidr: `10.${nth}.254.0/24` },
  }),
  drift: () => ({ name: "ours-renamed" }),
};
