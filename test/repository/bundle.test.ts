import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { BuildOptions } from "esbuild";
import { programs } from "../../tools/bundle/program.ts";
import { bundle, compile, nothingBundled } from "../../tools/bundle.ts";
import { root } from "./repository.ts";

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

test("parts can be in a file of their own next to the program, which returns the files of its code", async () => {
  await writeFile(join(folder, "main.ts"), `console.log("first"); void import("./part.ts");`);
  await writeFile(
    join(folder, "part.ts"),
    `console.log(${JSON.stringify(hostile)}); void import("./last.ts");`,
  );
  await writeFile(join(folder, "last.ts"), `console.log("last");`);
  const program = join(folder, "program.cjs");
  const options = { absWorkingDir: folder, entryPoints: [join(folder, "main.ts")] };
  const inputs = await bundle(options, program, "program.part");
  expect([...inputs].filter((file) => !file.includes("tools/")).toSorted()).toEqual([
    "last.ts",
    "main.ts",
    "part.ts",
  ]);
  expect(await readFile(program, "utf8")).not.toContain("a */ b");
  expect((await run(process.execPath, [program])).stdout).toBe(`first\n${hostile}\nlast\n`);
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

/** Classes of a part, by file and name: those that it compares with `instanceof`, and those that it creates objects of. */
interface Classes {
  readonly compared: ReadonlySet<string>;
  readonly created: ReadonlySet<string>;
  /** Parts that it loads. */
  readonly loads: readonly string[];
}

function classesOf(text: string): Classes {
  const classes = new Map<string, string>();
  let file = "";
  for (const line of text.split("\n")) {
    file = /^ *\/\/ (\S+\.[jt]s)$/.exec(line)?.[1] ?? file;
    const [, name] = /^ *(?:var|class) (\w+) (?:= class\b|extends\b|\{)/.exec(line) ?? [];
    if (name !== undefined) classes.set(name, `${file} ${name.replace(/\d+$/, "")}`);
  }
  const matched = (pattern: RegExp) =>
    new Set([...text.matchAll(pattern)].flatMap(([, name = ""]) => classes.get(name) ?? []));
  return {
    compared: matched(/\binstanceof (\w+)/g),
    created: matched(/\bnew (\w+)\(/g),
    loads: [...text.matchAll(/\.runPart\)?\("([^"]+)"/g)].map(([, part = ""]) => part),
  };
}

/**
 * Returns the classes that one part of a program compares with `instanceof` and that a part which it loads, or which loads it,
 * creates objects of. Each part has its own copy of a class, so that the comparison would be false.
 */
async function crossings(options: BuildOptions): Promise<string[]> {
  const bundled = nothingBundled();
  const main = await compile({ absWorkingDir: root, ...options, minify: false }, bundled);
  const parts = new Map([...bundled.parts.set("main", main)].map(([name, text]) => [name, classesOf(text)]));
  const isBelow = (part: string, name: string): boolean =>
    parts.get(name)?.loads.some((each) => each === part || isBelow(part, each)) ?? false;
  return [...parts].flatMap(([name, { compared }]) =>
    [...parts]
      .filter(([other]) => isBelow(other, name) || isBelow(name, other))
      .flatMap(([other, { created }]) =>
        [...compared]
          .filter((each) => created.has(each))
          .map((each) => `${name} compares ${each} of ${other}`),
      ),
  );
}

test("a class that two parts share is found", async () => {
  const sources = {
    "main.ts": `import { Known } from "./known.ts"; import("./part.ts").catch((error) => console.log(error instanceof Known));`,
    "part.ts": `import { Known } from "./known.ts"; throw new Known();`,
    "known.ts": "export class Known extends Error {}",
  };
  for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
  const options = { absWorkingDir: folder, entryPoints: [join(folder, "main.ts")] };
  expect(await crossings(options)).toEqual(["main compares known.ts Known of part.ts"]);
});

test("no part of a program compares the class of an object that another part has created", async () => {
  const found = await Promise.all(
    Object.values(programs).map((options) =>
      crossings({ ...options, entryPoints: [...options.entryPoints] }),
    ),
  );
  expect(found.flat()).toEqual([
    // The errors that the server itself creates reach no method.
    "provider/pulumi/plugin/process.ts compares provider/grpc/grpc.ts GrpcError of main",
    // The tool server calls no command of the part with the engine, only the functions of `mcp/object/part.ts`.
    "rehearse/part.ts compares command/argument.ts UsageError of mcp/command/main.ts",
    "rehearse/part.ts compares command/run.ts CommandError of mcp/command/main.ts",
    "mcp/command/main.ts compares command/argument.ts UsageError of rehearse/part.ts",
    "mcp/command/main.ts compares command/run.ts CommandError of rehearse/part.ts",
  ]);
});
