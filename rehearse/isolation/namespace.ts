import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readlinkSync } from "node:fs";
import { isIn, reach } from "./path.ts";
import { systemPlaces } from "./place.ts";
import { commandIn } from "./root.ts";

/**
 * Namespaces of a rehearsal (Linux): the emulator, the engine and every program that it starts have the addresses of the loopback
 * interface only, for which the command runs again in another network; and the engine has a root of its own.
 */

/** Variable with the network namespace of the process that runs the command again. */
const outsideName = "KCLOUD_REHEARSAL_OUTSIDE";

export type Confinement =
  /** This process has a network of its own. */
  | { readonly kind: "confined" }
  /** The command that runs a program in a network of its own. */
  | { readonly kind: "available"; readonly command: readonly string[] }
  /** Why the system has none, as a clause. */
  | { readonly kind: "unavailable"; readonly reason: string };

const ways = [
  ["unshare", "--user", "--map-root-user", "--net"],
  // Root needs no namespace of users, which a system may forbid.
  ["unshare", "--net"],
];

/** Starts the loopback interface, then runs the rest of the arguments. */
const script = 'ip link set lo up && exec "$@"';

/** What programs have without a network of their own, since a root is made in its namespace of users. */
const everything = "programs have the network, files and processes of this machine";

export function confinementOf(environment: NodeJS.ProcessEnv, platform = process.platform): Confinement {
  if (platform !== "linux")
    return { kind: "unavailable", reason: `${everything}: only Linux can confine them` };
  const outside = environment[outsideName];
  if (outside !== undefined && outside !== networkOf()) return { kind: "confined" };
  const problems: string[] = [];
  for (const way of ways) {
    const command = [...way, "sh", "-c", script, "sh"];
    const problem = problemOf(command, environment);
    if (problem === undefined) return { kind: "available", command };
    problems.push(problem);
  }
  return {
    kind: "unavailable",
    reason: `${everything}, since it cannot confine them (${problems[0]})`,
  };
}

/** Returns why a confined process cannot make a root for programs of a folder, as a clause; undefined if it can. */
export function rootProblem(environment: NodeJS.ProcessEnv, folder: string): string | undefined {
  const place = systemPlaces.find((one) => isIn(reach(one).path ?? one, reach(folder).path ?? folder));
  if (place !== undefined)
    return `programs have the files of ${folder}, since it is in ${place}, which they need`;
  const problem = problemOf(commandIn({ visible: systemPlaces }, "/"), environment);
  return problem === undefined
    ? undefined
    : `programs have the files and processes of this machine, since it cannot hide them (${problem})`;
}

/** Returns why a command cannot run a program; undefined if it can. */
function problemOf(
  [program = "", ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const { status, stderr, error } = spawnSync(program, [...args, "true"], {
    encoding: "utf8",
    env: environment,
  });
  if (status === 0) return undefined;
  // A later line has a hint to a log.
  if (error === undefined) return stderr.trim().split("\n")[0] || `${program} ended with exit code ${status}`;
  return isMissing(error) ? `${program} is not installed` : error.message;
}

const isMissing = (error: NodeJS.ErrnoException): boolean => error.code === "ENOENT";

const networkOf = (): string => readlinkSync("/proc/self/ns/net");

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs this process again under the command, with the same arguments. Returns its exit code. */
export async function runConfined(command: readonly string[], self: readonly string[]): Promise<number> {
  const [program = "", ...args] = [...command, ...self];
  // A process group of its own, so that a signal of the terminal arrives once.
  const child = spawn(program, args, {
    stdio: "inherit",
    detached: true,
    env: { ...process.env, [outsideName]: networkOf() },
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  try {
    const [code] = await once(child, "close");
    return (code as number | null) ?? 1;
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}
