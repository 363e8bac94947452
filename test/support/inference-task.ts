import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Given } from "../../provider/config/config.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, live, openCloud, operationsOn, resource } from "./cloud.ts";

/** Operations on inference tasks of a user, without an engine. */

export const task = resource("inference-task");

/** Returns the tasks that are not cancelled. */
export const running = (cloud: Cloud) =>
  live(cloud, "inference_task").filter(({ deletingAt }) => deletingAt === undefined);

export function openTasks(options: EmulatorOptions = {}, given: Given = {}) {
  const cloud = openCloud(options, { user: "ana", ...given });
  const { run } = operationsOn(cloud, "inference-task", { name: "chat" }, cloud.reopen);
  return {
    cloud,
    ...run,
    destroy: (state: ResourceState) => cloud.run(engine.delete(cloud.reopen(), task, state, cloud.call)),
    fault: (target: string, kind: string, more: object = {}) =>
      cloud.emulator.faults.add({ target, kind, ...more }),
  };
}
