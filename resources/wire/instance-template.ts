import * as z from "zod/mini";
import { inOtherRegion } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybe, maybeAmount, maybeFlag, maybeText } from "../../provider/definition/validator.ts";
import { shownUserData } from "../fields/user-data.ts";
import { counts, everyRow, pageSize } from "./page.ts";

/**
 * Instance templates in responses of the API (docs/contract.md#7): a name, and a `config` with the properties of the
 * instances created from the template.
 */

const textList = maybe(z.array(z.string()));
const config = z.object({
  vpc_id: maybeText,
  subnet_id: maybeText,
  network_id: maybeText,
  instanceType: maybeText,
  sshkey_name: maybeText,
  security_groups: textList,
  image_krn: maybeText,
  image_name: maybeText,
  volume_name: maybeText,
  volume_size: maybeAmount,
  volumetype: maybeText,
  isGpu: maybeFlag,
  user_data: maybeText,
});
export const wire = z.object({
  template_krn: z.string(),
  name: maybeText,
  created_at: maybeText,
  config: maybe(config),
});
type Wire = z.infer<typeof wire>;
type Config = z.infer<typeof config>;

/** Route that lists the templates of a region. */
export const templateList = endpoint(
  "read",
  "GET /vm/v1/instance-templates/list",
  // A body without either list is another response, not an empty list.
  z.union([
    z.object({ templates: z.nullable(z.array(wire)), ...counts }),
    z.object({ data: z.nullable(z.array(wire)), ...counts }),
  ]),
);

/** Lists the templates of a region. */
export async function listTemplates(api: Api, region: string) {
  const rows = await everyRow({
    route: templateList,
    what: "templates",
    async ask(page) {
      const answer = await api.send(templateList, { query: { page, limit: pageSize } });
      return { ...answer, rows: ("templates" in answer ? answer.templates : answer.data) ?? [] };
    },
    keyOf: (row) => row.template_krn,
  });
  return (rows ?? [])
    .filter((row) => !inOtherRegion(row.template_krn, region))
    .map((row) => observed(row, region));
}

/** Converts a template of a response. */
export function observed({ template_krn: id, name, created_at, ...row }: Wire, region: string) {
  const config: Partial<Config> = row.config ?? {};
  return {
    id,
    name,
    vpcId: config.vpc_id,
    subnetId: config.subnet_id,
    instanceType: config.instanceType,
    sshkeyName: config.sshkey_name,
    securityGroups: config.security_groups,
    bootVolume: {
      imageKrn: config.image_krn,
      name: config.volume_name,
      sizeGb: config.volume_size,
      volumeType: config.volumetype,
    },
    isGpu: config.isGpu,
    ...shownUserData(config.user_data),
    networkId: config.network_id,
    imageName: config.image_name,
    createdAt: created_at,
    region,
  };
}

/** Routes of an instance template. */
export const templateRoutes = {
  create: endpoint("create", "POST /vm/v1/instance-templates/create", z.object({ template_krn: maybeText }), {
    body: json<{
      name: string;
      vpc_id: string;
      subnet_id: string;
      instanceType: string;
      sshkey_name: string;
      region: string;
      image_krn: string;
      volumetype: string;
      volume_size: number;
      volume_name: string;
      security_groups: readonly string[];
      isGpu: boolean;
      user_data: string | undefined;
    }>(),
  }),
  read: endpoint("read", "GET /vm/v1/instance-templates/details", wire),
  delete: endpoint("delete", "DELETE /vm/v1/instance-templates/delete"),
};
