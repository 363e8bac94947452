import type { SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({
    name: `ours-${nth}`,
    ...(draw.chance(0.3) ? { tags: { tier: "gold" } } : {}),
    ...(draw.chance(0.3) ? { versioning: true } : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, tags: { tier: "silver" }, anonymousAccess: true },
      { ...inputs, versioning: false },
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, description: `the ${nth}th` },
    ]),
  drift: (draw) => draw.pick([{ anonymous: true }, { versioning: true }, { tags: { by: "hand" } }]),
  writes: { versioning: "versioning", anonymous: "anonymousAccess", tags: "tags" },
};
