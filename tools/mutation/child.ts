import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Programs that run in the copy. */

/** Exit code, or undefined if the process was ended after its time; and everything that it printed. */
export interface Ended {
  readonly code: number | undefined;
  readonly output: string;
}

let current: ReturnType<typeof spawn> | undefined;
process.once("SIGTERM", () => {
  current?.kill("SIGKILL");
  process.exit(143);
});

/** Runs Node in the copy for at most this time. */
export async function runNode(
  copy: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  milliseconds: number,
): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: copy, env: { ...process.env, ...environment } });
  current = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  return { code: code ?? undefined, output };
}

/** Part of the report of jest that is read. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: "passed" | "failed";
    readonly startTime: number;
    readonly endTime: number;
  }[];
}

/** Runs these test files of the copy one after the other, in this order. */
export const runTests = (
  copy: string,
  tests: readonly string[],
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
  milliseconds: number,
): Promise<Ended> =>
  runNode(
    copy,
    [
      "--experimental-vm-modules",
      "--no-warnings",
      "node_modules/jest/bin/jest.js",
      ...[
        "--runInBand",
        "--silent",
        "--cacheDirectory",
        join(copy, "..", "cache"),
        "--testTimeout",
        "300000",
      ],
      ...["--setupFiles", "<rootDir>/test/suite/no-process.ts"],
      ...["--setupFilesAfterEnv", "<rootDir>/tools/mutation/setup.ts"],
      ...["--testSequencer", "<rootDir>/tools/mutation/sequencer.js"],
      ...options,
      ...["--runTestsByPath", ...tests],
    ],
    { ...environment, KCLOUD_ORDER: JSON.stringify(tests) },
    milliseconds,
  );
