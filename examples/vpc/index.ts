// A VPC with a primary subnet, which is created and deleted with it.
import { getVpcOutput, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop", {
  name: "shop",
  description: "Everything the shop runs on",
  primarySubnet: { name: "web", cidr: "10.0.0.0/24", gatewayIp: "10.0.0.1" },
});

// The same VPC, read by a lookup.
export const networkId = getVpcOutput({ id: shop.id }).networkId;
