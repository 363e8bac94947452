import { environmentOf, settingNames } from "../../provider/config/config.ts";
import { snakeCase } from "../../provider/core/name.ts";
import type { Stack } from "../adapter/adapter.ts";
import { environment } from "../adapter/lifecycle/lifecycle.ts";
import { configuration } from "../support/engine/terraform.ts";

/** Configurations in HCL: the acceptance harness adds import blocks, which are HCL, to the text of a configuration. */

/** Returns a value in HCL. A text of the form `${…}` is an expression. */
export function hclValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(hclValue).join(", ")}]`;
  if (typeof value === "object" && value !== null) return `{ ${assignments(value).join(", ")} }`;
  if (typeof value !== "string") return JSON.stringify(value);
  return /^\$\{([^}]*)\}$/.exec(value)?.[1] ?? JSON.stringify(value);
}

const assignments = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${/^\w+$/.test(name) ? name : JSON.stringify(name)} = ${hclValue(value)}`],
  );

/** Returns a block. */
const block = (head: string, values: object): string =>
  `${head} {\n${assignments(values)
    .map((line) => `  ${line}\n`)
    .join("")}}\n`;

/** Returns the resources of a stack. */
export function resourceBlocks(stack: Stack): string {
  const { resource } = configuration(stack) as {
    readonly resource: Readonly<Record<string, Readonly<Record<string, object>>>>;
  };
  return Object.entries(resource)
    .flatMap(([type, objects]) =>
      Object.entries(objects).map(([name, values]) => block(`resource "${type}" "${name}"`, values)),
    )
    .join("\n");
}

/**
 * Returns the provider with the settings for an emulator: each case has its own, so that the environment, which all cases share,
 * cannot hold them.
 */
export function providerBlock(url: string): string {
  const variables: Readonly<Record<string, string>> = environment(url);
  const settings = settingNames.map((name) => [snakeCase(name), variables[environmentOf(name)]]);
  return block('provider "kcloud"', Object.fromEntries(settings));
}
