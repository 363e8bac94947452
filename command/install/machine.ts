import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
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
  /** Home folder of the user's account, which `HOME` may replace; undefined if the user has no account, as in some containers. */
  readonly accountHome?: string | undefined;
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
    accountHome: accountHome(),
  };
}

function accountHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    // The user has no entry among the accounts of the machine.
    return undefined;
  }
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
