import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { addCodeCaches } from "../../tools/bundle/code-cache.ts";
import { bundle } from "../../tools/bundle.ts";
import { traceLoads } from "../support/trace-loads.ts";

/** Tests that a program uses code caches only if they were created for this program and this runtime. */

const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-code-cache-"));
});

afterEach(() => rm(folder, { recursive: true }));

/** Module for `--import` that makes a runtime appear as another version. */
const otherNode = `data:text/javascript,${encodeURIComponent(
  'Object.defineProperty(process, "version", { value: "v24.21.1" });',
)}`;

/** Bundles a program whose part prints a word, and adds the code cache of the part. Returns the path of the program. */
async function built(name: string, word: string): Promise<string> {
  const main = join(folder, `${name}.ts`);
  await writeFile(main, `void import("./part.ts").then(({ tell }) => tell());`);
  await writeFile(
    join(folder, "part.ts"),
    `export function tell() { console.log(${JSON.stringify(word)}); }`,
  );
  const program = join(folder, `${name}.cjs`);
  await bundle({ absWorkingDir: folder, entryPoints: [main] }, program);
  await addCodeCaches(program, ["part.ts"], `${name}.cache`, async (nodeArgs, environment) => {
    const child = spawn(process.execPath, [...nodeArgs, program], {
      env: { ...process.env, ...environment },
      stdio: "ignore",
    });
    expect(await once(child, "exit")).toEqual([0, null]);
  });
  return program;
}

const runTraced = (program: string, ...nodeArgs: string[]) =>
  run(process.execPath, ["--import", traceLoads, ...nodeArgs, program]);

const cache = () => join(folder, "program.cache");

test("a part with a code cache is not compiled", async () => {
  const program = await built("program", "word");
  const before = await readdir(folder);
  expect(await runTraced(program)).toEqual({ stdout: "word\n", stderr: "loads part.ts, cached\n" });
  expect(await readdir(folder)).toEqual(before);
});

test("a program that was copied without its file of code caches compiles the part", async () => {
  const program = await built("program", "word");
  await rm(cache());
  expect(await runTraced(program)).toEqual({ stdout: "word\n", stderr: "loads part.ts, compiled\n" });
});

test("a runtime of another version does not open the file", async () => {
  const program = await built("program", "word");
  await writeFile(cache(), "");
  expect(await runTraced(program, "--import", otherNode)).toEqual({
    stdout: "word\n",
    stderr: "loads part.ts, compiled\n",
  });
});

test("V8 flags of the user make V8 compile the part", async () => {
  const program = await built("program", "word");
  expect(await runTraced(program, "--no-opt")).toEqual({
    stdout: "word\n",
    stderr: "loads part.ts, rejected\n",
  });
});

/** Functions that return wrong content for the file of code caches. */
const damages: Readonly<Record<string, (bytes: Buffer) => Uint8Array | Promise<Uint8Array>>> = {
  "with a changed byte": (bytes) => bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)),
  "that is cut": (bytes) => bytes.subarray(0, -1),
  "that is empty": () => Buffer.alloc(0),
  // The source has the same length: V8 itself would accept the cache and print the other word.
  "of another build": async () => {
    await built("other", "verb");
    return readFile(join(folder, "other.cache"));
  },
};

test.each(Object.entries(damages))("a file of code caches %s is reported and not used", async (_, damage) => {
  const program = await built("program", "word");
  await writeFile(cache(), await damage(await readFile(cache())));
  expect(await runTraced(program)).toEqual({
    stdout: "word\n",
    stderr: `${cache()} is not the file of this program and is not used: the start takes longer.\nloads part.ts, compiled\n`,
  });
});

test("a program whose part was changed compiles the part", async () => {
  const program = await built("program", "word");
  await writeFile(program, (await readFile(program, "latin1")).replaceAll('"word"', '"verb"'));
  const { stdout, stderr } = await runTraced(program);
  expect(stdout).toBe("verb\n");
  expect(stderr).toContain("loads part.ts, compiled\n");
});

test("a part that did not run while its code cache was recorded fails the build", async () => {
  const program = await built("program", "word");
  await expect(addCodeCaches(program, ["part.ts"], "program.cache", async () => {})).rejects.toThrow(
    "part.ts",
  );
  await expect(addCodeCaches(program, ["none.ts"], "program.cache", async () => {})).rejects.toThrow(
    "has no part none.ts",
  );
});
