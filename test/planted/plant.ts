import { cp, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, sources, text } from "../repository/repository.ts";
import type { Defect } from "./defect.ts";

/** Folders of the sources in which a defect may be planted. */
const planted = /^(provider|resources|functions|emulator|review|rehearse|call|mcp|operation)\//;

/** Returns the source files that contain this text, one entry per occurrence. */
export const placesOf = (find: string): string[] =>
  sources.filter((file) => planted.test(file)).flatMap((file) => occurrences(file, find));

/** Returns the test files with a test of this name, one entry per occurrence. */
export const testsOf = (sentence: string): string[] =>
  sources
    .filter((file) => file.startsWith("test/"))
    .flatMap((file) =>
      text(file)
        .split("\n")
        .flatMap((line) => (line.trimStart().startsWith(`test(${JSON.stringify(sentence)},`) ? file : [])),
    );

const occurrences = (file: string, find: string): string[] =>
  Array.from({ length: text(file).split(find).length - 1 }, () => file);

/** Parts of the repository that the tests and the simulation need. */
const parts = [
  "provider",
  "resources",
  "functions",
  "emulator",
  "review",
  "rehearse",
  "account",
  "operation",
  "library",
  "call",
  "command",
  "mcp",
  "test",
  "tools/plugin",
  "package.json",
  "jest.config.js",
] as const;

/** Copies the sources to a temporary folder, in which one defect after the other is planted; the caller removes it. */
export async function copySources(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-planted-"));
  for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Plants the defect in this copy of the sources, and removes it after `work`. */
export async function withPlanted<T>(
  folder: string,
  { find, put }: Defect,
  work: () => Promise<T>,
): Promise<T> {
  const [file = ""] = placesOf(find);
  const path = join(folder, file);
  const source = await readFile(path, "utf8");
  await writeFile(
    path,
    source.replace(find, () => put),
  );
  try {
    return await work();
  } finally {
    await writeFile(path, source);
  }
}
