import { uuidOf } from "../../emulator/state/id.ts";
import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";

const inputs = { name: "life", model: "llama", ngpu: 1 };
const replace = { ...inputs, name: "life-2" };

export const lifecycleCase: LifecycleCase = {
  inputs,
  update: { ...inputs, waitFor: ["running"], keepWhenGone: false },
  replace,
  replaceSameName: { ...replace, ngpu: 2 },
  drift: null,
  importId: (id) => id,
  recordedByApply: true,
};

export const simulatedKind: SimulatedKind = {
  idOf: ({ krn }) => uuidOf(krn),
  needs: [],
  make: (draw, nth) => ({
    name: `ours-${nth}`,
    ...(draw.chance(0.5) ? { model: "llama", ngpu: draw.int(1, 8) } : {}),
    ...(draw.chance(0.3) ? { checkpoint: "chat-small-001" } : {}),
    ...(draw.chance(0.3) ? { priority: draw.int(0, 9) } : {}),
    ...(draw.chance(0.3) ? { waitFor: draw.pick([["running"], ["Ready", "RUNNING"], ["never"]]) } : {}),
    ...(draw.chance(0.3) ? { keepWhenGone: draw.chance(0.5) } : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, ngpu: draw.int(1, 8) },
      { ...inputs, waitFor: ["running"] },
      { ...inputs, keepWhenGone: draw.chance(0.5) },
    ]),
};
