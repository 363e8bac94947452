import { type Cloud, lookUp } from "../model/cloud.ts";
import type { Resource } from "../state/store.ts";

/** What the machines of a template are made from, in the names of contract 7. The parts are named, not held. */
export type TemplateConfig = {
  readonly region: string;
  readonly vpc_id: string;
  readonly vpc_name: string;
  readonly network_id: string;
  readonly network_name: string;
  readonly subnet_id: string;
  readonly subnet_name: string;
  readonly security_groups: readonly string[];
  readonly security_group_names: readonly string[];
  readonly image_krn: string;
  readonly image_name: string;
  readonly instanceType: string;
  readonly isGpu: boolean;
  readonly sshkey_name: string;
  readonly user_data: string;
  readonly volume_name: string;
  readonly volume_size: number;
  readonly volumetype: string;
};

/** A template for machines. It hangs on nothing, and nothing hangs on it. */
export type Template = Resource & { readonly config: TemplateConfig };

export const templateModel = (cloud: Cloud) => cloud.store.model<Template>("template");

/** The template of a KRN, in the region asked for; 404 otherwise. */
export function requireTemplate(cloud: Cloud, krn: string, region: string): Template {
  return lookUp(cloud, templateModel(cloud), krn, `template ${krn} not found`, region);
}
