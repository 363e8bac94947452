import * as z from "zod/mini";
import { field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { underGroup } from "./wire/dependents.ts";
import { createdId, groupIds, listGroups, groupRoutes as routes } from "./wire/security-group.ts";

export const securityGroup = defineResource({
  name: "security-group",
  category: "network",
  about:
    "A security group: a set of rules for the traffic of instances in a VPC. Its rules are resources of their own.",
  timeouts: { create: 300, read: 120, update: 120, delete: 600 },
  parents: ["vpcId"],
  replaceReason: "The old group can be deleted only once no port or instance uses it.",
  fields: {
    vpcId: field(z.string(), "ID of the VPC that contains the security group.", {
      references: "vpc",
    }),
    name: field(text, "Name of the security group."),
    description: field(z.optional(z.string()), "Free-text description of the security group."),
  },
})({
  // No route reads a single group; the list of the VPC shows all of them (docs/contract.md#3).
  whole: true,
  async list({ api, region, vpcId }) {
    const rows = await listGroups(api, region, vpcId);
    return rows.map(({ id, name, description, createdAt }) => ({
      id,
      vpcId,
      name,
      description,
      region,
      createdAt,
    }));
  },

  async create({ api, inputs: { name, description, vpcId } }) {
    const answer = await api.send(routes.create, { body: { name, description, vpcid: vpcId } });
    return { id: createdId(answer, groupIds) };
  },

  dependents: ({ id, ...place }) => underGroup(place, id),

  async delete({ api, id }) {
    await api.send(routes.delete, { path: { group: id } });
  },
});
