import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { expect, test } from "@jest/globals";
import { joinedProgram } from "../../../review/program/program.ts";

/** Modules joined to one script. */

/** Joins `main.ts` of these modules. */
function joined(modules: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "kcloud-program-"));
  try {
    for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text);
    return joinedProgram(pathToFileURL(join(folder, "main.ts")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("modules run once each, after those that they import, and without types", () => {
  const script = joined({
    "main.ts": `import { left } from "./left.ts";\nimport { right, type Side } from "./right.ts";\nimport type { Kind } from "./kind.ts";\nconst side: Side & Kind = 1;\nput(left + right + side);\n`,
    "left.ts": `import { count } from "./count.ts";\nexport const left = count();\n`,
    "right.ts": `import { count } from "./count.ts";\nexport type Side = number;\nexport const right = count();\n`,
    "count.ts": `let calls = 0;\nput("count");\n/** Counts. */\nexport function count(): number {\n  return ++calls;\n}\n`,
    "kind.ts": `put("no module: only its types are imported");\nexport type Kind = number;\n`,
  });
  const results: unknown[] = [];
  runInNewContext(script, { put: (result: unknown) => results.push(result) });
  expect(results).toEqual(["count", 4]);
  expect(script).not.toMatch(/Counts|: number/);
});

test.each([
  [
    "the same name in two modules",
    `import { a } from "./a.ts";\nconst b = a;\n`,
    /'b' has already been declared/,
  ],
  ["a default export", `export default 1;\n`, /cannot be joined to one script: export default 1/],
  ["an import of a namespace", `import * as a from "./a.ts";\na.a;\n`, /cannot be joined/],
  ["an import of a package", `import { join } from "node:path";\njoin();\n`, /cannot be joined/],
])("%s is an error", (_, main, message) => {
  expect(() => joined({ "main.ts": main, "a.ts": "export const a = 1;\nexport const b = 2;\n" })).toThrow(
    message,
  );
});
