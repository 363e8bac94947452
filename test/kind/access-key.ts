import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import { recipient } from "../simulation/catalogue.ts";
import type { Row, SimulatedKind } from "../simulation/kind.ts";

const replace = { name: "life-2" };

export const lifecycleCase: LifecycleCase = {
  // The name in the emulator is the key id.
  idOf: ({ name }) => name,
  removedWith: ({ krn }) => [krn],
  inputs: { name: "life" },
  update: null,
  replace,
  replaceSameName: { ...replace, rotateWhenChanged: { month: "2026-02" } },
  drift: null,
  importId: (id) => id,
  recordedByApply: true,
};

export const simulatedKind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({
    name: `ours-${nth}`,
    ...(draw.chance(0.3) ? { recipientPublicKey: recipient } : {}),
  }),
  vary: (_, inputs, nth) => ({ ...inputs, rotateWhenChanged: { round: String(nth) } }),
  idOf: ({ name }) => name,
  is: (row, { name }) => (row as Row & { readonly keyName: string }).keyName === name,
  // The listing shows no names.
  unlisted: true,
};
