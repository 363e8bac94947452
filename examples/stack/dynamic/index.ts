// The stack with dynamic classes: nothing to install beside the npm package.
import { Subnet, Volume, Vpc } from "@kcloud/iac/dynamic";

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
