import * as z from "zod/mini";
import { overlap, sameAddress, sameCidr } from "../provider/core/ip-address.ts";
import { sameText } from "../provider/core/string.ts";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { cidr, ipAddress, ipVersion, maybeText, text } from "../provider/definition/validator.ts";
import { inSubnet } from "./wire/dependents.ts";
import { describeVpc, insideMissing, sentIpVersion } from "./wire/vpc.ts";

/**
 * Annotated example for new definitions. The first call holds the contract: fields and facts. The second call holds the
 * verbs: the requests. `resources/volume.ts` shows what a subnet lacks: `read`, `update` and nested groups.
 */
export const subnet = defineResource({
  name: "subnet",
  about: "A range of addresses in a VPC. The subnet that is made with a VPC belongs to the VPC, not here.",
  timeouts: { create: 300, read: 120, update: 120, delete: 600 },
  // Import id: `vpc,subnet`. Verbs receive `vpcId` next to `id`.
  parents: ["vpcId"],
  // A replacement deletes the old subnet first. Ranges of one network must not overlap (docs/contract.md#2.2).
  exclusive: true,
  contains: true,
  fields: {
    vpcId: field(z.string(), "VPC it is part of.", { references: "vpc" }),
    // No `change` option: a change replaces the subnet.
    name: field(text, "Name of the subnet."),
    cidr: field(cidr, "Range of its addresses.", {
      // The API may return another spelling: the state keeps the user's, and a plan shows no change.
      same: sameCidr,
      meaning: "address range",
      replaceReason: "A subnet cannot be resized; what has an address in it must leave it first.",
    }),
    gatewayIp: field(z.optional(ipAddress), "Address of its gateway. Default: chosen by the cloud.", {
      same: sameAddress,
      unreadable: true,
    }),
    // No response shows this field and the next three: the state keeps the configured values.
    description: field(z.optional(z.string()), "What it is for.", { unreadable: true }),
    ipVersion: field(z._default(ipVersion, 4), "IP version: 4 or 6.", { unreadable: true }),
    ingress: field(z._default(z.boolean(), true), "Whether traffic may come in.", { unreadable: true }),
    egress: field(z._default(z.boolean(), true), "Whether traffic may go out.", { unreadable: true }),
    // The user or the API sets it.
    networkId: field(z.optional(z.string()), "Network it is part of. Default: that of the VPC.", {
      references: "network",
      computed: true,
    }),
    routerKrn: field(z.optional(z.string()), "Router it hangs on, where the cloud asks for one.", {
      unreadable: true,
    }),
    // Only the API sets it, and it may change.
    status: computed(z.string(), "Where it stands, in the cloud's word."),
  },
  // Statuses of both routes that show subnets. A wait ends at ready or failed.
  lifecycle: {
    field: "status",
    ready: ["success", "ACTIVE"],
    pending: ["pending", "processing", "BUILD", "DELETING"],
    failed: ["failed", "failure", "ERROR"],
    gone: ["deleted", "Not Found"],
  },
})({
  // No route reads one subnet. The response for the VPC lists all of them with their status (docs/contract.md#2.2), so a
  // row is a complete state, and there is no `read`.
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

  // The search before a create, and after an ambiguous one, looks for this row. Default: equal names.
  matches: (row, inputs) => sameText(row.name, inputs.name) && sameCidr(row.cidr ?? "", inputs.cidr),

  // One request. The engine has searched before, and waits, recovers and adopts afterwards.
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

  // After a conflict: the subnets that share an address with the range (docs/contract.md#2.2).
  async conflicts({ api, inputs: { vpcId, cidr } }) {
    const subnets = (await describeVpc(api, vpcId))?.subnets ?? [];
    return subnets
      .filter((other) => overlap(other.cidr ?? "", cidr))
      .map(({ krn: id, name }) => ({ kind: "subnet", id, name }));
  },

  // After a conflict in a delete: the ports and instances in the subnet.
  dependents: ({ id, ...place }) => inSubnet(place, id),

  // The engine repeats it while a conflict lasts, and proves by listings that the subnet is gone.
  async delete({ api, id, vpcId }) {
    await api.send(routes.delete, { query: { subnet_id: id, vpc_id: vpcId } });
  },
});

/** Each route with its semantics, by which the client retries, and the schema of its response. */
const routes = {
  create: endpoint(
    "create",
    "POST /v1/highlvlvpc/create_subnet",
    z.optional(z.object({ subnet_id: maybeText })),
  ),
  delete: endpoint("delete", "DELETE /v1/highlvlvpc/delete_subnet"),
};
