import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Finds the Node that runs the rules of a policy: only Node can deny a script access to files and processes. */

/** Oldest Node from PATH. It strips types and has the permission model. */
const oldest = [22, 19] as const;

/** Path of a Node, or the reason why there is none. */
export type NodeOfRules = { readonly path: string } | { readonly reason: string };

/** Returns the Node of this process; in the single executable, which contains another runtime, the one from PATH. */
export function nodeOfRules(): NodeOfRules {
  if (process.versions.bun === undefined) {
    if (process.allowedNodeEnvironmentFlags.has("--permission")) return { path: process.execPath };
    return { reason: `rules of a policy need Node 22.13 or later; this is ${process.version}` };
  }
  const needs = `rules of a policy need Node ${oldest.join(".")} or later on PATH; built-in rules need none`;
  const path = findOnPath(process.platform === "win32" ? "node.exe" : "node");
  if (path === undefined) return { reason: `${needs}. There is no Node on PATH` };
  const { stdout, status } = spawnSync(path, ["--version"], {
    encoding: "utf8",
    timeout: 10_000,
    killSignal: "SIGKILL",
    env: {},
  });
  const [major = 0, minor = 0] = stdout.match(/\d+/g)?.map(Number) ?? [];
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return { path };
  return { reason: `${needs}. ${path} is ${stdout.trim() || `not Node (status ${status})`}` };
}

/** Returns the first executable file of this name in an absolute folder of PATH; undefined if there is none. */
export function findOnPath(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
