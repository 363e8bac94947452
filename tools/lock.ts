import { readFile, writeFile } from "node:fs/promises";

/**
 * `node tools/lock.ts`, required after every `npm install` that changed the lock file: adds the packages for other
 * platforms that the configured registry does not serve. npm omits such packages from the lock file, and `npm ci` then
 * rejects the whole file.
 */

interface Locked {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const systems = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const processors: Record<string, string> = { armv7: "arm" };
for (const name of ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64", "wasm32"])
  processors[name] = name;

/**
 * Returns the platform in the name of a package, such as `@unrs/resolver-binding-linux-arm64-musl`; undefined if the
 * name contains none.
 */
function platformOf(name: string): Pick<Locked, "os" | "cpu" | "libc"> | undefined {
  const words = name.split(/[/-]/);
  const os = words.find((word) => systems.includes(word));
  const cpu = words.map((word) => processors[word]).find((word) => word !== undefined);
  if (os === undefined || cpu === undefined) return undefined;
  const libc = words.some((word) => word.startsWith("musl"))
    ? ["musl"]
    : words.some((word) => word.startsWith("gnu"))
      ? ["glibc"]
      : undefined;
  return { cpu: [cpu], os: [os], ...(libc && os === "linux" ? { libc } : {}) };
}

const file = "package-lock.json";
const lock = JSON.parse(await readFile(file, "utf8")) as { packages: Record<string, Locked> };
for (const [place, { dev, optionalDependencies = {} }] of Object.entries(lock.packages))
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const candidates = [`${place}/node_modules/${name}`, `node_modules/${name}`];
    const platform = platformOf(name);
    if (platform === undefined || candidates.some((path) => path in lock.packages)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(dev ? { dev } : {}),
      optional: true,
    };
  }
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`);
