import * as z from "zod/mini";
import { FailedError } from "../provider/core/error.ts";
import { sameAddress, sameCidr } from "../provider/core/ip-address.ts";
import { sameText } from "../provider/core/string.ts";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field, group } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { cidr, ipAddress, ipVersion, maybe, maybeText, text } from "../provider/definition/validator.ts";
import { inVpc } from "./wire/dependents.ts";
import { describeVpc, getVpcTask, listVpcs, sentIpVersion, succeeded, taskOf } from "./wire/vpc.ts";

export const vpc = defineResource({
  name: "vpc",
  about: "A virtual private cloud: a network of its own, in which subnets, machines and volumes live.",
  contains: true,
  timeouts: { create: 600, read: 120, update: 120, delete: 600 },
  fields: {
    name: field(text, "Name of the VPC.", {
      replaceReason: "The cloud cannot rename a VPC; everything in it is made anew.",
    }),
    description: field(z.optional(z.string()), "What it is for.", { unreadable: true }),
    enabled: field(z._default(z.boolean(), true), "Whether it is in service.", { unreadable: true }),
    networkName: field(z.optional(text), "Name of its network. Default: the VPC's name and -network.", {
      computed: true,
    }),
    adminStateUp: field(z._default(z.boolean(), true), "Whether its network forwards packets.", {
      unreadable: true,
    }),
    ipVersion: field(z._default(ipVersion, 4), "IP version of its network: 4 or 6.", { unreadable: true }),
    primarySubnet: group(
      {
        name: field(text, "Name of the subnet."),
        cidr: field(cidr, "Range of its addresses.", { same: sameCidr, meaning: "address range" }),
        gatewayIp: field(z.optional(ipAddress), "Address of its gateway. Default: chosen by the cloud.", {
          same: sameAddress,
          unreadable: true,
        }),
        description: field(z.optional(z.string()), "What it is for.", { unreadable: true }),
        ipVersion: field(z.optional(ipVersion), "IP version: 4 or 6. Default: that of the VPC.", {
          unreadable: true,
        }),
        ingress: field(z._default(z.boolean(), true), "Whether traffic may come in.", { unreadable: true }),
        egress: field(z._default(z.boolean(), true), "Whether traffic may go out.", { unreadable: true }),
        id: computed(z.string(), "Identifier of the subnet."),
      },
      "A first subnet, made and deleted with the VPC; the cloud does not delete it alone.",
      {
        optional: true,
        unreadable: true,
        candidates: "subnets",
        replaceReason: "The first subnet lives and dies with its VPC; add a subnet of its own instead.",
      },
    ),
    networkId: computed(z.string(), "Identifier of its network."),
    status: computed(z.string(), "Where it stands, in the cloud's word."),
  },
  lifecycle: {
    field: "status",
    ready: ["success", "ACTIVE", "completed", "done"],
    pending: ["pending", "processing", "BUILD", "DELETING", "INACTIVE"],
    failed: ["failed", "failure", "ERROR", "cancelled"],
    gone: ["deleted", "Not Found", "TERMINATED"],
  },
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
    if (answer?.error) throw new FailedError(`the cloud says: ${answer.error.message}`);
    return { task: answer?.task_id };
  },

  async task({ api, task }) {
    const tasks = await api.send(getVpcTask, { body: { task_id: task } });
    const parts = tasks.flatMap((task) =>
      [task, ...(task.subnet_list ?? [])].map((part) => ({ ...part, of: task.field })),
    );
    const failure = parts.find(({ status, error }) => failed(status) || error?.message);
    const standing = parts.flatMap(({ of, status }) => (status === undefined ? [] : [{ of, status }]));
    const done = standing.length > 0 && standing.every(({ status }) => succeeded(status));
    return {
      id: taskOf(tasks, "vpc")?.krn,
      status: failure ? "failed" : done ? "done" : "running",
      detail: failure
        ? `${failure.of}: ${failure.error?.message ?? "failed"}`
        : [...new Set(standing.map(({ of, status }) => `${of} ${status}`))].join(", "),
    };
  },

  async read({ api, id, region, remembered }) {
    const found = await describeVpc(api, id);
    if (found === undefined) return undefined;
    const subnets = found.subnets.map(({ krn, name, cidr }) => ({ name, cidr, id: krn }));
    const wanted = remembered.primarySubnet;
    const first = subnets.find(
      ({ id, name, cidr }) =>
        id === wanted?.id || (sameText(name, wanted?.name) && sameCidr(cidr ?? "", wanted?.cidr ?? "")),
    );
    return { ...found, subnets, primarySubnet: first, region };
  },

  dependents: ({ id, prior, ...place }) => inVpc({ ...place, vpcId: id }, prior.primarySubnet?.id),

  async delete({ api, id }) {
    await api.send(routes.delete, { query: { vpc_id: id }, headers: { accept: "*/*" } });
  },
});

const routes = {
  create: endpoint(
    "create",
    "POST /v1/highlvlvpc/create_vpc_async",
    // The 202 may have no body (docs/contract.md#2.1): then only a search finds the VPC.
    z.optional(z.object({ task_id: maybeText, error: maybe(z.object({ message: z.string() })) })),
  ),
  delete: endpoint("delete", "DELETE /v1/highlvlvpc/delete_vpc"),
};

const failed = (status: string | undefined): boolean =>
  ["failed", "failure", "error", "cancelled"].includes(status?.toLowerCase() ?? "");
