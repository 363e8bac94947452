import { image } from "../catalogue.ts";
import type { SimulatedKind } from "../kind.ts";
import { secrets } from "../secret.ts";

const power = ["running", "stopped"];

export const kind: SimulatedKind = {
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
