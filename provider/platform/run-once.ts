import { setFlagsFromString } from "node:v8";

/**
 * Sets V8 for a command that reads much, writes the result, and ends: mostly within a second (bench/README.md). V8 compares
 * a hash of all flags with that of cached code: call this function when everything is loaded.
 */
export function runOnce(): void {
  // The young generation keeps its size: V8 lets it grow to 64 MB where much of what is read stays in memory.
  setFlagsFromString("--semi-space-growth-factor=1");
  // The optimizing compiler takes more time than its code saves; the one before it compiles what is called often.
  setFlagsFromString("--no-turbofan");
}
