import { readFile, writeFile } from "node:fs/promises";

/**
 * `node tools/lock.ts`, after every `npm install` that changed the lock file: writes down the packages of other
 * platforms that the registry at hand does not serve. npm leaves such a package out of the lock file, and then `npm ci`
 * refuses the whole of it.
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

/** The platform that a package's name tells, as `@unrs/resolver-binding-linux-arm64-musl` does; none is another story. */
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
    const own = [`${place}/node_modules/${name}`, `node_modules/${name}`];
    const platform = platformOf(name);
    if (platform === undefined || own.some((path) => path in lock.packages)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(dev ? { dev } : {}),
      optional: true,
    };
  }
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`);
