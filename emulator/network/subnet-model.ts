import { Refusal } from "../http/wire.ts";
import {
  type Cloud,
  existing,
  isReady,
  listed,
  listingTime,
  lookUp,
  newResource,
  refuseDuplicateName,
} from "../model/cloud.ts";
import type { Resource } from "../state/store.ts";
import { type Work, workState } from "../state/work.ts";
import { type Cidr, contains, firstHost, formatCidr, overlap, parseAddress, parseCidr } from "./cidr.ts";
import type { Vpc } from "./vpc-model.ts";

export type Subnet = Resource & {
  readonly cidr: string;
  readonly gatewayIp: string;
  readonly description: string;
  readonly ipVersion: 4 | 6;
  readonly ingress: boolean;
  readonly egress: boolean;
};

export const subnetModel = (cloud: Cloud) => cloud.store.model<Subnet>("subnet");

/** Returns the subnets of a VPC at the listing time, oldest first; the primary one is the first or the last. */
export function subnetsOf(cloud: Cloud, vpc: Vpc): Subnet[] {
  const subnets = listed(cloud, subnetModel(cloud).all()).filter((subnet) => subnet.parents[0] === vpc.krn);
  if (cloud.settings.assume.primarySubnetListed === "first") return subnets;
  return [...subnets.filter(({ owned }) => !owned), ...subnets.filter(({ owned }) => owned)];
}

/** Returns the ready subnet of a KRN in a VPC; else 404 or 409. */
export function requireSubnet(cloud: Cloud, vpc: Vpc, krn: string): Subnet {
  const missing = `subnet ${krn} not found in VPC ${vpc.name}`;
  const subnet = lookUp(cloud, subnetModel(cloud), krn, missing);
  if (subnet.parents[0] !== vpc.krn) throw new Refusal(404, missing);
  if (!isReady(cloud, subnet)) throw new Refusal(409, `subnet ${subnet.name} is not ready`);
  return subnet;
}

/** Fields of a new subnet in `create_subnet` and inside `create_vpc` (docs/contract.md#2.1, docs/contract.md#2.2). */
export type SubnetData = {
  name: string;
  cidr: string;
  gateway_ip?: string | undefined;
  description?: string | undefined;
  ip_version: 4 | 6;
  ingress?: boolean | undefined;
  egress?: boolean | undefined;
};

/** Validates CIDR, IP version and gateway. `field` is the prefix of the messages. */
export function checkAddresses(
  cloud: Cloud,
  field: string,
  data: SubnetData,
): { cidr: Cidr; gateway: string } {
  const cidr = parseCidr(data.cidr);
  if (!cidr) throw new Refusal(400, `${field}.cidr: not a CIDR such as 10.0.0.0/24`);
  if (cidr.hostBits && cloud.decide("cidrHostBits") === "refuse") {
    throw new Refusal(400, `${field}.cidr: has host bits set; ${formatCidr(cidr)} has not`);
  }
  if (cidr.version !== data.ip_version)
    throw new Refusal(400, `${field}.ip_version: the CIDR is IPv${cidr.version}`);
  if (!data.gateway_ip) return { cidr, gateway: firstHost(cidr) };
  const gateway = parseAddress(data.gateway_ip);
  if (!gateway) throw new Refusal(400, `${field}.gateway_ip: not an IP address`);
  if (!contains(cidr, gateway)) throw new Refusal(400, `${field}.gateway_ip: outside ${formatCidr(cidr)}`);
  return { cidr, gateway: data.gateway_ip };
}

/** Inserts a subnet; rejects with 400 and 409 before it changes anything. */
export function insertSubnet(
  cloud: Cloud,
  place: { vpcKrn: string; region: string; primary: boolean; work: Work; field: string },
  data: SubnetData,
): Subnet {
  const { cidr, gateway } = checkAddresses(cloud, place.field, data);
  const siblings = existing(cloud, subnetModel(cloud).all()).filter(
    (other) => other.parents[0] === place.vpcKrn,
  );
  refuseDuplicateName(cloud, siblings, place.vpcKrn, "subnet", data.name);
  for (const sibling of siblings) {
    const range = parseCidr(sibling.cidr);
    if (range && overlap(range, cidr) && workState(sibling.work, cloud.now) !== "failed") {
      throw new Refusal(409, `${formatCidr(cidr)} overlaps ${sibling.cidr} of subnet ${sibling.name}`);
    }
  }
  return subnetModel(cloud).insert({
    ...newResource(cloud, "vpc", "subnet", place.region),
    name: data.name,
    parents: [place.vpcKrn],
    owned: place.primary,
    work: place.work,
    cidr: formatCidr(cidr),
    gatewayIp: gateway,
    description: data.description ?? "",
    ipVersion: data.ip_version,
    ingress: data.ingress ?? false,
    egress: data.egress ?? false,
  });
}

/** Returns the status of a part of a VPC in listings other than `get_vpc` (docs/contract.md#2.2). */
export function partStatus(cloud: Cloud, resource: Resource): string {
  const state = workState(resource.work, listingTime(cloud));
  if (state === "failed") return "ERROR";
  return state === "success" ? "ACTIVE" : "BUILD";
}
