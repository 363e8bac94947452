import type { Ref, SimulatedKind } from "../kind.ts";

const letter = (nth: number): string => String.fromCharCode(98 + (nth % 25));

export const kind: SimulatedKind = {
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
