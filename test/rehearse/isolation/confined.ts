import { spawnSync } from "node:child_process";
import { expect } from "@jest/globals";
import { confinementOf } from "../../../rehearse/isolation/namespace.ts";

/** Runs programs in the network of a rehearsal, where the system has one. */

const confinement = confinementOf(process.env);

/** Command that runs a program in a network of its own; undefined where the system has none, which is asserted with its reason. */
export function confinedCommand(): readonly string[] | undefined {
  if (confinement.kind === "available") return confinement.command;
  const canConfine =
    process.platform === "linux" &&
    ["-rn", "-n"].some(
      (flags) => spawnSync("unshare", [flags, "ip", "link", "set", "lo", "up"]).status === 0,
    );
  expect([canConfine, confinement]).toEqual([
    false,
    {
      kind: "unavailable",
      reason: expect.stringMatching(
        /^programs have the network, files and processes of this machine.*\(.+\)$/,
      ),
    },
  ]);
  return undefined;
}

/** Runs a program to its end. */
export function run(command: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
  const [program = "", ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env: environment });
  return { status, stdout, stderr };
}
