import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  needs: ["instance"],
  make: (draw, nth, refs) => ({
    instanceId: refs.instance as Ref,
    name: `ours-${nth}`,
    ...(draw.chance(0.5) ? { description: "less" } : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, description: "more" },
    ]),
  outsideVpc: true,
  drift: () => ({ name: "ours-renamed" }),
};
