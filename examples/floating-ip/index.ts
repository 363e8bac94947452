import { FloatingIp, Port, Subnet, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const web = new Port("web", { vpcId: shop.id, subnetId: subnet.id });

const front = new FloatingIp("front", {
  vpcId: shop.id,
  subnetId: subnet.id,
  portId: web.id, // or the portId of an instance; moves in place
});

export const address = front.address;
