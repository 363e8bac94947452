import * as z from "zod/mini";
import { matchesMasked } from "../provider/core/krn.ts";
import { sameText } from "../provider/core/string.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { described } from "../provider/definition/shape.ts";
import { text } from "../provider/definition/validator.ts";
import { groupList, groupsInRegionOf } from "./fields/group-list.ts";
import { createPort, findPort, listPorts, networkOf, putGroups } from "./wire/port.ts";

const portRemains = "The API cannot delete a port: it remains until its subnet is deleted.";

export const port = defineResource({
  name: "port",
  category: "network",
  about:
    "A network port with an IP address in a subnet, for an instance or a floating IP. The API cannot delete it.",
  timeouts: { create: 300, read: 120, update: 600, delete: 120 },
  parents: ["vpcId"],
  visibility: { readByListing: true },
  sharedList: { list: "securityGroups", kind: "port", setBy: "change" },
  isPart: ({ deviceId, floatingIpAddress }) => deviceId !== undefined || floatingIpAddress !== undefined,
  fields: {
    vpcId: field(z.string(), "ID of the VPC that contains the port.", { references: "vpc" }),
    name: field(text, "Name of the port."),
    subnetId: field(z.string(), "ID of the subnet that provides the IP address of the port.", {
      references: "subnet",
    }),
    networkId: field(z.optional(z.string()), "ID of the network of the port.", {
      references: "network",
      computed: true,
      usage: "Default: the network of the VPC.",
    }),
    securityGroups: field(z.optional(groupList), "IDs of all security groups of the port.", {
      references: "security-group",
      unordered: true,
      change: "update",
      deferred: true,
      computed: true,
      usage: "At least one. Default: chosen by the API.",
    }),
    fixedIps: computed(
      z.array(
        z.object({
          ipAddress: described(z.string(), "IP address."),
          subnetId: described(z.optional(z.string()), "ID of the subnet of the address."),
        }),
      ),
      "IP addresses of the port in its subnets.",
    ),
    floatingIpAddress: computed(z.string(), "Public address of the floating IP on the port."),
    macAddress: computed(z.string(), "MAC address of the port."),
    deviceId: computed(z.string(), "ID of the device that uses the port, such as an instance."),
    deviceOwner: computed(z.string(), "Type of the device that uses the port."),
    adminStateUp: computed(
      z.boolean(),
      "Administrative state of the port: packets are forwarded only if true.",
    ),
    status: computed(z.string(), "Status reported by the API, such as `ACTIVE`."),
  },
  rules: [groupsInRegionOf("vpcId", "the VPC")],
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
  // The API chooses all other values. Ports cannot be deleted, so old ports of this name may exist in other subnets.
  matches: (row, inputs) =>
    sameText(row.name, inputs.name) && matchesMasked(row.subnetId ?? "", inputs.subnetId),

  async create({ api, inputs }) {
    const { name, vpcId: vpc_id, subnetId: subnet_id } = inputs;
    const network_id = await networkOf(api, inputs);
    const body = { name, vpc_id, network_id, subnet_id, floating_ip: false };
    return { id: (await api.send(createPort, { body }))?.port_krn };
  },

  async read({ api, id, vpcId, region, recorded }) {
    const state = await findPort(api, id);
    // The response does not contain the VPC. That of an import or a lookup may be wrong, so the list of its ports decides.
    const isUnproven = state !== undefined && recorded.name === undefined;
    if (isUnproven && !(await listPorts(api, region, vpcId)).some((row) => matchesMasked(row.id, id)))
      return undefined;
    return state && { ...state, vpcId, region };
  },

  async update({ api, id, current }) {
    const { securityGroups } = await current(putGroups);
    await api.send(putGroups, { path: { port: id }, body: { security_groups: securityGroups } });
  },

  delete: { undeletable: portRemains },
});
