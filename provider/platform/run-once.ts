/**
 * Configures V8 for a command that reads much data, prints a result and usually ends within a second (bench/README.md).
 * Call this function after all code is loaded, since V8 compares a hash of all flags with that of cached code.
 */
export function runOnce(): void {
  // Other commands do not load the module.
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  // Keeps the size of the young generation, which can grow to 64 MB if much of the data stays in memory.
  setFlagsFromString("--semi-space-growth-factor=1");
  // The optimizing compiler takes more time than its code saves; a faster compiler still compiles frequent functions.
  setFlagsFromString("--no-turbofan");
}
