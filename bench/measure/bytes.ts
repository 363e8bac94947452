import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inFolder } from "../folder.ts";
import { type Bench, type Figure, interleave, type Measure, ratio } from "../measure.ts";
import { root } from "../plugin.ts";

/** Transfer of object content with the provider's client and with a bare pipe, each in a separate process. */

const gigabyte = 1024 ** 3;
/** Goal of the ratio of durations: at least 70 % of the speed of the bare pipe. */
const slowest = 1 / 0.7;
/** Goal of the peak memory in MB, in addition to the memory of the idle process. */
const most = 100;

/** Writes a file of at least `size` bytes that is not sparse. */
export async function writeBytes(path: string, size: number): Promise<void> {
  const file = await open(path, "w");
  const part = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < size; at += part.length) {
    part.writeUInt32LE(at / part.length);
    await file.write(part);
  }
  await file.close();
}

/** Starts a minimal storage in a separate process. */
export async function openStorage(): Promise<{ origin: string; close(): void }> {
  const child = spawn(process.execPath, [join(root, "bench/peer/storage.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { origin: line.toString().trim(), close: () => child.kill() };
}

interface Moved {
  readonly milliseconds: number;
  readonly megabytes: number;
}

async function moves(bench: Bench, move: (what: string) => Promise<Moved>): Promise<void> {
  const rounds = bench.rounds(5);
  const state: Record<string, number[]> = {};
  const timed = (what: string) => async () => {
    const { milliseconds, megabytes } = await move(what);
    state[what] = [...(state[what] ?? []), megabytes];
    return milliseconds;
  };
  bench.step(`${rounds} rounds of 1 GiB up and down, and of 100,000 rows`);
  const took = await interleave(rounds, {
    sums: timed("sums"),
    up: timed("up"),
    bareUp: timed("bareUp"),
    down: timed("down"),
    bareDown: timed("bareDown"),
    rows: timed("rows"),
  });
  const memory = (what: string, name: string): Figure => ({
    what: `bytes: ${what}, memory over idle`,
    unit: "MB",
    samples: state[name] ?? [],
    goal: most,
  });
  bench.report(
    { what: "bytes: a file of 1 GiB read and summed for its plan", unit: "ms", samples: took.sums },
    { what: "bytes: 1 GiB up by a bare pipe", unit: "ms", samples: took.bareUp },
    { what: "bytes: 1 GiB up ÷ bare pipe", unit: "×", samples: ratio(took.up, took.bareUp), goal: slowest },
    memory("1 GiB up", "up"),
    { what: "bytes: 1 GiB down by a bare pipe", unit: "ms", samples: took.bareDown },
    {
      what: "bytes: 1 GiB down ÷ bare pipe",
      unit: "×",
      samples: ratio(took.down, took.bareDown),
      goal: slowest,
    },
    memory("1 GiB down", "down"),
    { what: "bytes: 100,000 objects in one answer", unit: "ms", samples: took.rows },
    memory("100,000 objects in one answer", "rows"),
  );
}

export const bytes: Measure = {
  name: "bytes",
  about: "1 GiB up and down compared with a bare pipe, and a listing of 100,000 objects (Linux)",
  run: (bench) =>
    inFolder(async (folder) => {
      if (process.platform !== "linux") return;
      const file = join(folder, "gigabyte");
      await writeBytes(file, gigabyte);
      const { origin, close } = await openStorage();
      const mover = join(root, "bench/mover.ts");
      try {
        await moves(bench, async (what) => {
          const { stdout } = await promisify(execFile)(process.execPath, [mover, what, origin, file]);
          return JSON.parse(stdout) as Moved;
        });
      } finally {
        close();
      }
    }),
};
