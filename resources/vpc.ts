import * as z from "zod/mini";
import { CloudError, FailedError, isConflict } from "../provider/core/error.ts";
import { sameAddress, sameCidr } from "../provider/core/ip-address.ts";
import { sameId } from "../provider/core/krn.ts";
import { sameText } from "../provider/core/string.ts";
import type { Values } from "../provider/core/value.ts";
import { attributeCode, wording } from "../provider/core/wording.ts";
import type { Api } from "../provider/definition/api.ts";
import { computed, field, group } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { cidr, ipAddress, ipVersion, text } from "../provider/definition/validator.ts";
import { unreadable } from "./fields/option.ts";
import { rangeProblem } from "./fields/subnet-range.ts";
import { inVpc } from "./wire/dependents.ts";
import {
  deleteSubnet,
  describeVpc,
  importFirst,
  listVpcs,
  readVpcTask,
  vpcRoutes as routes,
  sentIpVersion,
  vpcStatuses,
} from "./wire/vpc.ts";

export const vpc = defineResource({
  name: "vpc",
  category: "network",
  about: "A virtual private cloud (VPC): an isolated network that contains subnets, instances and volumes.",
  contains: true,
  replaceReason: "Everything in the VPC is replaced too.",
  deletesToo: [
    {
      kind: "subnet",
      ids: ({ primarySubnet }, after) => (after === undefined ? [primarySubnet?.id] : []),
    },
  ],
  timeouts: { create: 600, read: 120, update: 120, delete: 600 },
  fields: {
    name: field(text, "Name of the VPC."),
    description: field(z.optional(z.string()), "Free-text description of the VPC.", unreadable),
    enabled: field(z._default(z.boolean(), true), "If true, the VPC is enabled.", unreadable),
    networkName: field(z.optional(text), "Name of the network of the VPC.", {
      computed: true,
      usage: "Default: the name of the VPC followed by `-network`.",
    }),
    adminStateUp: field(
      z._default(z.boolean(), true),
      "Administrative state of the network: packets are forwarded only if true.",
      unreadable,
    ),
    ipVersion: field(z._default(ipVersion, 4), "IP version of the network.", unreadable),
    primarySubnet: group(
      {
        name: field(text, "Name of the subnet."),
        cidr: field(cidr, "Address range of the subnet in CIDR notation, such as `10.0.0.0/24`.", {
          same: sameCidr,
          meaning: "address range",
        }),
        gatewayIp: field(z.optional(ipAddress), "IP address of the gateway, such as `10.0.0.1`.", {
          ...unreadable,
          same: sameAddress,
          usage: "Default: chosen by the API.",
        }),
        description: field(z.optional(z.string()), "Free-text description of the subnet.", unreadable),
        ipVersion: field(z.optional(ipVersion), "IP version of the subnet.", {
          ...unreadable,
          wire: {
            of: (configured: number | undefined, object: Values) => configured ?? Number(object.ipVersion),
          },
          usage: wording`Default: ${attributeCode("ipVersion")} of the VPC.`,
        }),
        ingress: field(z._default(z.boolean(), true), "If true, inbound traffic is allowed.", unreadable),
        egress: field(z._default(z.boolean(), true), "If true, outbound traffic is allowed.", unreadable),
        id: computed(z.string(), "ID of the subnet."),
      },
      "First subnet, created and deleted together with the VPC. Further subnets are resources of their own.",
      { optional: true, unreadable: true, candidates: "subnets", candidateKind: "subnet" },
    ),
    networkId: computed(z.string(), "ID of the network of the VPC."),
    status: computed(z.string(), "Status reported by the API, such as `success`."),
  },
  rules: [
    {
      needs: ["ipVersion", "primarySubnet"],
      check({ ipVersion, primarySubnet: subnet }) {
        const found = subnet && rangeProblem({ ...subnet, ipVersion: subnet.ipVersion ?? ipVersion });
        if (found === undefined) return undefined;
        // The IP version of the subnet may be that of the VPC.
        const isOfVpc = found.path[0] === "ipVersion" && subnet?.ipVersion === undefined;
        return isOfVpc ? found : { ...found, path: ["primarySubnet", ...found.path] };
      },
    },
  ],
  lifecycle: { field: "status", ...vpcStatuses },
})({
  list: ({ api, region }) => listVpcs(api, region),

  async create({ api, inputs }) {
    const { primarySubnet: subnet, ipVersion } = inputs;
    const answer = await api.send(routes.create, {
      body: {
        vpc: { name: inputs.name, description: inputs.description, enabled: inputs.enabled },
        network: {
          name: inputs.networkName ?? `${inputs.name}-network`,
          admin_state_up: inputs.adminStateUp,
        },
        // Without a primary subnet the object is sent with empty values, as existing clients do (docs/contract.md#2.1).
        subnet: {
          name: subnet?.name ?? "",
          cidr: subnet?.cidr ?? "",
          gateway_ip: subnet?.gatewayIp ?? "",
          description: subnet?.description ?? "",
          ip_version: sentIpVersion(api, subnet?.ipVersion ?? ipVersion, "string"),
          ingress: subnet?.ingress ?? false,
          egress: subnet?.egress ?? false,
        },
      },
    });
    if (answer?.error) throw new FailedError(`the API reports: ${answer.error.message}`);
    return { task: answer?.task_id };
  },

  task: ({ api, task }) => readVpcTask(api, task),

  async read({ api, id, region, recorded }) {
    const found = await describeVpc(api, id);
    if (found === undefined) return undefined;
    const subnets = found.subnets.map(({ krn, name, cidr }) => ({ name, cidr, id: krn }));
    const wanted = recorded.primarySubnet;
    const first = subnets.find(
      ({ id, name, cidr }) =>
        sameId(id ?? "", wanted?.id ?? "") ||
        (sameText(name, wanted?.name) && sameCidr(cidr ?? "", wanted?.cidr ?? "")),
    );
    return { ...found, subnets, primarySubnet: first, region };
  },

  dependents: ({ id, prior, ...place }) => inVpc({ ...place, vpcId: id }, prior.primarySubnet?.id),

  async delete({ api, id, region, prior }) {
    try {
      await api.send(routes.delete, { query: { vpc_id: id }, headers: { accept: "*/*" } });
    } catch (error) {
      const subnet = prior.primarySubnet?.id;
      if (!isConflict(error)) throw error;
      if (subnet === undefined) throw new CloudError({ ...error, remedies: await importFirst(api, id) });
      // No response tells which subnet is the primary one: after an import, that of the configuration may be another one,
      // which the API does not delete with the VPC. If nothing else is left, or one other subnet, which then is the primary
      // one, the recorded one is deleted, and the engine repeats the delete. The API refuses to delete a primary one alone.
      const others = await inVpc({ api, region, vpcId: id }, subnet).catch(unlessRefused);
      const [other, ...more] = others ?? [];
      const isLast = other === undefined || (other.kind === "subnet" && more.length === 0);
      if (others !== undefined && isLast) await deletePart(api, id, subnet);
      throw error;
    }
  },
});

/** Deletes a subnet, unless the API refuses that, as for a primary one. */
const deletePart = (api: Api, vpcId: string, subnet: string) =>
  api.send(deleteSubnet, { query: { subnet_id: subnet, vpc_id: vpcId } }).catch(unlessRefused);

/** Ignores a failed request: the conflict of the VPC is the error of its delete. */
const unlessRefused = (error: unknown): undefined => {
  if (!(error instanceof CloudError)) throw error;
};
