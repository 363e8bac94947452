import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, requests, resource } from "./cloud.ts";

export const pod = resource("ai-pod");
/** Minimum inputs of a pod. */
export const written: Values = {
  name: "train",
  templateId: 1,
  instanceType: "p1.small",
  sshkeyName: "demo-key",
  volumeDiskSizeGb: 50,
};

/** Opens a cloud and returns the operations on pods in it. */
export function openPods(assume: EmulatorOptions["assume"] = {}) {
  const cloud = openCloud({ assume });
  const inputs = (change: Values = {}) => engine.check(pod, { ...written, ...change }).inputs;
  return {
    cloud,
    inputs,
    make: (change: Values = {}) => cloud.run(cloud.create("ai-pod", { ...written, ...change })),
    read: (state: ResourceState, session = cloud.session) =>
      cloud.run(engine.read(session, pod, state, cloud.call)),
    update: (state: ResourceState, change: Values) =>
      cloud.run(engine.update(cloud.session, pod, state, inputs(change), cloud.call)),
    remove: (state: ResourceState) => cloud.run(engine.delete(cloud.session, pod, state, cloud.call)),
    take: (id: string) => cloud.run(engine.import(cloud.session, pod, id, cloud.call)),
    /** Returns the bodies of power actions that were sent and not rejected with 409, in order. */
    acts: () => requests(cloud, "update_pod").flatMap(({ body, outcome }) => (outcome === 409 ? [] : [body])),
  };
}
