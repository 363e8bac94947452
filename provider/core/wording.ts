import { camelCase, pascalCase, snakeCase, terraformType } from "./name.ts";

/**
 * Words that differ between engines. Definitions and the neutral engine write them as marked alternatives into their
 * texts; an adapter selects its own with `inWordsOf` where a text leaves the provider.
 */

/** Whose words a text uses: OpenTofu shares those of Terraform. */
export type Words = "terraform" | "pulumi";

/** Marks around the alternatives: private-use characters, which no text of the provider contains. */
const [begin, between, end] = ["\u{E000}", "\u{E001}", "\u{E002}"];
const alternatives = new RegExp(`${begin}([^${end}]*?)${between}([^${end}]*)${end}`, "gu");

/** Returns a part of a text that reads differently in each engine. */
export const perEngine = ({ terraform, pulumi }: { readonly [K in Words]: string }): string =>
  terraform === pulumi ? terraform : `${begin}${terraform}${between}${pulumi}${end}`;

/** Returns a text in the words of one engine. */
export const inWordsOf = (words: Words, text: string): string =>
  text.replaceAll(alternatives, words === "terraform" ? "$1" : "$2");

/** Returns a text with the words of both engines: those of Terraform, and in parentheses those of Pulumi. */
export const inAllWords = (text: string): string => text.replaceAll(alternatives, "$1 (Pulumi: $2)");

/** Name of an attribute or a setting: `size_gb` in Terraform, `sizeGb` in Pulumi. */
export const attribute = (name: string): string =>
  perEngine({ terraform: snakeCase(name), pulumi: camelCase(name) });

/** Attribute in Markdown: its name in backticks. */
export const attributeCode = (name: string): string => `\`${attribute(name)}\``;

/** Lookup in Markdown: `kcloud_instance_types` in Terraform, `getInstanceTypes` in Pulumi. */
export const lookupCode = (name: string): string =>
  perEngine({ terraform: `\`${terraformType(name)}\``, pulumi: `\`get${pascalCase(name)}\`` });

/** Attribute with a value: `size_gb = 33` in Terraform, `sizeGb: 33` in Pulumi. */
export function assignment(name: string, value: number | boolean | string): string {
  const written = JSON.stringify(value);
  return perEngine({
    terraform: `${snakeCase(name)} = ${written}`,
    pulumi: `${camelCase(name)}: ${written}`,
  });
}

/** Names of the engine. */
export const engineNames = perEngine({ terraform: "Terraform or OpenTofu", pulumi: "Pulumi" });

/** Command that makes the cloud match the configuration. */
export const applyCommand = perEngine({ terraform: "terraform apply (or tofu apply)", pulumi: "pulumi up" });
