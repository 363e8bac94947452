// What stands there already, whoever made it.
import {
  getImagesOutput,
  getInstanceTypeOutput,
  getVolumesOutput,
  getVpcOutput,
  Vpc,
} from "@kcloud/iac/pulumi";

const shop = new Vpc("shop", { name: "shop" });

export const firstImage = getImagesOutput().images.apply(([image]) => image?.id);
export const processors = getInstanceTypeOutput({ name: "c1.small" }).cpus;
// One, by its id or by what else it is known by: none or several is an error that lists what there is.
export const network = getVpcOutput({ name: shop.name }, { dependsOn: shop }).networkName;
// All of a VPC, or those that are as asked for.
export const ssds = getVolumesOutput({ vpcId: shop.id, volumeType: "ssd" }).volumes.length;
