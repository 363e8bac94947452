import { spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "../repository/repository.ts";

/** Runs jest on ES modules with these arguments; returns its exit code. */
export async function runJest(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const jest = ["--experimental-vm-modules", "--no-warnings", "node_modules/jest/bin/jest.js"];
  const child = spawn(process.execPath, [...jest, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}

/** Runs these test files; returns jest's exit code. Its summary, which is printed last, does not list them. */
export const runSuites = (
  files: readonly string[],
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> =>
  runJest([...args, "--testMatch", ...files.map((file) => `<rootDir>/${file}`)], environment);
