// The stack with the native plugin: previews know more, and everything can be imported.
import { Subnet, Volume, Vpc } from "@kcloud/iac/pulumi";

const network = new Vpc("shop", {
  description: "Everything the shop runs on",
  primarySubnet: { name: "web", cidr: "10.0.0.0/24" },
});

const database = new Subnet("database", {
  vpcId: network.id,
  cidr: "10.0.1.0/24",
});

const orders = new Volume("orders", {
  vpcId: network.id,
  sizeGb: 20,
  volumeType: "ssd",
  metadata: { team: "orders" },
});

export const vpcId = network.id;
export const networkName = network.networkName;
export const databaseSubnet = database.id;
export const ordersStatus = orders.status;
