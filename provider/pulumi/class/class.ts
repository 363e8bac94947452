import * as pulumi from "@pulumi/pulumi";

/** Runtime part of the generated classes of both adapters: plugin and dynamic. */

/** Properties of a generated class. */
export interface ClassDescription {
  /** Names of all properties, inputs and outputs. */
  readonly properties: readonly string[];
  /** Names of properties that are, or contain, secrets. */
  readonly secrets: readonly string[];
  /** Type of the same resource in the other adapter, so that a stack keeps its objects when it changes the adapter. */
  readonly alias: string;
}

/**
 * Returns the inputs that a class registers: every property, since only registered names become outputs, and unknown
 * names, such as a mistyped property, which `check` rejects: a JavaScript program has no type check.
 */
export function registeredInputs(
  inputs: object | undefined,
  { properties, secrets }: ClassDescription,
): pulumi.Inputs {
  const values = (inputs ?? {}) as Record<string, unknown>;
  const marked = (name: string) =>
    values[name] !== undefined && secrets.includes(name) ? pulumi.secret(values[name]) : values[name];
  return { ...inputs, ...Object.fromEntries(properties.map((name) => [name, marked(name)])) };
}

/** Merges the program's options with the alias and the secret outputs of the class. */
export const resourceOptions = (
  options: pulumi.CustomResourceOptions | undefined,
  { secrets, alias }: ClassDescription,
): pulumi.CustomResourceOptions =>
  pulumi.mergeOptions(options, {
    aliases: [{ type: alias }],
    ...(secrets.length === 0 ? {} : { additionalSecretOutputs: [...secrets] }),
  });

/** Returns the inputs of a provider resource: settings as text, as in a stack's configuration, and `secrets` marked. */
export function providerInputs(inputs: object, secrets: readonly string[]): pulumi.Inputs {
  const text = (value: unknown) =>
    value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  const settings = Object.entries(inputs).map(([name, value]): [string, unknown] => {
    const setting = pulumi.output(value).apply(text);
    return [name, secrets.includes(name) ? pulumi.secret(setting) : setting];
  });
  return Object.fromEntries(settings);
}
