import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, listed, newResource, refuseDuplicateName } from "../model/cloud.ts";
import { requireImage } from "../model/image.ts";
import { requireFlavor } from "../model/instance-type.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { count, page, regional, text } from "../model/schema.ts";
import { requireGroups } from "../network/security-group-model.ts";
import { requireSubnet } from "../network/subnet-model.ts";
import { networkOf, requireReadyVpc } from "../network/vpc-model.ts";
import { isoTime } from "../state/clock.ts";
import { ownerOf } from "../state/id.ts";
import { checkUserData } from "./instance-plan.ts";
import {
  requireTemplate,
  type Template,
  type TemplateConfig,
  templateModel,
} from "./instance-template-model.ts";
import { requireSshKey } from "./ssh-key.ts";

const templateBody = z.strictObject({
  name: text,
  vpc_id: text,
  subnet_id: text,
  instanceType: text,
  sshkey_name: text,
  region: text,
  image_krn: text,
  volumetype: text,
  volume_size: z.int().min(1, "must be 1 or more (GB)"),
  volume_name: text,
  security_groups: z.array(text).min(1, "must not be empty"),
  isGpu: z.boolean().default(false),
  user_data: z.string().default(""),
});

/** Validates the references as an instance create does, and looks up their names. */
function configOf(cloud: Cloud, body: z.output<typeof templateBody>, region: string): TemplateConfig {
  const { name: _, ...parts } = body;
  if (body.region !== region) throw new Refusal(400, `region: is not that of the header, ${region}`);
  checkUserData(cloud, body.user_data);
  const vpc = requireReadyVpc(cloud, body.vpc_id, region);
  const subnet = requireSubnet(cloud, vpc, body.subnet_id);
  const groups = requireGroups(cloud, vpc, body.security_groups);
  const image = requireImage(cloud, body.image_krn, region);
  requireSshKey(cloud, body.sshkey_name, region);
  requireFlavor(cloud, body.instanceType);
  const network = networkOf(cloud, vpc);
  return {
    ...parts,
    vpc_name: vpc.name,
    network_id: network?.krn ?? "",
    network_name: network?.name ?? "",
    subnet_name: subnet.name,
    security_group_names: groups.map((group) => group.name),
    image_name: image.name,
  };
}

const renderTemplate = ({ krn, name, createdAt, updatedAt, config }: Template) => ({
  template_krn: krn,
  name,
  account_id: ownerOf(krn).account,
  customer_id: ownerOf(krn).customer,
  created_at: isoTime(createdAt),
  updated_at: isoTime(updatedAt),
  config,
});

const createTemplate = operation({
  name: "create_template",
  method: "POST",
  path: "/vm/v1/instance-templates/create",
  section: "7",
  source: "seed",
  headers: regional,
  body: templateBody,
  handle(cloud, { headers, body }) {
    const region = headers["x-region"];
    refuseByName(body.name);
    refuseDuplicateName(cloud, templateModel(cloud).all(), region, "template", body.name);
    const config = configOf(cloud, body, region);
    const template = templateModel(cloud).insert({
      ...newResource(cloud, "vm", "template", region),
      name: body.name,
      parents: [],
      config,
    });
    return { status: 201, body: renderTemplate(template) };
  },
});

const listTemplates = operation({
  name: "list_templates",
  method: "GET",
  path: "/vm/v1/instance-templates/list",
  section: "7",
  source: "seed",
  headers: regional,
  query: z.strictObject({ page: count.optional(), limit: count.optional() }),
  handle(cloud, { headers, query }) {
    const { templateListShape, templatePageDefault, templatePageMax } = cloud.settings.assume;
    const all = listed(cloud, templateModel(cloud).all()).filter(
      (resource) => resource.region === headers["x-region"],
    );
    const limit = Math.min(query.limit ?? templatePageDefault, templatePageMax);
    const { rows, paging } = page(all, { page: query.page, size: limit });
    const { page: number, total_count } = paging;
    const body = { [templateListShape]: rows.map(renderTemplate), total_count, page: number, limit };
    return { status: 200, body };
  },
});

const named = z.strictObject({ template_krn: text });

const getTemplate = operation({
  name: "get_template",
  method: "GET",
  path: "/vm/v1/instance-templates/details",
  section: "7",
  source: "seed",
  headers: regional,
  query: named,
  handle(cloud, { headers, query }) {
    return {
      status: 200,
      body: renderTemplate(requireTemplate(cloud, query.template_krn, headers["x-region"])),
    };
  },
});

const deleteTemplate = operation({
  name: "delete_template",
  method: "DELETE",
  path: "/vm/v1/instance-templates/delete",
  section: "7",
  source: "seed",
  headers: regional,
  query: named,
  handle(cloud, { headers, query }) {
    // Instances created from the template do not depend on it.
    deleteResource(cloud, requireTemplate(cloud, query.template_krn, headers["x-region"]), 0);
    return { status: 200, body: { message: "template deleted" } };
  },
});

/** Instance templates. */
export const instanceTemplateKind: ResourceKind = {
  name: "instance_template",
  operations: [createTemplate, listTemplates, getTemplate, deleteTemplate],
};
