import { inNetwork, type LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

const of = (ref: string) => ({ ref, property: "id" });
const shelf = (name: string) => ({
  name,
  resource: "volume",
  inputs: { vpcId: inNetwork, name, sizeGb: 10, volumeType: "ssd" },
});
const inputs = { vpcId: inNetwork, volumeId: of("shelf"), instanceId: of("host") };
const replace = { ...inputs, volumeId: of("spare-shelf") };

export const lifecycleCase: LifecycleCase = {
  dependencies: [
    { name: "dock", resource: "subnet", inputs: { vpcId: inNetwork, name: "dock", cidr: "10.0.15.0/24" } },
    { name: "lock", resource: "security-group", inputs: { vpcId: inNetwork, name: "lock" } },
    ...["host-disk", "shelf", "spare-shelf"].map(shelf),
    {
      name: "host",
      resource: "instance",
      inputs: {
        vpcId: inNetwork,
        name: "host",
        instanceType: "c1.small",
        subnetId: of("dock"),
        sshkeyName: "demo-key",
        securityGroups: [of("lock")],
        volumeId: of("host-disk"),
      },
    },
  ],
  inputs,
  update: null,
  replace,
  replaceSameName: { ...replace, mountPartition: "/dev/vdy" },
  drift: null,
  importId: (_, vpc, { volumeId, instanceId }) => `${vpc},${String(volumeId)},${String(instanceId)}`,
};

const letter = (nth: number): string => String.fromCharCode(98 + (nth % 25));

export const simulatedKind: SimulatedKind = {
  needs: ["vpc", "volume", "instance"],
  make: (_draw, nth, refs) => ({
    vpcId: refs.vpc as Ref,
    volumeId: refs.volume as Ref,
    instanceId: refs.instance as Ref,
    // The API may refuse a device that the instance has; its boot volume is /dev/vda.
    mountPartition: `/dev/vd${letter(nth)}`,
  }),
  // A volume whose previous attachment was just removed from the stack may still be attached.
  accepts: ({ resource }, { newest }) => resource !== "volume" || newest,
  successor: null,
  vary: (draw, inputs) => ({
    ...inputs,
    mountPartition: String(inputs.mountPartition).replace(/^\/dev\/../, draw.pick(["/dev/vd", "/dev/sd"])),
  }),
  outsideVpc: true,
  is: ({ parents }, { volumeId, instanceId }) =>
    parents.includes(String(volumeId)) && parents.includes(String(instanceId)),
};
