import * as pulumi from "@pulumi/pulumi";

/** What the generated classes of both faces have in common. */
export interface ClassFacts {
  /** Every property; those that are inputs among them. */
  readonly properties: readonly string[];
  /** Those that are, or hold, secrets. */
  readonly secrets: readonly string[];
  /** The type of the other face, so that a stack moves from one to the other. */
  readonly alias: string;
}

/**
 * What a class registers: each property by its name, since only these become outputs. What is none, such as a mistyped
 * one, goes along: the check refuses it, and the program's types may never have been looked at.
 */
export function propertiesOf(given: object | undefined, { properties, secrets }: ClassFacts): pulumi.Inputs {
  const values = (given ?? {}) as Record<string, unknown>;
  const sealed = (name: string) =>
    values[name] !== undefined && secrets.includes(name) ? pulumi.secret(values[name]) : values[name];
  return { ...given, ...Object.fromEntries(properties.map((name) => [name, sealed(name)])) };
}

/** The user's options, with what the class itself knows. */
export const optionsOf = (
  given: pulumi.CustomResourceOptions | undefined,
  { secrets, alias }: ClassFacts,
): pulumi.CustomResourceOptions =>
  pulumi.mergeOptions(given, {
    aliases: [{ type: alias }],
    ...(secrets.length === 0 ? {} : { additionalSecretOutputs: [...secrets] }),
  });

/** The settings of a provider: text, as its configuration is, and sealed where they are secret. */
export function settingsOf(given: object, secrets: readonly string[]): pulumi.Inputs {
  const text = (value: unknown) =>
    value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  const settings = Object.entries(given).map(([name, value]): [string, unknown] => {
    const setting = pulumi.output(value).apply(text);
    return [name, secrets.includes(name) ? pulumi.secret(setting) : setting];
  });
  return Object.fromEntries(settings);
}
