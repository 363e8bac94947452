import * as z from "zod/mini";
import { field } from "../../provider/definition/field.ts";

/** What a stack starts, stops and restarts: a machine (docs/contract.md#6), a pod (docs/contract.md#10). */

/** The fields that it is switched by, beside its own. */
export const powerFields = {
  powerState: field(
    z.optional(z.enum(["running", "stopped"])),
    "Whether it runs: running or stopped. Left out, it is left alone.",
    { change: "update", deferred: true, computed: true },
  ),
  restartWhenChanged: field(
    z.optional(z.record(z.string(), z.string())),
    "Any texts: a change of them restarts it, but not the first time they are given.",
    { change: "update", once: true, unreadable: true },
  ),
};

type Switched = {
  readonly powerState?: "running" | "stopped" | undefined;
  readonly restartWhenChanged?: Readonly<Record<string, string>> | undefined;
};
type Update = {
  readonly inputs: Switched;
  readonly prior: Switched;
  readonly changed: ReadonlySet<string>;
};

/** Sends what a change of these fields asks for, and nothing where it asks for nothing. */
export async function switchPower(
  { inputs, prior, changed }: Update,
  send: (action: "start" | "stop" | "restart") => Promise<unknown>,
): Promise<void> {
  if (changed.has("powerState")) await send(inputs.powerState === "stopped" ? "stop" : "start");
  const restarts = prior.restartWhenChanged !== undefined && inputs.restartWhenChanged !== undefined;
  // What stands still or just came up needs no restart.
  const runs = prior.powerState !== "stopped" && inputs.powerState !== "stopped";
  if (changed.has("restartWhenChanged") && restarts && runs) await send("restart");
}
