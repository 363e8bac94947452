import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { root } from "../repository/repository.ts";

/** The simulation as it is started by hand; the planted defects are patches of a copy of the sources. */

const execute = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly output: string;
}

async function simulate(folder: string, ...options: string[]): Promise<Ended> {
  const command = [join("test", "simulation", "main.ts"), ...options];
  try {
    const { stdout } = await execute(process.execPath, command, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: `${stdout}${stderr}` };
  }
}

test("five thousand schedules break no invariant", async () => {
  const { code, output } = await simulate(root, "--seeds", "5000");
  expect(output).toMatch(
    /^5000 seeds in [\d.]+ s, \d+ a minute\n\d{4,} faults injected, \d+ requests, \d+ objects made\n0 violations\n$/,
  );
  expect(code).toBe(0);
}, 1_800_000);

test("a seed is replayed with all that happened, the same each time", async () => {
  const [first, second] = [await simulate(root, "--seed", "7"), await simulate(root, "--seed", "7")];
  expect(first.output).toBe(second.output);
  expect(first.output).toMatch(/^ +\d+\.\d{3} {2}create vpc\.\d+: /m);
  expect(first.output).toMatch(/\n0 violations\n$/);
}, 120_000);

/** So many seeds, from the first, are enough for each of them; among the five thousand they are clean without it. */
const enough = 300;

for (const [defect, invariant] of [
  ["repeated-post", "I2"],
  ["forgotten-id", "I3"],
  ["refusal-as-gone", "I4"],
  ["untold-secret", "I14"],
  ["absent-password", "I15"],
] as const)
  test(`the planted defect ${defect} is found by ${invariant} within ${enough} seeds`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "kcloud-defect-"));
    try {
      const parts = [
        "provider",
        "resources",
        "emulator",
        "package.json",
        "test/simulation",
        "test/support/cloud.ts",
      ];
      for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true });
      await symlink(join(root, "node_modules"), join(folder, "node_modules"));
      const patch = join(root, "test", "defects", `${defect}.patch`);
      await execute("git", ["apply", patch], {
        cwd: folder,
        env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
      });
      const { code, output } = await simulate(folder, "--seeds", String(enough));
      expect(output).toMatch(new RegExp(`^${invariant} seed \\d+: `, "m"));
      expect(output).toMatch(/To see how it came to that: npm run sim -- --seed \d+\n$/);
      expect(code).toBe(1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 300_000);
