import { inNetwork, type LifecycleCase } from "../case.ts";

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
