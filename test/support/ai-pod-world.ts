import type { EmulatorOptions } from "../../emulator/emulator.ts";
import type { Values } from "../../provider/core/value.ts";
import { openCloud, operationsOn, requests, resource } from "./cloud.ts";

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
  const { inputs, run } = operationsOn(cloud, "ai-pod", written);
  return {
    cloud,
    inputs,
    ...run,
    make: run.create,
    /** Returns the bodies of power actions that were sent and not rejected with 409, in order. */
    acts: () => requests(cloud, "update_pod").flatMap(({ body, outcome }) => (outcome === 409 ? [] : [body])),
  };
}
