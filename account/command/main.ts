import { driftMain } from "./drift.ts";
import { exportMain } from "./export.ts";
import { orphansMain } from "./orphans.ts";

/** Commands of an account: one part of the program, since all of them contain the engine. */
export const accountCommands = { export: exportMain, orphans: orphansMain, drift: driftMain } as const;
