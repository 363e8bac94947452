/** Tests are TypeScript run as native ES modules; esbuild only strips the types. */
export default {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/test/transform.js" },
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  testTimeout: 180_000,
  maxWorkers: 2,
};
