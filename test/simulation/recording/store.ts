import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Recorded, Recording, StoredCommand } from "./recording.ts";
import { drawCommands } from "./scene.ts";

/** Files of the recordings: one per engine, with one line per seed after a line that names the engine's version. */

export const engineNames = ["terraform", "opentofu", "pulumi"] as const;

export type RecordedEngine = (typeof engineNames)[number];

const fileOf = (engine: RecordedEngine): string => fileURLToPath(new URL(`${engine}.jsonl`, import.meta.url));

const leastFile = fileURLToPath(new URL("least.json", import.meta.url));

/** Recordings of an engine, by ascending seed. */
export interface Recordings {
  readonly version: string;
  readonly recordings: readonly Recording[];
}

/** Returns the digest of the commands of a seed. */
export const digestOf = (seed: number): string =>
  createHash("sha256")
    .update(JSON.stringify(drawCommands(seed)))
    .digest("hex")
    .slice(0, 12);

/** Returns the form in which a command is stored. */
export const stored = ({ calls, end, cycle }: Recorded): StoredCommand => ({
  calls: Object.fromEntries(
    Object.entries(calls)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, all]) => [key, all.join(" ")]),
  ),
  end: Object.fromEntries(Object.entries(end).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ...(cycle === undefined ? {} : { cycle }),
});

export async function readRecordings(engine: RecordedEngine): Promise<Recordings | undefined> {
  const text = await readFile(fileOf(engine), "utf8").catch((error) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const [head = "{}", ...lines] = text.trim().split("\n");
  return { version: JSON.parse(head).version, recordings: lines.map((line) => JSON.parse(line)) };
}

/** Returns the number of recordings that an engine has at least. */
export const readLeast = async (): Promise<Record<string, number>> =>
  JSON.parse(await readFile(leastFile, "utf8").catch(() => "{}"));

/** Writes the recordings and their number. */
export async function writeRecordings(
  engine: RecordedEngine,
  { version, recordings }: Recordings,
): Promise<void> {
  const lines = [{ version }, ...recordings.toSorted((a, b) => a.seed - b.seed)];
  await writeFile(fileOf(engine), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const least = { ...(await readLeast()), [engine]: recordings.length };
  const sorted = Object.fromEntries(
    engineNames.flatMap((name) => (least[name] ? [[name, least[name]]] : [])),
  );
  await writeFile(leastFile, `${JSON.stringify(sorted, undefined, 2)}\n`);
}
