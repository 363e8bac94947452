import type { Emulator } from "../../emulator/emulator.ts";

/** Resolves when the emulator has received this number of requests of an operation. */
export const received = (emulator: Emulator, operation: string, count = 1): Promise<void> =>
  new Promise((resolve) => {
    const look = setInterval(() => {
      if (emulator.log.count({ operation }) < count) return;
      clearInterval(look);
      resolve();
    }, 5);
  });
