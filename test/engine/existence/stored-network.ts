import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { openCloud, resource } from "../../support/cloud.ts";

/** A VPC, a subnet and a volume of it. */

export const data = (vpcId: string, name = "data") => ({ vpcId, name, sizeGb: 20, volumeType: "HNSS" });

export const first = { name: "a", cidr: "10.0.0.0/24" };

/** Creates a VPC with a primary subnet, a second subnet and a volume, and returns their states. */
export async function withAll(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpc = await cloud.run(
    cloud.create("vpc", { name: "net", description: "mine", enabled: false, primarySubnet: first }),
  );
  const vpcId = String(vpc.id);
  const subnet = await cloud.run(cloud.create("subnet", { vpcId, name: "b", cidr: "10.0.1.0/24" }));
  const volume = await cloud.run(cloud.create("volume", data(vpcId)));
  const state: Record<string, ResourceState> = { vpc, subnet, volume };
  const stateOf = (kind: string) => state[kind] as ResourceState;
  const read = (kind: string, from = stateOf(kind), session = cloud.reopen()) =>
    engine.read(session, resource(kind), from, cloud.call);
  return { cloud, vpcId, heldOf: stateOf, read };
}

export const nouns = ["vpc", "subnet", "volume"];
