import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { bundle } from "../../tools/bundle.ts";

/** Tests programs in one file, whose later parts are comments until they are imported. */

const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-bundle-"));
});

afterEach(() => rm(folder, { recursive: true }));

/** Bundles these files into a program in a folder without other files; returns its path. */
async function bundled(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const program = join(folder, "program.cjs");
  await bundle({ absWorkingDir: folder, entryPoints: [join(folder, "main.ts")] }, program);
  for (const name of Object.keys(files)) await rm(join(folder, name));
  return program;
}

/** Text that would end a comment too early. */
const hostile = "a */ b *\\/ c";

test("a part that is imported later runs on demand from the same file", async () => {
  const program = await bundled({
    "main.ts": `console.log("first"); void import("./part.ts").then(({ tell }) => tell());`,
    "part.ts": `console.log("part"); export const tell = () => console.log(${JSON.stringify(hostile)}, /x*/.source);`,
  });
  expect((await run(process.execPath, [program])).stdout).toBe(`first\npart\n${hostile} x*\n`);
});

test("a part matches characters outside of ASCII", async () => {
  const program = await bundled({
    "main.ts": `void import("./part.ts").then(({ isCut }) => console.log(isCut("word\\u2026"), isCut("word")));`,
    "part.ts": `export const isCut = (text: string) => /…$/u.test(text);`,
  });
  expect((await run(process.execPath, [program])).stdout).toBe("true false\n");
});

test("a part may import a later one itself", async () => {
  const program = await bundled({
    "main.ts": `void import("./part.ts").then(({ next }) => next());`,
    "part.ts": `export const next = async () => console.log((await import("./last.ts")).word);`,
    "last.ts": `export const word = "last";`,
  });
  expect((await run(process.execPath, [program])).stdout).toBe("last\n");
});

test("a later part is a comment until it is imported", async () => {
  const program = await bundled({
    "main.ts": `if (process.argv.length > 2) void import("./part.ts");`,
    "part.ts": `throw new Error("the part ran");`,
  });
  const text = await readFile(program, "utf8");
  expect(text.slice(text.lastIndexOf("/*part.ts\n"))).toMatch(/^\/\*part\.ts\n.*the part ran.*\*\/\n$/s);
  expect((await run(process.execPath, [program])).stderr).toBe("");
  await expect(run(process.execPath, [program, "now"])).rejects.toThrow("the part ran");
});

test("constants are computed when the program is bundled", async () => {
  const program = await bundled({
    "main.ts": `void import("./constant.ts").then(async ({ constants }) => console.log(await constants()));`,
    "constant.ts": `export const constants = async () => ({ place: import.meta.url });`,
  });
  const place = pathToFileURL(join(folder, "constant.ts")).href;
  expect((await run(process.execPath, [program])).stdout).toBe(
    `{ place: ${JSON.stringify(place)} }\n`.replaceAll('"', "'"),
  );
});
