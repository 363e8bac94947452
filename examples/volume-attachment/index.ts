import { Instance, SecurityGroup, Subnet, Volume, VolumeAttachment, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("data", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("data", { vpcId: shop.id });

const database = new Instance("database", {
  vpcId: shop.id,
  instanceType: "c1.small",
  subnetId: subnet.id,
  sshkeyName: "demo-key",
  securityGroups: [group.id],
  bootVolume: {
    imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    sizeGb: 20,
    volumeType: "ssd",
  },
});

const orders = new Volume("orders", { vpcId: shop.id, sizeGb: 100, volumeType: "ssd" });

// An additional volume: the boot volume belongs to the instance.
const attached = new VolumeAttachment("orders", {
  vpcId: shop.id,
  volumeId: orders.id,
  instanceId: database.id,
});

export const device = attached.device;
