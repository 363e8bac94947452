import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../../repository/repository.ts";

/** Machines of CI systems, with only git, Node, an engine and the tools of a shell on PATH. */

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Variables by name. */
export type Environment = Readonly<Record<string, string>>;

/** Machine of one job, with a home folder of its own. */
export interface Machine {
  /** Runs a script with a shell, as `["sh", "-e", "-c"]`. */
  run(shell: readonly string[], script: string, place: string, environment: Environment): Promise<Ran>;
}

/** Tools of every shell that the scripts use. */
const tools = ["bash", "sh", "cat", "sed", "head", "mkdir", "mktemp", "env", "rm", "cp", "tar", "tee", "git"];

const whereIs = (name: string) =>
  spawnSync("sh", ["-c", `command -v ${name}`])
    .stdout.toString()
    .trim();

/** The npm of the machines: `npm ci` of a folder with a lock file installs only the package, which is `dist/`. */
const npm = `#!/bin/sh
set -eu
[ "$1 $2 $3" = "ci --ignore-scripts --prefix" ]
cat "$4/package.json" "$4/package-lock.json" > /dev/null
mkdir -p "$4/node_modules/.bin"
cp -P "$0.kcloud" "$4/node_modules/.bin/kcloud"
`;

/** Returns a function that makes a machine, with programs by their paths on its PATH, and variables of its own. */
export function machines(
  folder: string,
  programs: readonly string[],
  settings: Environment = {},
): () => Machine {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const path of [...programs, process.execPath, ...tools.map(whereIs)])
    symlinkSync(path, join(bin, basename(path)));
  writeFileSync(join(bin, "npm"), npm, { mode: 0o755 });
  symlinkSync(join(root, "dist/kcloud"), join(bin, "npm.kcloud"));
  return () => {
    const home = mkdtempSync(join(folder, "home-"));
    return {
      run: ([command = "sh", ...args], script, cwd, environment) =>
        new Promise((resolve) => {
          const own = { PATH: bin, HOME: home, PULUMI_HOME: join(home, ".pulumi"), CHECKPOINT_DISABLE: "1" };
          const env = { ...own, ...settings, ...environment };
          execFile(command, [...args, script], { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
            const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
            resolve({ code, output: `${stdout}${stderr}` });
          });
        }),
    };
  };
}
