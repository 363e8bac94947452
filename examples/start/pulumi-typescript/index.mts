import { Volume, Vpc } from "@kcloud/iac/pulumi";

const network = new Vpc("shop");
new Volume("orders", { vpcId: network.id, sizeGb: 20, volumeType: "ssd" });
