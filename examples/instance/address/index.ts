import { FloatingIp, Instance, SecurityGroup, Subnet, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("web", { vpcId: shop.id });

const web = new Instance("web", {
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

// The address of floatingIp: true of an instance is created and deleted with it. This one moves to the new instance when
// the instance is replaced.
const reserved = new FloatingIp("web", {
  vpcId: shop.id,
  subnetId: subnet.id,
  portId: web.portId,
});

export const address = reserved.address;
