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
  { customTimeouts: { create: "20m" } }, // with `protect: true`, Pulumi never deletes the volume
);

export const status = orders.status;
