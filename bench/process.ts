import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";

/** Measures durations and memory of processes. */

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the time in ms from the start of a process to its first standard output, and kills the process. Throws if the
 * process ends before.
 */
export async function untilLine(
  file: string,
  args: readonly string[],
  environment: Environment = {},
): Promise<number> {
  const began = performance.now();
  const child = spawn(file, args, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [part] = (await Promise.race([once(child.stdout, "data"), ended(child)])) as [Buffer | number];
  const took = performance.now() - began;
  if (typeof part === "number") throw new Error(`${file} ended with ${part} before it wrote a line`);
  child.kill("SIGKILL");
  await once(child, "close");
  return took;
}

const ended = async (child: ChildProcess): Promise<[number]> => {
  const [code] = await once(child, "exit");
  return [Number(code)];
};

/**
 * Returns the time in ms from the start of a process to its end. Throws an error with the output if the process fails.
 */
export async function untilExit(
  file: string,
  args: readonly string[],
  { cwd, environment = {} }: { cwd?: string; environment?: Environment } = {},
): Promise<number> {
  const began = performance.now();
  const child = spawn(file, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      output += part;
    });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code}:\n${output}`);
  return performance.now() - began;
}

/** Module that prints the peak memory in KiB and the processor time in µs of its process when the process ends. */
const printUsage = `data:text/javascript,process.on("exit",()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();console.error("used "+maxRSS+" "+(userCPUTime+systemCPUTime))})`;

/** Memory and time of a process that has ended. */
interface Usage {
  /** Peak memory in bytes. */
  readonly peak: number;
  /** CPU time on all processors in ms; other processes have little effect on it. */
  readonly processor: number;
}

/** Runs Node to its end and returns its memory and time. Throws if the process fails. */
export async function usageUntilExit(args: readonly string[]): Promise<Usage> {
  const child = spawn(process.execPath, ["--import", printUsage, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (part: Buffer) => {
    output += part;
  });
  const [code] = await once(child, "close");
  const [, peak, processor] = /^used (\d+) (\d+)$/m.exec(output) ?? [];
  if (code !== 0 || peak === undefined) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}`);
  return { peak: Number(peak) * 1024, processor: Number(processor) / 1000 };
}

const megabytes = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;

/**
 * Returns the resident memory of a process in MB: now, and the peak since its start or the last `forgetPeak`. Linux
 * only.
 */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return { now: megabytes(status, "VmRSS"), peak: megabytes(status, "VmHWM") };
}

/** Resets the peak of the memory of a process. Linux only. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, "5");

/** Unit of the processor times in `/proc`, in ms: `sysconf(_SC_CLK_TCK)` is 100 on every Linux. */
const tick = 10;

/** Returns the time in ms that a process has run on all processors. Linux only. */
export async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name of the process, in parentheses, may contain spaces; user and system time are fields 14 and 15.
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) * tick;
}
