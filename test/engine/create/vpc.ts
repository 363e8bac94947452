import { openCloud } from "../../support/cloud.ts";

/** A cloud with a VPC, and the inputs of the VPC and of a volume in it. */

export const net = { name: "net" };

export const data = (vpcId: string) => ({ vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" });

export async function withVpc(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpc = await cloud.run(cloud.create("vpc", net));
  return { cloud, vpcId: String(vpc.id) };
}
