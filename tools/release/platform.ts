import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Platforms of a release, each with the runtime that `npm run runtimes` installs in this folder. */

export interface Platform {
  /** Operating system and architecture as Go names them, which Terraform, OpenTofu and Pulumi use. */
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: "amd64" | "arm64";
  /** True for Linux with the C library musl, such as Alpine. Registries have no name for it. */
  readonly musl?: true;
  /** Package with the runtime. Those of amd64 run on every CPU with SSE4.2. */
  readonly runtime: string;
  /** Name of the platform in the options of the compiler. */
  readonly target: string;
}

export const platforms: readonly Platform[] = [
  { os: "darwin", arch: "amd64", runtime: "bun-darwin-x64-baseline", target: "darwin-x64-baseline" },
  { os: "darwin", arch: "arm64", runtime: "bun-darwin-aarch64", target: "darwin-arm64" },
  { os: "linux", arch: "amd64", runtime: "bun-linux-x64-baseline", target: "linux-x64-baseline" },
  { os: "linux", arch: "arm64", runtime: "bun-linux-aarch64", target: "linux-arm64" },
  {
    os: "linux",
    arch: "amd64",
    musl: true,
    runtime: "bun-linux-x64-musl-baseline",
    target: "linux-x64-musl-baseline",
  },
  {
    os: "linux",
    arch: "arm64",
    musl: true,
    runtime: "bun-linux-aarch64-musl",
    target: "linux-arm64-musl",
  },
  { os: "windows", arch: "amd64", runtime: "bun-windows-x64-baseline", target: "windows-x64-baseline" },
  { os: "windows", arch: "arm64", runtime: "bun-windows-aarch64", target: "windows-arm64" },
];

/** Returns the name of a platform: `linux_amd64`, `linux_amd64_musl`. */
export const platformName = ({ os, arch, musl }: Platform): string => `${os}_${arch}${musl ? "_musl" : ""}`;

/** Returns the file name of an executable on a platform. */
export const executableName = (name: string, { os }: Pick<Platform, "os">): string =>
  os === "windows" ? `${name}.exe` : name;

/** Error of a release that cannot be created; the message contains the remedy. */
export class ReleaseError extends Error {}

const folderOf = ({ runtime }: Platform): string => join(import.meta.dirname, "node_modules/@oven", runtime);

/** Returns the path of the runtime of a platform. Throws a `ReleaseError` if it is not installed. */
export function runtimeOf(platform: Platform): string {
  const file = join(folderOf(platform), "bin", executableName("bun", platform));
  if (!existsSync(file)) throw new ReleaseError(`${file} is missing: run \`npm run runtimes\``);
  return file;
}

/** Package of a runtime, as in a bill of materials. */
export interface RuntimePackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Digest of the tarball, as in the lock file. */
  readonly integrity: string;
}

/** Returns the package of the runtime of a platform, from the lock file of this folder. */
export function runtimePackage({ runtime }: Platform): RuntimePackage {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, "package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, Omit<RuntimePackage, "name">>>;
  };
  const found = lock.packages[`node_modules/@oven/${runtime}`];
  if (found === undefined) throw new ReleaseError(`tools/release/package-lock.json has no @oven/${runtime}`);
  return { ...found, name: `@oven/${runtime}` };
}

/** Returns the platform of this machine. Throws a `ReleaseError` if there is no executable for it. */
export function hostPlatform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const found = platforms.find((platform) => platform.os === os && platform.arch === arch && !platform.musl);
  if (found === undefined) throw new ReleaseError(`there is no runtime for ${os} ${arch}`);
  return found;
}
