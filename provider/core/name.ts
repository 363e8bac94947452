/** Names in all ecosystems, derived from the resource kind of a definition. Only this file builds them. */

/** Name of the provider in every ecosystem. */
export const provider = "kcloud";
/** Source address of the provider in Terraform. It includes the host, so that one lock file works with all engines. */
export const terraformSource = "registry.terraform.io/kcloud/kcloud";

/** Converts `volume` to `Volume`, and the start of a sentence to a capital letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Converts `sizeGb` to `size_gb`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts `size_gb` to `sizeGb`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** Converts `security-group` to `SecurityGroup`. */
export const pascalCase = (name: string): string => name.split("-").map(capital).join("");

/** Class names that are reserved in one of the languages. */
const reserved: ReadonlySet<string> = new Set(["Object"]);

/**
 * Returns the class name of a resource in every language: `SecurityGroup` for `security-group`, `ObjectResource` for
 * `object`.
 */
export const className = (name: string): string =>
  reserved.has(pascalCase(name)) ? `${pascalCase(name)}Resource` : pascalCase(name);

/** Converts `security-group` to `security group`. */
export const spoken = (name: string): string => name.replaceAll("-", " ");

/** Words of resource kinds that are written in capitals. */
const acronym = /\b(ai|ip|ssh|vpc)(?=s?\b)/g;

/** Converts `ssh-key` to `SSH key`, the term of texts that users read. */
export const term = (name: string): string =>
  spoken(name).replace(acronym, (letters) => letters.toUpperCase());

/** Returns the plural: `vpcs` for `vpc`, `instance-batches` for `instance-batch`. */
export const plural = (name: string): string =>
  /(s|x|z|ch|sh)$/.test(name)
    ? `${name}es`
    : /[^aeiou]y$/.test(name)
      ? name.replace(/y$/, "ies")
      : `${name}s`;

/** Converts `security-groups` to `securityGroups`, the name of a field or a function. */
export const fieldName = (name: string): string => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** Converts `security-group` to `security_group`. */
export const underscored = (name: string): string => name.replaceAll("-", "_");

/** Converts `security_group` to `security-group`. */
export const hyphenated = (name: string): string => name.replaceAll("_", "-");

/** Returns the Terraform type: `kcloud_security_group` for `security-group`. */
export const terraformType = (name: string): string => `${provider}_${underscored(name)}`;

/** Returns the Pulumi token of a resource: `kcloud:index:SecurityGroup` for `security-group`. */
export const pulumiToken = (name: string): string => `${provider}:index:${className(name)}`;

/** Returns the Pulumi token of a lookup: `kcloud:index:getSecurityGroup` for `security-group`. */
export const pulumiFunction = (name: string): string => `${provider}:index:get${pascalCase(name)}`;

/** Returns the Pulumi token of a function: `kcloud:index:parseId` for `parse-id`. */
export const pulumiCall = (name: string): string => `${provider}:index:${fieldName(name)}`;

/**
 * Returns the type of a dynamic resource: `pulumi-nodejs:dynamic/kcloud:SecurityGroup` for `security-group`. The format
 * never changes, as Pulumi states store it.
 */
export const dynamicType = (name: string): string => `pulumi-nodejs:dynamic/${provider}:${className(name)}`;

/**
 * Returns the text that a stack stores as the dynamic provider of a resource. The text never changes, as Pulumi states
 * store it twice per resource.
 */
export const dynamicProvider = (name: string): string =>
  `exports.handler=()=>require("@kcloud/iac/p").${className(name)}`;
