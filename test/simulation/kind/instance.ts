import { image, volumeTypes } from "../catalogue.ts";
import type { Ref, SimulatedKind } from "../kind.ts";
import { secrets } from "../secret.ts";

const deployment = {
  easydeployType: "assistant",
  gatewayPassword: secrets.gatewayPassword,
  modelName: "small",
  modelApiKey: secrets.modelApiKey,
};

export const kind: SimulatedKind = {
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
