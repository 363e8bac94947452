import * as z from "zod/mini";
import { matchesMasked } from "../provider/core/krn.ts";
import { sameText } from "../provider/core/string.ts";
import { lookupCode, wording } from "../provider/core/wording.ts";
import { computed, field, group } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text, wholeNumber } from "../provider/definition/validator.ts";
import { groupList, groupsInRegionOf } from "./fields/group-list.ts";
import { oneUserData } from "./fields/instance-rule.ts";
import { sentText, shownForms, userDataFields } from "./fields/user-data.ts";
import { listTemplates, observed, templateRoutes as routes } from "./wire/instance-template.ts";

/** Options of both forms of user data. A read shows at most one form, so the state keeps the configured values. */
const sealed = { unreadable: true, secret: true } as const;

export const instanceTemplate = defineResource({
  name: "instance-template",
  category: "compute",
  about: "A template with the settings that all instances of a batch share.",
  template: true,
  replaceReason: "A batch that refers to the template is replaced too, with its instances.",
  timeouts: { create: 300, read: 120, update: 120, delete: 300 },
  fields: {
    name: field(text, "Name of the template."),
    vpcId: field(z.string(), "ID of the VPC that contains the instances.", {
      references: "vpc",
    }),
    subnetId: field(z.string(), "ID of the subnet that provides the IP addresses of the instances.", {
      references: "subnet",
    }),
    instanceType: field(
      text,
      wording`Name of the instance type, as listed by ${lookupCode("instance-types")}.`,
    ),
    sshkeyName: field(text, "Name of the SSH key whose owner can sign in to the instances."),
    securityGroups: field(groupList, "IDs of the security groups of the instances.", {
      references: "security-group",
      unordered: true,
      usage: "At least one.",
    }),
    bootVolume: group(
      {
        imageKrn: field(
          text,
          wording`KRN of the image of the volume, as listed by ${lookupCode("images")}.`,
          {
            references: "image",
          },
        ),
        name: field(z.optional(text), "Name of the volume.", {
          computed: true,
          usage: "Default: the name of the template followed by `-volume`.",
        }),
        sizeGb: field(wholeNumber(1), "Size of the volume in GB."),
        volumeType: field(text, "Storage type of the volume.", {
          known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
        }),
      },
      "Boot volume of each instance.",
    ),
    isGpu: field(z._default(z.boolean(), false), "True for an instance type with a GPU."),
    ...userDataFields(sealed, shownForms),
    networkId: computed(z.string(), "ID of the network of the VPC."),
    imageName: computed(z.string(), "Name of the image."),
    createdAt: computed(z.string(), "Creation time, as reported by the API."),
  },
  rules: [
    { needs: ["userData", "userDataBase64"], check: oneUserData },
    groupsInRegionOf("vpcId", "the VPC"),
  ],
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
        user_data: userData ? sentText(api, userData) : userDataBase64,
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
