import { camelCase, pascalCase, snakeCase, terraformType } from "./name.ts";

/**
 * Terms that differ between engines. Definitions and the neutral engine write them as marked alternatives into their
 * texts; an adapter selects its own with `inWordsOf` when it passes a text to its engine.
 */

/** Engine whose terms a text uses. OpenTofu has those of Terraform. */
export type Words = "terraform" | "pulumi";

/** Marks around the alternatives: private-use characters, which no text of the provider contains. */
const [begin, between, end] = ["\u{E000}", "\u{E001}", "\u{E002}"];
const alternatives = new RegExp(`${begin}([^${end}]*?)${between}([^${end}]*)${end}`, "gu");

/** Returns the part of a text that differs between engines, with both alternatives marked. */
export const perEngine = ({ terraform, pulumi }: { readonly [K in Words]: string }): string =>
  terraform === pulumi ? terraform : `${begin}${terraform}${between}${pulumi}${end}`;

/** Returns a text in the terms of one engine. */
export const inWordsOf = (words: Words, text: string): string =>
  text.replaceAll(alternatives, words === "terraform" ? "$1" : "$2");

/** Returns a text in the terms of both engines: those of Terraform, followed by those of Pulumi in parentheses. */
export const inAllWords = (text: string): string => text.replaceAll(alternatives, "$1 (Pulumi: $2)");

/** Returns the name of an attribute or a setting: `size_gb` in Terraform, `sizeGb` in Pulumi. */
export const attribute = (name: string): string =>
  perEngine({ terraform: snakeCase(name), pulumi: camelCase(name) });

/** Returns the name of an attribute in Markdown: in backticks. */
export const attributeCode = (name: string): string => `\`${attribute(name)}\``;

/** Returns the name of a lookup in Markdown: `kcloud_instance_types` in Terraform, `getInstanceTypes` in Pulumi. */
export const lookupCode = (name: string): string =>
  perEngine({ terraform: `\`${terraformType(name)}\``, pulumi: `\`get${pascalCase(name)}\`` });

/** Returns an attribute with a value: `size_gb = 33` in Terraform, `sizeGb: 33` in Pulumi. */
export function assignment(name: string, value: number | boolean | string): string {
  const written = JSON.stringify(value);
  return perEngine({
    terraform: `${snakeCase(name)} = ${written}`,
    pulumi: `${camelCase(name)}: ${written}`,
  });
}

/** Returns the option by which an engine ignores changes of an attribute. */
export const ignoredChanges = (name: string): string =>
  perEngine({
    terraform: `ignore_changes = [${snakeCase(name)}]`,
    pulumi: `ignoreChanges: ["${camelCase(name)}"]`,
  });

/** Returns the request to let the engine ignore changes of an attribute of a resource, as a sentence without its end. */
export const ignoreChangesOf = (subject: string, name: string): string =>
  perEngine({
    terraform: `Add lifecycle { ignore_changes = [${snakeCase(name)}] } to ${subject}`,
    pulumi: `Add the option ignoreChanges: ["${camelCase(name)}"] to ${subject}`,
  });

/** Names of the engine. */
export const engineNames = perEngine({ terraform: "Terraform or OpenTofu", pulumi: "Pulumi" });

/** Command that applies the configuration. */
export const applyCommand = perEngine({ terraform: "terraform apply (or tofu apply)", pulumi: "pulumi up" });
