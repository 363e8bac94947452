import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  place: 11,
  needs: ["vpc", "volume", "instance"],
  make: (_draw, _nth, refs) => ({
    vpcId: refs.vpc as Ref,
    volumeId: refs.volume as Ref,
    instanceId: refs.instance as Ref,
  }),
  // A volume whose previous attachment was just removed from the stack may still be attached.
  accepts: ({ resource }, { newest }) => resource !== "volume" || newest,
  successor: null,
  vary: (draw, inputs) => ({ ...inputs, mountPartition: draw.pick(["/dev/vdx", "/dev/vdy"]) }),
  outsideVpc: true,
  is: ({ parents }, { volumeId, instanceId }) =>
    parents.includes(String(volumeId)) && parents.includes(String(instanceId)),
};
