import { Port, PortSecurityGroups, SecurityGroup, Subnet, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const web = new SecurityGroup("web", { vpcId: shop.id });
const audit = new SecurityGroup("audit", { vpcId: shop.id });
const port = new Port("web", { vpcId: shop.id, subnetId: subnet.id });

// Security groups of a port that no Port of this program manages, such as that of an instance (portId).
new PortSecurityGroups("web", { portId: port.id, securityGroups: [web.id, audit.id] });
