import type { LifecycleCase } from "../case.ts";

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
