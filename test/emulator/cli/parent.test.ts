import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@jest/globals";

const main = join(import.meta.dirname, "../../../emulator/cli/main.ts");

interface Started {
  readonly shell: ChildProcess;
  readonly pid: number;
  readonly url: string;
}

/** Starts an emulator in the background of a shell that goes on. */
async function startIn(...options: readonly string[]): Promise<Started> {
  const script = '"$@" & echo $!; wait';
  const shell = spawn("sh", ["-c", script, "sh", process.execPath, main, ...options], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH },
  });
  const lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  return { shell, pid: Number(await next()), url: await next() };
}

/** Kills the shell of an emulator, so that the shell can end nothing itself. */
async function endShell({ shell }: Started): Promise<void> {
  shell.kill("SIGKILL");
  await once(shell, "exit");
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/_emulator/health`).then(
    ({ ok }) => ok,
    () => false,
  );

test("an emulator ends with the process that started it, except with --keep-running", async () => {
  const kept = await startIn("--keep-running");
  await endShell(kept);
  // Two others look for their shells after it has lost its own.
  for (let run = 1; run <= 2; run += 1) {
    const bound = await startIn();
    expect(await isUp(bound.url)).toBe(true);
    await endShell(bound);
    while (await isUp(bound.url)) await new Promise(setImmediate);
  }
  expect(await isUp(kept.url)).toBe(true);
  process.kill(kept.pid);
  while (await isUp(kept.url)) await new Promise(setImmediate);
});
