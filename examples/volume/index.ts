import { Volume, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");

const orders = new Volume(
  "orders",
  {
    vpcId: shop.id,
    description: "Orders of the shop",
    sizeGb: 20, // grows in place, never shrinks
    volumeType: "ssd",
    metadata: { team: "orders" },
    qos: { iops: { readIopsSec: 500, writeIopsSec: 500 } },
  },
  { customTimeouts: { create: "20m" } }, // `protect: true` keeps Pulumi from ever deleting the data
);

export const status = orders.status;
