import { operationsOn, resource } from "./cloud.ts";
import { openNetwork } from "./instance-world.ts";

export const port = resource("port");

/** Opens a network; returns the operations on a port in it. */
export async function openPort(...how: Parameters<typeof openNetwork>) {
  const { cloud, vpcId, written } = await openNetwork(...how);
  const subnetId = String(written.subnetId);
  const securityGroups = (written.securityGroups as string[]).map(String);
  return { cloud, vpcId, securityGroups, ...operationsOn(cloud, "port", { vpcId, name: "berth", subnetId }) };
}
