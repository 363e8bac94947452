import { SecurityGroup, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");

const web = new SecurityGroup("web", { vpcId: shop.id, description: "What the web servers take" });

export const groupId = web.id;
