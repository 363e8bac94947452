import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

const of = (ref: string) => ({ ref, property: "id" });
const inputs = { name: "life", instanceId: of("model") };
const replace = { ...inputs, name: "life-2" };

export const lifecycleCase: LifecycleCase = {
  dependencies: [
    {
      name: "studio",
      resource: "subnet",
      inputs: { vpcId: inNetwork, name: "studio", cidr: "10.0.18.0/24" },
    },
    { name: "door", resource: "security-group", inputs: { vpcId: inNetwork, name: "door" } },
    {
      name: "model-disk",
      resource: "volume",
      inputs: { vpcId: inNetwork, name: "model-disk", sizeGb: 10, volumeType: "ssd" },
    },
    {
      name: "model",
      resource: "instance",
      inputs: {
        vpcId: inNetwork,
        name: "model",
        instanceType: "c1.small",
        subnetId: of("studio"),
        sshkeyName: "demo-key",
        securityGroups: [of("door")],
        volumeId: of("model-disk"),
      },
    },
  ],
  inputs,
  update: null,
  replace,
  replaceSameName: { ...replace, description: "Another" },
  drift: { change: { name: "other" }, planned: "replace" },
  importId: (id) => id,
  // The API does not return the instance that an image was created from.
  recordedByApply: true,
};

export const simulatedKind: SimulatedKind = {
  needs: ["instance"],
  make: (draw, nth, refs) => ({
    instanceId: refs.instance as Ref,
    name: `ours-${nth}`,
    ...(draw.chance(0.5) ? { description: "less" } : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, description: "more" },
    ]),
  outsideVpc: true,
  drift: () => ({ name: "ours-renamed" }),
};
