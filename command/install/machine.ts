import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { Home } from "./cli-configuration.ts";

/** Machine on which `kcloud install` runs, with the platform names of Node. */
export interface Machine {
  readonly environment: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Path of the program `kcloud`. */
  readonly program: string;
  /** Path of the single executable; undefined if Node runs the program. */
  readonly executable: string | undefined;
}

/** Returns the machine of this process. */
export function thisMachine(): Machine {
  const isExecutable = process.versions.bun !== undefined;
  return {
    environment: process.env,
    platform: process.platform,
    arch: process.arch,
    program: isExecutable ? process.execPath : realpathSync(process.argv[1] ?? ""),
    executable: isExecutable ? process.execPath : undefined,
  };
}

/** Returns the platform of a machine as Terraform names it, as in `linux_amd64`. */
export const platformOf = ({ platform, arch }: Pick<Machine, "platform" | "arch">): string =>
  `${platform === "win32" ? "windows" : platform}_${arch === "x64" ? "amd64" : arch}`;

/** Returns the home folder and environment of the user. */
export const homeOf = ({ environment, platform }: Pick<Machine, "environment" | "platform">): Home => ({
  environment,
  folder: environment.HOME || environment.USERPROFILE || homedir(),
  isWindows: platform === "win32",
});
