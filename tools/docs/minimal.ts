import { snakeCase, terraformType } from "../../provider/core/name.ts";
import type { Fields } from "../../provider/definition/field.ts";
import { membersOf } from "../../provider/definition/shape.ts";

/**
 * Writes minimal uses of definitions without an example. Each required argument is a variable of the same name;
 * `test/terraform/page.test.ts` validates and compiles all of them.
 */

const requiredNames = (fields: Fields): string[] =>
  Object.entries(membersOf(fields)).flatMap(([name, { required }]) => (required ? [name] : []));

/** Returns the arguments of a block, aligned as `terraform fmt` does. */
export function argumentLines(
  values: readonly (readonly [name: string, value: string])[],
  indent: string,
): string[] {
  const width = Math.max(0, ...values.map(([name]) => name.length));
  return values.map(([name, value]) => `${indent}${name.padEnd(width)} = ${value}`);
}

const variables = (names: readonly string[]) =>
  names.map((name) => [snakeCase(name), `var.${snakeCase(name)}`] as const);

/** Returns a block of HCL: `header {`, its arguments, `}`. */
export function block(header: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${header} {}` : [`${header} {`, ...lines, "}"].join("\n");
}

/** Definition with the properties that its minimal use needs. */
interface Definition {
  readonly name: string;
  readonly fields: Fields;
}

/** Returns an ephemeral resource in HCL. */
export const minimalEphemeral = ({ name, fields }: Definition): string =>
  block(
    `ephemeral "${terraformType(name)}" "example"`,
    argumentLines(variables(requiredNames(fields)), "  "),
  );

/** Returns an action in HCL. */
export const minimalAction = ({ name, fields }: Definition): string =>
  block(`action "${terraformType(name)}" "example"`, [
    "  config {",
    ...argumentLines(variables(requiredNames(fields)), "    "),
    "  }",
  ]);

/** Returns a list block in HCL for the fields that select a listing. */
export function minimalList(name: string, fields: Fields): string {
  const lines = argumentLines(variables(requiredNames(fields)), "    ");
  return block(`list "${terraformType(name)}" "all"`, [
    "  provider = kcloud",
    ...(lines.length === 0 ? [] : ["  config {", ...lines, "  }"]),
  ]);
}
