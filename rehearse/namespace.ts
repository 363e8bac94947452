import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readlinkSync } from "node:fs";

/**
 * Network namespace of a rehearsal (Linux): the emulator, the engine and every program that it starts have the addresses of the
 * loopback interface only. The command runs again inside of it.
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

export function confinementOf(environment: NodeJS.ProcessEnv, platform = process.platform): Confinement {
  if (platform !== "linux")
    return {
      kind: "unavailable",
      reason: "programs have the network of this machine: only Linux can confine them",
    };
  const outside = environment[outsideName];
  if (outside !== undefined && outside !== networkOf()) return { kind: "confined" };
  const problems: string[] = [];
  for (const way of ways) {
    const [program = "", ...args] = [...way, "sh", "-c", script, "sh"];
    const { status, stderr, error } = spawnSync(program, [...args, "true"], {
      encoding: "utf8",
      env: environment,
    });
    if (status === 0) return { kind: "available", command: [program, ...args] };
    problems.push(
      error === undefined
        ? (stderr.trim().split("\n").at(-1) ?? "")
        : isMissing(error)
          ? `${program} is not installed`
          : error.message,
    );
  }
  return {
    kind: "unavailable",
    reason: `programs have the network of this machine, since it cannot confine them (${problems[0]})`,
  };
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
