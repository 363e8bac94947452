import { Refusal } from "../http/wire.ts";
import { type Cloud, isReady, listingTime, lookUp } from "../model/cloud.ts";
import { existsAt, isDeleting, type Resource } from "../state/store.ts";
import { workState } from "../state/work.ts";

export type Vpc = Resource & {
  readonly taskId: string;
  /** When the last of its parts is made. */
  readonly builtAt: number;
  readonly description: string;
  readonly enabled: boolean;
  /** No route finds a router (contract 2.2); a subnet create may name it all the same. */
  readonly routerKrn: string;
};

export type Network = Resource & { readonly adminStateUp: boolean };

export const vpcModel = (cloud: Cloud) => cloud.store.model<Vpc>("vpc");
export const networkModel = (cloud: Cloud) => cloud.store.model<Network>("network");

/** The VPC of an id, in the region asked for; 404 otherwise. */
export function requireVpc(cloud: Cloud, krn: string, region?: string): Vpc {
  return lookUp(cloud, vpcModel(cloud), krn, `VPC ${krn} not found`, region);
}

/** The same, fit to take a new child: 409 while it is being made or deleted, or when it failed. */
export function requireReadyVpc(cloud: Cloud, krn: string, region?: string): Vpc {
  const vpc = requireVpc(cloud, krn, region);
  if (!isReady(cloud, vpc))
    throw new Refusal(409, `VPC ${vpc.name} is not ready: ${operatingStatus(cloud, vpc)}`);
  return vpc;
}

/** The network made with the VPC; every VPC has exactly one, if it did not fail. */
export function networkOf(cloud: Cloud, vpc: Vpc): Network | undefined {
  return networkModel(cloud)
    .all()
    .find((network) => network.parents[0] === vpc.krn);
}

/** The word of the VPC list (contract 2.1) at the moment that listings show. */
export function operatingStatus(cloud: Cloud, vpc: Vpc, at = listingTime(cloud)): string {
  if (!existsAt(vpc, at)) return "deleted";
  if (isDeleting(vpc, at)) return "DELETING";
  if (workState(vpc.work, at) === "failed") return "FAILED";
  return at < vpc.builtAt ? "BUILD" : "ACTIVE";
}
