import * as z from "zod/mini";
import type { Values } from "../../provider/core/value.ts";
import { field } from "../../provider/definition/field.ts";
import type { Blocked } from "../../provider/definition/verb.ts";

/** Power state of instances (docs/contract.md#6) and pods (docs/contract.md#10): start, stop and restart. */

/** Values of an object before and after a change. */
type Sides = { readonly before: Values; readonly after: Values };

/** Fields that control the power state. */
export const powerFields = {
  powerState: field(z.optional(z.enum(["running", "stopped"])), "Power state.", {
    change: "update",
    deferred: true,
    computed: true,
    usage: "If omitted, the power state is not managed.",
    interrupts: (_before: string | null, after: string | null) => after === "stopped",
  }),
  restartWhenChanged: field(
    z.optional(z.record(z.string(), z.string())),
    "Arbitrary keys and values, such as a version: changing them restarts a running object, setting them the first time does not.",
    {
      change: "update",
      once: true,
      unreadable: true,
      // An object that is started or stopped by the same change is not restarted.
      interrupts: (before: object | null, after: object | null, object: Sides) =>
        before !== null &&
        after !== null &&
        object.before.powerState !== "stopped" &&
        object.after.powerState !== "stopped",
    },
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

/** Returns the reason of a conflict of a restart with a stopped object, which lasts until somebody starts the object. */
export const stoppedRestart = ({
  changed,
  observed,
}: {
  readonly changed: ReadonlySet<string>;
  readonly observed: Switched;
}): Blocked | undefined =>
  changed.has("restartWhenChanged") && observed.powerState === "stopped"
    ? { reason: "it is stopped", remedies: ["start-first"] }
    : undefined;

/** Sends the power actions that a change of these fields requires; sends nothing for any other change. */
export async function switchPower(
  { inputs, prior, changed }: Update,
  send: (action: "start" | "stop" | "restart") => Promise<unknown>,
): Promise<void> {
  if (changed.has("powerState")) await send(inputs.powerState === "stopped" ? "stop" : "start");
  const restarts = prior.restartWhenChanged !== undefined && inputs.restartWhenChanged !== undefined;
  // A stopped object, or one that was just started, needs no restart.
  const runs = prior.powerState !== "stopped" && inputs.powerState !== "stopped";
  if (changed.has("restartWhenChanged") && restarts && runs) await send("restart");
}
