import { Instance, SecurityGroup, Subnet, Volume, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("web", { vpcId: shop.id });

// The volume is kept when the instance is replaced, as by another instanceType. A volume that this program does not manage
// is found by its name: getVolumeOutput.
const system = new Volume("system", {
  vpcId: shop.id,
  sizeGb: 20,
  volumeType: "ssd",
  source: {
    type: "image",
    id: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
  },
});

const web = new Instance("web", {
  vpcId: shop.id,
  instanceType: "c1.small",
  subnetId: subnet.id,
  sshkeyName: "demo-key",
  securityGroups: [group.id],
  volumeId: system.id, // in place of bootVolume
});

export const bootVolumeId = web.bootVolumeId;
