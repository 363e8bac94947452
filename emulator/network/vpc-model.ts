import { Refusal } from "../http/wire.ts";
import { type Cloud, isReady, listingTimeOf, lookUp } from "../model/cloud.ts";
import { existsAt, isDeleting, type Resource } from "../state/store.ts";
import { workState } from "../state/work.ts";

export type Vpc = Resource & {
  readonly taskId: string;
  /** Time at which the last part of the VPC is created. */
  readonly builtAt: number;
  readonly description: string;
  readonly enabled: boolean;
  /** No route returns a router (docs/contract.md#2.2); a subnet create can refer to it. */
  readonly routerKrn: string;
};

export type Network = Resource & { readonly adminStateUp: boolean };

export const vpcModel = (cloud: Cloud) => cloud.store.model<Vpc>("vpc");
export const networkModel = (cloud: Cloud) => cloud.store.model<Network>("network");

/** Returns the VPC of a KRN in a region; else 404. */
export function requireVpc(cloud: Cloud, krn: string, region?: string): Vpc {
  return lookUp(cloud, vpcModel(cloud), krn, `VPC ${krn} not found`, region);
}

/** Returns a VPC that can have new children; 409 while it is being created or deleted, or when its creation failed. */
export function requireReadyVpc(cloud: Cloud, krn: string, region?: string): Vpc {
  const vpc = requireVpc(cloud, krn, region);
  if (!isReady(cloud, vpc))
    throw new Refusal(409, `VPC ${vpc.name} is not ready: ${operatingStatus(cloud, vpc)}`);
  return vpc;
}

/** Returns the network created with a VPC; every VPC has one. */
export function networkOf(cloud: Cloud, vpc: Vpc): Network | undefined {
  return networkModel(cloud)
    .all()
    .find((network) => network.parents[0] === vpc.krn);
}

/** Returns the status of a VPC in the VPC list (docs/contract.md#2.1). */
export function operatingStatus(cloud: Cloud, vpc: Vpc, time = listingTimeOf(cloud, vpc)): string {
  if (!existsAt(vpc, time)) return "deleted";
  if (isDeleting(vpc, time)) return "DELETING";
  if (workState(vpc.work, time) === "failed") return "FAILED";
  return time < vpc.builtAt ? "BUILD" : "ACTIVE";
}
