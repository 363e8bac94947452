import { camelCase, capital, pascalCase, snakeCase, terraformType } from "./name.ts";

/**
 * Texts with terms that differ between engines. Definitions and the neutral engine write them with `wording`; an adapter
 * selects the terms of its engine with `inWordsOf` when it passes a text on.
 */

/** Engine whose terms a text uses. OpenTofu has those of Terraform. */
export type Words = "terraform" | "pulumi";

/** Part of a text that differs between engines. */
type Alternatives = { readonly [W in Words]: string };

type Part = string | Alternatives;

/**
 * Text for a user: a string, or parts of which some differ between engines. The compiler takes the parts for a symbol, too,
 * so that it rejects them in a template literal and as an operand, where it accepts any object.
 */
export type Text = string | (symbol & { readonly wording: readonly Part[] });

const differing = (parts: readonly Part[]): Text => ({ wording: parts }) as unknown as Text;

const partsOf = (text: Text | number): readonly Part[] =>
  Object.hasOwn(Object(text), "wording") ? (text as Exclude<Text, string>).wording : [String(text)];

/** Joins texts to one: to a string if no part differs between engines. */
export function joinTexts(texts: readonly (Text | number)[], between: Text): Text {
  const parts: Part[] = [];
  for (const part of texts.flatMap((text, index) => [
    ...(index === 0 ? [] : partsOf(between)),
    ...partsOf(text),
  ])) {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else if (part !== "") parts.push(part);
  }
  const [only = "", ...more] = parts;
  return typeof only === "string" && more.length === 0 ? only : differing(parts);
}

/** Tag of a text whose values may differ between engines: `` wording`Set ${attribute("sizeGb")}.` ``. */
export const wording = (strings: TemplateStringsArray, ...values: readonly (Text | number)[]): Text =>
  joinTexts(
    strings.flatMap((string, index) => [string, values[index] ?? ""]),
    "",
  );

/** Returns a text that differs between engines. */
export const perEngine = (alternatives: Alternatives): Text =>
  alternatives.terraform === alternatives.pulumi ? alternatives.terraform : differing([alternatives]);

/** Returns a text with one form of each part that differs between engines. */
export const withForms = (text: Text, formOf: (alternatives: Alternatives) => string): string =>
  partsOf(text)
    .map((part) => (typeof part === "string" ? part : formOf(part)))
    .join("");

/** Returns a text in the terms of one engine. */
export const inWordsOf = (words: Words, text: Text): string => withForms(text, (forms) => forms[words]);

/** Returns a text in the terms of both engines: those of Terraform, followed by those of Pulumi in parentheses. */
export const inAllWords = (text: Text): string =>
  withForms(text, ({ terraform, pulumi }) => `${terraform} (Pulumi: ${pulumi})`);

/** Returns a text with its form in each engine changed, such as redacted or capitalized. */
export const mapText = (text: Text, change: (text: string) => string): Text =>
  typeof text === "string"
    ? change(text)
    : perEngine({
        terraform: change(inWordsOf("terraform", text)),
        pulumi: change(inWordsOf("pulumi", text)),
      });

/** Returns a text with a capital letter, unless its first word differs between engines, as that of an attribute does. */
export function capitalized(text: Text): Text {
  const [first = "", ...rest] = partsOf(text);
  if (typeof first === "string") return joinTexts([capital(first), differing(rest)], "");
  const [terraform, pulumi] = [first.terraform, first.pulumi].map((form) => form.split(" ", 1)[0]);
  return terraform === pulumi ? joinTexts([mapText(differing([first]), capital), differing(rest)], "") : text;
}

/** Returns the name of an attribute or a setting: `size_gb` in Terraform, `sizeGb` in Pulumi. */
export const attribute = (name: string): Text =>
  perEngine({ terraform: snakeCase(name), pulumi: camelCase(name) });

/** Returns the names of attributes or settings. */
export const attributes = (names: readonly string[], between = ", "): Text =>
  joinTexts(names.map(attribute), between);

/** Returns the name of an attribute in Markdown: in backticks. */
export const attributeCode = (name: string): Text => wording`\`${attribute(name)}\``;

/** Returns the name of a lookup in Markdown: `kcloud_instance_types` in Terraform, `getInstanceTypes` in Pulumi. */
export const lookupCode = (name: string): Text =>
  perEngine({ terraform: `\`${terraformType(name)}\``, pulumi: `\`get${pascalCase(name)}\`` });

/** Returns an attribute with a value: `size_gb = 33` in Terraform, `sizeGb: 33` in Pulumi. */
export function assignment(name: string, value: number | boolean | string): Text {
  const written = JSON.stringify(value);
  return perEngine({
    terraform: `${snakeCase(name)} = ${written}`,
    pulumi: `${camelCase(name)}: ${written}`,
  });
}

/** Returns the option by which an engine ignores changes of an attribute. */
export const ignoredChanges = (name: string): Text =>
  perEngine({
    terraform: `ignore_changes = [${snakeCase(name)}]`,
    pulumi: `ignoreChanges: ["${camelCase(name)}"]`,
  });

/** Returns the request to let the engine ignore changes of an attribute of a resource, as a sentence without its end. */
export const ignoreChangesOf = (subject: string, name: string): Text =>
  perEngine({
    terraform: `Add lifecycle { ignore_changes = [${snakeCase(name)}] } to ${subject}`,
    pulumi: `Add the option ignoreChanges: ["${camelCase(name)}"] to ${subject}`,
  });

/** Names of the engine. */
export const engineNames = perEngine({ terraform: "Terraform or OpenTofu", pulumi: "Pulumi" });

/** Command that applies the configuration. */
export const applyCommand = perEngine({ terraform: "terraform apply (or tofu apply)", pulumi: "pulumi up" });
