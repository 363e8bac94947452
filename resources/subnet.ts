import * as z from "zod/mini";
import { CloudError } from "../provider/core/error.ts";
import { overlap, sameAddress, sameCidr } from "../provider/core/ip-address.ts";
import { sameText } from "../provider/core/string.ts";
import { inWordsOf } from "../provider/core/wording.ts";
import type { Api } from "../provider/definition/api.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { cidr, ipAddress, ipVersion, text } from "../provider/definition/validator.ts";
import { unreadable } from "./fields/option.ts";
import { rangeProblem } from "./fields/subnet-range.ts";
import { inSubnet } from "./wire/dependents.ts";
import {
  deleteSubnet,
  describeVpc,
  importFirst,
  insideMissing,
  subnetRoutes as routes,
  sentIpVersion,
} from "./wire/vpc.ts";

/**
 * Annotated example for new definitions. The first call has the contract: fields and properties. The second call has the
 * verbs: the requests. `resources/volume.ts` is an example of `read`, `update` and nested groups.
 */
export const subnet = defineResource({
  name: "subnet",
  category: "network",
  about:
    "A subnet of a VPC: an address range for instances and ports. The primary subnet belongs to the VPC resource.",
  timeouts: { create: 300, read: 120, update: 120, delete: 600 },
  // Import id: `vpcId,id`. Verbs receive `vpcId` next to `id`.
  parents: ["vpcId"],
  // A replacement deletes the old subnet first. Ranges of one network must not overlap (docs/contract.md#2.2).
  exclusive: true,
  replaceReason: "The old subnet is deleted first and must not be in use.",
  contains: true,
  fields: {
    vpcId: field(z.string(), "ID of the VPC that contains the subnet.", { references: "vpc" }),
    // No `change` option: a change replaces the subnet.
    name: field(text, "Name of the subnet."),
    cidr: field(cidr, "Address range of the subnet in CIDR notation, such as `10.0.0.0/24`.", {
      // The API may return another spelling: the state keeps that of the user, and a plan shows no change.
      same: sameCidr,
      meaning: "address range",
    }),
    gatewayIp: field(z.optional(ipAddress), "IP address of the gateway, such as `10.0.0.1`.", {
      ...unreadable,
      same: sameAddress,
      usage: "Default: chosen by the API.",
    }),
    // No response contains this field and the next three: the state keeps the configured values.
    description: field(z.optional(z.string()), "Free-text description of the subnet.", unreadable),
    ipVersion: field(z._default(ipVersion, 4), "IP version of the subnet.", unreadable),
    ingress: field(z._default(z.boolean(), true), "If true, inbound traffic is allowed.", unreadable),
    egress: field(z._default(z.boolean(), true), "If true, outbound traffic is allowed.", unreadable),
    // The user or the API sets this field.
    networkId: field(z.optional(z.string()), "ID of the network that contains the subnet.", {
      references: "network",
      computed: true,
      usage: "Default: the network of the VPC.",
    }),
    routerKrn: field(
      z.optional(z.string()),
      "KRN of the router of the subnet, if the API requires one.",
      unreadable,
    ),
    // Only the API sets this field, and its value may change.
    status: computed(z.string(), "Status reported by the API, such as `success`."),
  },
  // Checked in validation and plan, once all fields in `needs` are known.
  rules: [{ needs: ["cidr", "gatewayIp", "ipVersion"], check: rangeProblem }],
  // Statuses of both routes that return subnets. A wait ends at a ready or a failed one.
  lifecycle: {
    field: "status",
    ready: ["success", "ACTIVE"],
    pending: ["pending", "processing", "BUILD", "DELETING"],
    failed: ["failed", "failure", "ERROR"],
    gone: ["deleted", "Not Found"],
  },
})({
  // No route reads a single subnet. The response for the VPC lists all subnets with their status (docs/contract.md#2.2),
  // so a row is a complete state, and there is no `read`.
  whole: true,
  async list({ api, region, vpcId }) {
    const found = await describeVpc(api, vpcId);
    if (found === undefined) return insideMissing(api, region, vpcId);
    return found.subnets.map(({ krn, name, cidr, status }) => ({
      id: krn,
      vpcId,
      name,
      cidr,
      networkId: found.networkId,
      status: status ?? "success",
      region,
    }));
  },

  // The search before a create and after an ambiguous response compares rows by this function. Default: equal names.
  matches: (row, inputs) => sameText(row.name, inputs.name) && sameCidr(row.cidr ?? "", inputs.cidr),

  // One request. The engine searches before it; afterwards it waits, recovers or adopts.
  async create({ api, inputs }) {
    const answer = await api.send(routes.create, {
      body: {
        vpc_id: inputs.vpcId,
        router_krn: inputs.routerKrn,
        subnet_data: {
          name: inputs.name,
          cidr: inputs.cidr,
          gateway_ip: inputs.gatewayIp,
          description: inputs.description,
          ip_version: sentIpVersion(api, inputs.ipVersion, "integer"),
          ingress: inputs.ingress,
          egress: inputs.egress,
          network_id: inputs.networkId,
        },
      },
    });
    return { id: answer?.subnet_id };
  },

  // Called after a conflict: returns the subnets that overlap with the range (docs/contract.md#2.2).
  async conflicts({ api, inputs: { vpcId, cidr } }) {
    const subnets = (await describeVpc(api, vpcId))?.subnets ?? [];
    return subnets
      .filter((other) => overlap(other.cidr ?? "", cidr))
      .map(({ krn: id, name }) => ({ kind: "subnet", id, name }));
  },

  // Called after a conflict of a delete: returns the ports and instances in the subnet.
  dependents: ({ id, ...place }) => inSubnet(place, id),

  // The engine repeats the request after a conflict, and proves by listings that the subnet is gone.
  async delete({ api, id, vpcId }) {
    await api.send(deleteSubnet, { query: { subnet_id: id, vpc_id: vpcId } }).catch(async (error) => {
      throw isPrimary(error) ? await leftToVpc(error, { api, id, vpcId }) : error;
    });
  },
});

/** Returns true if the API refuses to delete a subnet because it is the primary one; only the text is known (docs/contract.md#1.6). */
const isPrimary = (error: unknown): error is CloudError =>
  error instanceof CloudError &&
  /primary subnet|cannot delete this subnet individually/i.test(inWordsOf("terraform", error.text));

/** Returns the error for a primary subnet: it is deleted with its VPC. */
async function leftToVpc(
  error: CloudError,
  { api, id, vpcId }: { readonly api: Api; readonly id: string; readonly vpcId: string },
): Promise<CloudError> {
  const first = await importFirst(api, vpcId, id);
  return new CloudError({ ...error, remedies: [{ code: "leave-to-vpc" }, ...first] });
}
