import * as z from "zod/mini";
import { field } from "../../provider/definition/field.ts";
import { maybeText, wholeNumber } from "../../provider/definition/validator.ts";
import { sentText } from "../../resources/fields/user-data.ts";
import { templateList, templateRoutes, wire } from "../../resources/wire/instance-template.ts";
import { operation } from "../operation.ts";
import {
  flagOf,
  idOf,
  limit,
  messageFields,
  optionalText,
  page,
  requiredText,
  textList,
  vpcId,
} from "../parameter.ts";

const section = "7";
const templateKrn = requiredText("ID of the template.");

/** Operations of instance templates. */
export const instanceTemplate = {
  createTemplate: operation(templateRoutes.create, {
    section,
    about: "Creates a template for batches of instances.",
    parameters: {
      name: requiredText("Name of the template."),
      vpcId,
      subnetId: idOf("subnet", "ID of the subnet."),
      instanceType: requiredText("Name of the instance type."),
      sshkeyName: requiredText("Name of the SSH key."),
      securityGroups: textList("IDs of the security groups."),
      imageKrn: idOf("image", "ID of the image of the boot volumes."),
      volumeName: requiredText("Name of the boot volumes."),
      volumeSize: field(wholeNumber(1), "Size of the boot volumes in GB."),
      volumeType: requiredText("Storage type of the boot volumes.", {
        known: ["standard", "ssd", "HNSS", "HNSS_Encrypted"],
      }),
      isGpu: flagOf("If true, the instance type has GPUs."),
      userData: optionalText("User data for the first start as plain text.", { secret: true }),
    },
    request: (inputs, context) => ({
      body: {
        name: inputs.name,
        vpc_id: inputs.vpcId,
        subnet_id: inputs.subnetId,
        instanceType: inputs.instanceType,
        sshkey_name: inputs.sshkeyName,
        region: context.region,
        image_krn: inputs.imageKrn,
        volumetype: inputs.volumeType,
        volume_size: inputs.volumeSize,
        volume_name: inputs.volumeName,
        security_groups: inputs.securityGroups,
        isGpu: inputs.isGpu,
        user_data: inputs.userData && sentText(context, inputs.userData),
      },
    }),
    answer: wire,
  }),
  listTemplates: operation(templateList, {
    section,
    about: "Lists the templates of a region, in pages.",
    parameters: { page, limit },
    request: (query) => ({ query }),
    listing: { rows: ["templates", "data"], page: { number: "page" }, size: "limit" },
  }),
  getTemplate: operation(templateRoutes.read, {
    section,
    about: "Returns a template.",
    parameters: { templateKrn },
    request: ({ templateKrn }) => ({ query: { template_krn: templateKrn } }),
    also: { updated_at: maybeText },
  }),
  deleteTemplate: operation(templateRoutes.delete, {
    section,
    about: "Deletes a template; instances that were created from it stay.",
    parameters: { templateKrn },
    request: ({ templateKrn }) => ({ query: { template_krn: templateKrn } }),
    answer: z.optional(z.object(messageFields)),
  }),
};
