/** Every name in every ecosystem, made from the noun of a definition. Nothing else spells one. */

/** The provider, as every ecosystem calls it. */
export const provider = "kcloud";
/** Always with its host, so that one lock file serves all engines. */
export const terraformSource = "registry.terraform.io/kcloud/kcloud";

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `sizeGb` to `size_gb`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `size_gb` to `sizeGb`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** `security-group` to `SecurityGroup`. */
export const pascalCase = (name: string): string => name.split("-").map(capital).join("");

/** Names that a language has for something of its own. */
const taken: ReadonlySet<string> = new Set(["Object"]);

/** `security-group` to `SecurityGroup`, the class of a resource in every language; `object` to `ObjectResource`. */
export const className = (name: string): string =>
  taken.has(pascalCase(name)) ? `${pascalCase(name)}Resource` : pascalCase(name);

/** `security-group` to `security group`. */
export const spoken = (name: string): string => name.replaceAll("-", " ");

/** `vpc` to `vpcs`, `instance-batch` to `instance-batches`. */
export const plural = (name: string): string =>
  /(s|x|z|ch|sh)$/.test(name)
    ? `${name}es`
    : /[^aeiou]y$/.test(name)
      ? name.replace(/y$/, "ies")
      : `${name}s`;

/** `security-groups` to `securityGroups`: the name of a field, of a function. */
export const fieldName = (name: string): string => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** `security-group` to `kcloud_security_group`. */
export const terraformType = (name: string): string => `${provider}_${name.replaceAll("-", "_")}`;

/** `security-group` to `kcloud:index:SecurityGroup`. */
export const pulumiToken = (name: string): string => `${provider}:index:${className(name)}`;

/** `security-group` to `kcloud:index:getSecurityGroup`. */
export const pulumiFunction = (name: string): string => `${provider}:index:get${pascalCase(name)}`;

/** `parse-id` to `kcloud:index:parseId`. */
export const pulumiCall = (name: string): string => `${provider}:index:${fieldName(name)}`;

/** `security-group` to `pulumi-nodejs:dynamic/kcloud:SecurityGroup`; fixed for ever, states hold it. */
export const dynamicType = (name: string): string => `pulumi-nodejs:dynamic/${provider}:${className(name)}`;

/** The text a stack keeps of a dynamic provider; fixed for ever, states hold it twice a resource. */
export const dynamicProvider = (name: string): string =>
  `exports.handler=()=>require("@kcloud/iac/p").${className(name)}`;
