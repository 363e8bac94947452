import type { Emulator } from "../../emulator/emulator.ts";
import { isCancelled, isPermanent } from "../simulation/row.ts";

/** Returns the objects that a destroy should have deleted. */
export const leftover = ({ inventory }: Emulator) =>
  inventory.list().filter((row) => !isPermanent(row) && !isCancelled(row));
