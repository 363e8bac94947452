import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Given } from "../../provider/config/config.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, live, openCloud, resource } from "./cloud.ts";

/** Operations on inference tasks of a user, without an engine. */

export const task = resource("inference-task");

/** Returns the tasks that are not cancelled. */
export const running = (cloud: Cloud) =>
  live(cloud, "inference_task").filter(({ deletingAt }) => deletingAt === undefined);

export function openTasks(options: EmulatorOptions = {}, given: Given = {}) {
  const cloud = openCloud(options, { user: "ana", ...given });
  return {
    cloud,
    create: (written: Values = {}) => cloud.run(cloud.create("inference-task", { name: "chat", ...written })),
    read: (state: ResourceState, session = cloud.reopen()) =>
      cloud.run(engine.read(session, task, state, cloud.call)),
    destroy: (state: ResourceState) => cloud.run(engine.delete(cloud.reopen(), task, state, cloud.call)),
    fault: (target: string, kind: string, more: object = {}) =>
      cloud.emulator.faults.add({ target, kind, ...more }),
  };
}
