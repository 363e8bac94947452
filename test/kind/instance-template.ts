import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import { image, volumeTypes } from "../simulation/catalogue.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";
import { secrets } from "../simulation/secret.ts";

const of = (ref: string) => ({ ref, property: "id" });
const inputs = {
  name: "life",
  vpcId: inNetwork,
  subnetId: of("loft"),
  instanceType: "c1.small",
  sshkeyName: "demo-key",
  securityGroups: [of("latch")],
  bootVolume: {
    imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    sizeGb: 10,
    volumeType: "ssd",
  },
};
const replace = { ...inputs, name: "life-2" };

export const lifecycleCase: LifecycleCase = {
  kind: "template",
  dependencies: [
    { name: "loft", resource: "subnet", inputs: { vpcId: inNetwork, name: "loft", cidr: "10.0.16.0/24" } },
    { name: "latch", resource: "security-group", inputs: { vpcId: inNetwork, name: "latch" } },
  ],
  inputs,
  update: null,
  replace,
  replaceSameName: { ...replace, instanceType: "c1.large" },
  drift: { change: { name: "other" }, planned: "replace" },
  importId: (id) => id,
};

export const simulatedKind: SimulatedKind = {
  needs: ["vpc", "subnet", "security-group"],
  make: (draw, nth, refs) => ({
    vpcId: refs.vpc as Ref,
    subnetId: refs.subnet as Ref,
    securityGroups: [refs["security-group"] as Ref],
    name: `ours-${nth}`,
    instanceType: "c1.small",
    sshkeyName: "demo-key",
    bootVolume: { imageKrn: image, sizeGb: 10, volumeType: draw.pick(volumeTypes) },
    ...draw.pick([{}, { userData: secrets.userData }, { userDataBase64: secrets.userDataBase64 }]),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, instanceType: "c1.medium" },
    ]),
  emulatorKind: "template",
  outlivesVpc: true,
  drift: () => ({ name: "ours-renamed" }),
};
