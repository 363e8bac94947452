import * as z from "zod/mini";
import { matchesMasked } from "../provider/core/krn.ts";
import { sameText } from "../provider/core/string.ts";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field, group } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { base64Text, maybeText, text, wholeNumber } from "../provider/definition/validator.ts";
import { groupList, groupsBeside } from "./fields/group-list.ts";
import { oneUserData } from "./fields/instance-rule.ts";
import { sentText } from "./fields/user-data.ts";
import { listTemplates, observed, wire } from "./wire/instance-template.ts";

const settled = "The cloud cannot change a template. Instances made from it stay as they are.";
const fixed = { replaceReason: settled } as const;
/** Options of both forms of user data. A read shows one form at most, so the state keeps the configured values. */
const sealed = { unreadable: true, secret: true, ...fixed } as const;
const alike = {
  same: (a: string, b: string) => matchesMasked(a, b) || matchesMasked(b, a),
  ...fixed,
} as const;

export const instanceTemplate = defineResource({
  name: "instance-template",
  about: "What instances are made from, several at a time: all that they have in common.",
  template: true,
  timeouts: { create: 300, read: 120, update: 120, delete: 300 },
  fields: {
    name: field(text, "Name of the template.", fixed),
    vpcId: field(z.string(), "VPC that its instances stand in.", { references: "vpc", ...alike }),
    subnetId: field(z.string(), "Subnet that they have their addresses in.", {
      references: "subnet",
      ...alike,
    }),
    instanceType: field(text, "Size of the machines, by the name that the account offers it under.", fixed),
    sshkeyName: field(text, "SSH key that opens them, by name.", fixed),
    securityGroups: field(groupList, "Security groups of their network ports.", {
      unordered: true,
      ...fixed,
    }),
    bootVolume: group(
      {
        imageKrn: field(text, "Image that it is filled with.", { references: "image", ...fixed }),
        name: field(z.optional(text), "Name of the volume. Default: the template's and -volume.", {
          computed: true,
          ...fixed,
        }),
        sizeGb: field(wholeNumber(1), "Size in GB.", fixed),
        volumeType: field(text, "Kind of storage, as the account offers it.", {
          known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
          ...fixed,
        }),
      },
      "The volume that each of them boots from.",
      fixed,
    ),
    isGpu: field(z._default(z.boolean(), false), "Whether their type has a GPU.", fixed),
    userData: field(z.optional(z.string()), "What they run at their first start, as plain text.", {
      ...sealed,
    }),
    userDataBase64: field(z.optional(base64Text), "The same, already encoded as base64.", {
      ...sealed,
    }),
    networkId: computed(z.string(), "Network of the VPC."),
    imageName: computed(z.string(), "Name of the image."),
    createdAt: computed(z.string(), "When it was made, as the cloud writes it."),
  },
  rules: [{ needs: ["userData", "userDataBase64"], check: oneUserData }, groupsBeside("vpcId", "the VPC")],
})({
  list: ({ api, region }) => listTemplates(api, region),
  // A listing may show a template without its configuration (docs/contract.md#7).
  whole: (row) => (row.instanceType === undefined ? undefined : row),
  matches: (row, { name, vpcId }) =>
    sameText(row.name, name) && (row.vpcId === undefined || matchesMasked(row.vpcId, vpcId)),

  async create({ api, region, inputs: { bootVolume, userData, userDataBase64, ...inputs } }) {
    const { template_krn: id } = await api.send(routes.create, {
      body: {
        name: inputs.name,
        vpc_id: inputs.vpcId,
        subnet_id: inputs.subnetId,
        instanceType: inputs.instanceType,
        sshkey_name: inputs.sshkeyName,
        region,
        image_krn: bootVolume.imageKrn,
        volumetype: bootVolume.volumeType,
        volume_size: bootVolume.sizeGb,
        volume_name: bootVolume.name ?? `${inputs.name}-volume`,
        security_groups: inputs.securityGroups,
        isGpu: inputs.isGpu,
        user_data: userData === undefined ? userDataBase64 : sentText(api, userData),
      },
    });
    return { id };
  },

  async read({ api, id, region }) {
    const row = await api.find(routes.read, { query: { template_krn: id } });
    return row && observed(row, region);
  },

  async delete({ api, id }) {
    await api.send(routes.delete, { query: { template_krn: id } });
  },
});

const routes = {
  create: endpoint("create", "POST /vm/v1/instance-templates/create", z.object({ template_krn: maybeText })),
  read: endpoint("read", "GET /vm/v1/instance-templates/details", wire),
  delete: endpoint("delete", "DELETE /vm/v1/instance-templates/delete"),
};
