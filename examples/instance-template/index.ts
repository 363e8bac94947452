import { InstanceTemplate, SecurityGroup, Subnet, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("work", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("work", { vpcId: shop.id });

// A change creates a new template; existing instances stay as they are.
const worker = new InstanceTemplate("worker", {
  vpcId: shop.id,
  subnetId: subnet.id,
  instanceType: "c1.small",
  sshkeyName: "demo-key",
  securityGroups: [group.id],
  bootVolume: {
    imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    sizeGb: 20,
    volumeType: "ssd",
  },
  userData: "#!/bin/sh\nsystemctl enable --now worker\n",
});

export const template = worker.id;
