import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { removeUnreachable } from "../../tools/reachable.ts";

/** Writes declaration files; returns their folder. */
function folderWith(files: { readonly [path: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "kcloud-reachable-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test("declaration files that no entry reaches are removed, and their folders", () => {
  const folder = folderWith({
    "entry.d.ts": 'export { a } from "./inner/a.js";\nimport type { B } from "./b.ts";\n',
    "inner/a.d.ts": 'export declare const a: import("../c.js").C;\n',
    "b.d.ts": "export type B = 1;\n",
    "c.d.ts": "export type C = 1;\n",
    "other/d.d.ts": 'export { a } from "../inner/a.js";\n',
    "package.json": "{}",
  });
  removeUnreachable(folder, ["entry.d.ts"]);
  expect(readdirSync(folder, { recursive: true }).map(String).toSorted()).toEqual([
    "b.d.ts",
    "c.d.ts",
    "entry.d.ts",
    "inner",
    "inner/a.d.ts",
    "package.json",
  ]);
});

test("an import without a file is an error", () => {
  const folder = folderWith({ "entry.d.ts": 'export { a } from "./a.js";\n' });
  expect(() => removeUnreachable(folder, ["entry.d.ts"])).toThrow("there is no declaration file");
});
