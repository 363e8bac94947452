import { covers, type IpVersion, ipVersionOf } from "../../provider/core/ip-address.ts";

/** Values of a subnet that the API compares with each other (docs/contract.md#2.2). */
interface RangeInputs {
  readonly cidr: string;
  readonly gatewayIp?: string | undefined;
  readonly ipVersion: IpVersion;
}

/** Returns the problem of a gateway or an IP version that does not match the address range of the subnet; else undefined. */
export function rangeProblem({ cidr, gatewayIp, ipVersion }: RangeInputs) {
  const version = ipVersionOf(cidr);
  if (version !== undefined && version !== ipVersion)
    return { path: ["ipVersion"], problem: `is ${ipVersion}, but ${cidr} is an IPv${version} CIDR` };
  if (gatewayIp === undefined || covers(cidr, `${gatewayIp}/${version === 6 ? 128 : 32}`)) return undefined;
  return { path: ["gatewayIp"], problem: `must be an address in ${cidr}` };
}
