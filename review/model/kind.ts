import { actions } from "../../functions/index.ts";
import {
  dynamicType,
  provider,
  pulumiToken,
  terraformSource,
  terraformType,
} from "../../provider/core/name.ts";
import type { Action } from "../../provider/definition/function.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { resources } from "../../resources/index.ts";

const byTerraformType = new Map(resources.map((resource) => [terraformType(resource.name), resource]));
const byPulumiType = new Map(
  resources.flatMap((resource) => [
    [pulumiToken(resource.name), resource],
    [dynamicType(resource.name), resource],
  ]),
);

const actionsByType = new Map(actions.map((action) => [terraformType(action.name), action]));

/** Returns the definition of an action by its Terraform type; undefined for another provider. */
export const actionOfTerraform = (type: string): Action | undefined => actionsByType.get(type);

/** Sources of the provider of this package. */
const sources: ReadonlySet<string> = new Set([
  terraformSource,
  terraformSource.replace("registry.terraform.io", "registry.opentofu.org"),
  provider,
]);

/** Returns true for a source of the provider of this package. */
export const isOwnSource = (source: string): boolean => sources.has(source);

/** Returns true for a type of Terraform with the prefix of this package. */
export const isOwnType = (type: string): boolean => type.startsWith(`${provider}_`);

/** Returns the definition of a Terraform type; undefined for another provider. */
export const resourceOfTerraform = (type: string): Resource | undefined => byTerraformType.get(type);

/** Returns the definition of a Pulumi type, that of the plugin or of a dynamic class; undefined for another provider. */
export const resourceOfPulumi = (type: string): Resource | undefined => byPulumiType.get(type);
