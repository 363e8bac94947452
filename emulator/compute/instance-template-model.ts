import { type Cloud, lookUp } from "../model/cloud.ts";
import type { Resource } from "../state/store.ts";

/**
 * Configuration of a template with the names of docs/contract.md#7. The template refers to other objects without depending on
 * them.
 */
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

/** Instance template. It has no dependencies and no dependents. */
export type Template = Resource & { readonly config: TemplateConfig };

export const templateModel = (cloud: Cloud) => cloud.store.model<Template>("template");

/** Returns the template of a KRN in a region; else 404. */
export function requireTemplate(cloud: Cloud, krn: string, region: string): Template {
  return lookUp(cloud, templateModel(cloud), krn, `template ${krn} not found`, region);
}
