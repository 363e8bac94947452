import * as z from "zod/mini";
import { matchesMasked, mayBeSameId } from "../provider/core/krn.ts";
import { sameText } from "../provider/core/string.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { groupList, groupsBeside } from "./fields/group-list.ts";
import { createPort, findPort, listPorts, networkOf, putGroups } from "./wire/port.ts";

const undeletable = "No route deletes a port: it stays in the cloud until its subnet goes.";

export const port = defineResource({
  name: "port",
  about:
    "A network port with an address in a subnet, for an instance or a floating IP. It cannot be deleted.",
  timeouts: { create: 300, read: 120, update: 600, delete: 120 },
  parents: ["vpcId"],
  readByListing: true,
  fields: {
    vpcId: field(z.string(), "VPC it stands in.", { references: "vpc" }),
    name: field(text, "Name of the port."),
    subnetId: field(z.string(), "Subnet it has its address in.", {
      references: "subnet",
      same: mayBeSameId,
    }),
    networkId: field(z.optional(z.string()), "Network it is part of. Default: that of the VPC.", {
      references: "network",
      computed: true,
    }),
    securityGroups: field(
      z.optional(groupList),
      "Security groups of the port, all of them. Default: chosen by the cloud.",
      { unordered: true, change: "update", deferred: true, computed: true },
    ),
    fixedIps: computed(
      z.array(z.object({ ipAddress: z.string(), subnetId: z.optional(z.string()) })),
      "Its addresses, each with its subnet.",
    ),
    floatingIpAddress: computed(z.string(), "Public address that it holds."),
    macAddress: computed(z.string(), "Its hardware address."),
    deviceId: computed(z.string(), "What uses it, such as an instance."),
    deviceOwner: computed(z.string(), "What kind of thing uses it."),
    adminStateUp: computed(z.boolean(), "Whether it is switched on."),
    status: computed(z.string(), "Where it stands, in the cloud's word."),
  },
  rules: [groupsBeside("vpcId", "the VPC")],
  lifecycle: {
    field: "status",
    ready: ["ACTIVE", "DOWN"],
    pending: ["BUILD"],
    failed: ["ERROR"],
  },
})({
  whole: true,
  async list({ api, region, vpcId }) {
    return (await listPorts(api, region, vpcId)).map((row) => ({ ...row, vpcId, region }));
  },
  // The API chooses all other values. Ports cannot be deleted, so old ones of the same name may exist in other subnets.
  matches: (row, inputs) =>
    sameText(row.name, inputs.name) && matchesMasked(row.subnetId ?? "", inputs.subnetId),

  async create({ api, inputs }) {
    const { name, vpcId: vpc_id, subnetId: subnet_id } = inputs;
    const network_id = await networkOf(api, inputs);
    const body = { name, vpc_id, network_id, subnet_id, floating_ip: false };
    return { id: (await api.send(createPort, { body }))?.port_krn };
  },

  async read({ api, id, vpcId, region, remembered }) {
    const seen = await findPort(api, id);
    // The response does not show the VPC. What an import or a lookup names may be another one, so its list decides.
    const isUnproven = seen !== undefined && remembered.name === undefined;
    if (isUnproven && !(await listPorts(api, region, vpcId)).some((row) => matchesMasked(row.id, id)))
      return undefined;
    return seen && { ...seen, vpcId, region };
  },

  async update({ api, id, inputs }) {
    await api.send(putGroups, { path: { port: id }, body: { security_groups: inputs.securityGroups } });
  },

  delete: { undeletable },
});
