/** Tests are TypeScript run as native ES modules; esbuild only strips the types. */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/test/transform.js" },
  testSequencer: "<rootDir>/test/suite/sequencer.ts",
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  // Ends a test that hangs. No test depends on the speed of the machine.
  testTimeout: 900_000,
  // One more than the smallest machine has processors: suites with engines wait a third of their time.
  maxWorkers: 3,
};
