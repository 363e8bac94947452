import { image, volumeTypes } from "../catalogue.ts";
import type { Ref, SimulatedKind } from "../kind.ts";
import { secrets } from "../secret.ts";

export const kind: SimulatedKind = {
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
