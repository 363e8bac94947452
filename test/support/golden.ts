import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "@jest/globals";

/** True if golden files are written instead of compared: `UPDATE_GOLDEN=1 npm run unit -- test/x.test.ts`. */
const writing = process.env.UPDATE_GOLDEN === "1";

/** Expects a text to equal its file in `test/golden/` exactly. */
export function expectGolden(name: string, text: string): void {
  const file = join(import.meta.dirname, "../golden", name);
  if (writing) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}
