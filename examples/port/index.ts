import { Port, SecurityGroup, Subnet, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("web", { vpcId: shop.id });

// A port keeps its address when the instance that uses it (portId) is replaced. The API deletes it with its subnet only.
const web = new Port("web", { vpcId: shop.id, subnetId: subnet.id, securityGroups: [group.id] });

export const address = web.fixedIps[0]?.ipAddress;
