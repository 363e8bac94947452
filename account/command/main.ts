import { driftMain } from "./drift.ts";
import { exportMain } from "./export.ts";
import { inventoryMain } from "./inventory.ts";
import { orphansMain } from "./orphans.ts";
import { seedFromStates } from "./seed.ts";

/** Commands of an account, and the seed of an emulator from states. */
export const accountCommands = {
  export: exportMain,
  inventory: inventoryMain,
  orphans: orphansMain,
  drift: driftMain,
  seedFromStates,
} as const;
