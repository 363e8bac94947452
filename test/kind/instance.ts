import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import { image, volumeTypes } from "../simulation/catalogue.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";
import { secrets } from "../simulation/secret.ts";

const of = (ref: string) => ({ ref, property: "id" });
const disk = (name: string) => ({
  name,
  resource: "volume",
  inputs: { vpcId: inNetwork, name, sizeGb: 10, volumeType: "ssd" },
});

// The instance boots from volumes in `dependencies`, so that all volumes in the emulator are in the stack.
const inputs = {
  vpcId: inNetwork,
  name: "life",
  instanceType: "c1.small",
  subnetId: of("yard"),
  sshkeyName: "demo-key",
  securityGroups: [of("gate")],
  volumeId: of("disk"),
  powerState: "running",
};
const replace = { ...inputs, name: "life-2", volumeId: of("spare-disk") };

export const lifecycleCase: LifecycleCase = {
  // Batches create the other instances.
  idOf: (item) => ("batchId" in item && item.batchId !== null ? null : item.krn),
  dependencies: [
    { name: "yard", resource: "subnet", inputs: { vpcId: inNetwork, name: "yard", cidr: "10.0.9.0/24" } },
    { name: "gate", resource: "security-group", inputs: { vpcId: inNetwork, name: "gate" } },
    disk("disk"),
    disk("spare-disk"),
  ],
  inputs,
  update: { ...inputs, powerState: "stopped", restartWhenChanged: { by: "hand" } },
  replace,
  replaceSameName: { ...replace, tags: { tier: "gold" } },
  drift: { change: { running: false }, planned: "update" },
  importId: (id, vpc) => `${vpc},${id}`,
};

const deployment = {
  easydeployType: "assistant",
  gatewayPassword: secrets.gatewayPassword,
  modelName: "small",
  modelApiKey: secrets.modelApiKey,
};

export const simulatedKind: SimulatedKind = {
  needs: ["vpc", "subnet", "security-group"],
  make: (draw, nth, refs) => ({
    vpcId: refs.vpc as Ref,
    subnetId: refs.subnet as Ref,
    securityGroups: [refs["security-group"] as Ref],
    name: `ours-${nth}`,
    instanceType: draw.pick(["c1.small", "c1.medium"]),
    sshkeyName: "demo-key",
    bootVolume: { imageKrn: image, sizeGb: 10, volumeType: draw.pick(volumeTypes) },
    ...(draw.chance(0.3) ? { powerState: draw.pick(["running", "stopped"]) } : {}),
    ...draw.pick([{}, {}, { userData: secrets.userData }, { userDataBase64: secrets.userDataBase64 }]),
    ...(draw.chance(0.3) ? deployment : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, powerState: draw.pick(["running", "stopped"]) },
      { ...inputs, tags: { tier: "gold" } },
    ]),
  drift: () => ({ running: false }),
};
