import { Port, SecurityGroup, Subnet, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("web", { vpcId: shop.id });

// An address that outlives the instances it is given to, by their portId. No route deletes a port: it goes with its subnet.
const web = new Port("web", { vpcId: shop.id, subnetId: subnet.id, securityGroups: [group.id] });

export const address = web.fixedIps[0]?.ipAddress;
