// Data about existing objects, also of those that other tools created.
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
// One object, by its ID or other attributes: no match and several matches are errors that list the objects.
export const network = getVpcOutput({ name: shop.name }, { dependsOn: shop }).networkName;
// All volumes of a VPC, or those with the given values.
export const ssds = getVolumesOutput({ vpcId: shop.id, volumeType: "ssd" }).volumes.length;
