import { Image, Instance, SecurityGroup, Subnet, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("web", { vpcId: shop.id });

const web = {
  vpcId: shop.id,
  instanceType: "c1.small",
  subnetId: subnet.id,
  sshkeyName: "demo-key",
  securityGroups: [group.id],
};
const first = new Instance("first", {
  ...web,
  bootVolume: {
    imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    sizeGb: 20,
    volumeType: "ssd",
  },
});

const image = new Image("web", {
  instanceId: first.id,
  description: "Web server with its packages",
});

const second = new Instance("second", {
  ...web,
  bootVolume: { imageKrn: image.id, sizeGb: 20, volumeType: "ssd" },
});

export const address = second.ipAddress;
