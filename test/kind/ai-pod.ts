import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import { image } from "../simulation/catalogue.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { secrets } from "../simulation/secret.ts";

const inputs = {
  name: "life",
  templateId: 1,
  instanceType: "p1.small",
  sshkeyName: "demo-key",
  volumeDiskSizeGb: 50,
  exposeHttpPorts: [8888],
  powerState: "running",
};
const replace = { ...inputs, name: "life-2" };

export const lifecycleCase: LifecycleCase = {
  inputs,
  update: { ...inputs, powerState: "stopped", restartWhenChanged: { by: "hand" } },
  replace,
  replaceSameName: { ...replace, volumeDiskSizeGb: 60 },
  drift: { change: { running: false }, planned: "update" },
  // A read does not prove that a pod was deleted.
  deleted: "never",
  importId: (id) => id,
};

const power = ["running", "stopped"];

export const simulatedKind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({
    name: `ours-${nth}`,
    ...draw.pick([{ templateId: 1 }, { imageKrn: image }]),
    instanceType: draw.pick(["p1.small", "p1.large"]),
    sshkeyName: "demo-key",
    volumeDiskSizeGb: draw.int(1, 50),
    ...(draw.chance(0.3) ? { exposeHttpPorts: [8888, 6006], volumeMountPath: "/data" } : {}),
    ...(draw.chance(0.5) ? { environmentVariables: { PASSWORD: secrets.podPassword } } : {}),
    ...(draw.chance(0.3) ? { powerState: draw.pick(power) } : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, name: `ours-${nth}` },
      { ...inputs, volumeDiskSizeGb: 50 + nth },
      { ...inputs, powerState: draw.pick(power) },
      { ...inputs, restartWhenChanged: { by: `hand ${nth}` } },
    ]),
  unlisted: true,
  drift: () => ({ running: false }),
};
