import { Subnet, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");

export const database = new Subnet("database", { vpcId: shop.id, cidr: "10.0.1.0/24", egress: false }).id;
