import { dynamicType, provider } from "../../core/name.ts";
import type { FunctionSpec, PackageSpec, ResourceSpec } from "../schema/schema.ts";
import type { PropertySpec } from "../schema/type.ts";
import { docText, interfaceText, reached, typeName, typeText } from "./type.ts";

/** What differs between the two faces; all else is the same text. */
interface FaceText {
  readonly imports: string;
  readonly provider: (spec: PackageSpec) => string;
  /** The type of a class, and the one that it has in the other face. */
  readonly type: (name: string, token: string) => { readonly own: string; readonly other: string };
  /** What a class registers. */
  readonly inputs: (name: string) => string;
  readonly invoke: (name: string, token: string) => { readonly plain: string; readonly output: string };
}

export const pluginFace: FaceText = {
  imports: 'import { optionsOf, propertiesOf, settingsOf } from "../provider/pulumi/class/class.ts";\n',
  provider: providerText,
  type: (name, token) => ({ own: token, other: dynamicType(name) }),
  inputs: (name) => `propertiesOf(args, facts${name})`,
  invoke: (_, token) => ({
    plain: `pulumi.runtime.invoke(${JSON.stringify(token)}, { ...args }, opts)`,
    output: `pulumi.runtime.invokeOutput(${JSON.stringify(token)}, { ...args }, opts)`,
  }),
};

export const dynamicFace: FaceText = {
  imports: [
    'import { dynamicOf } from "../provider/dynamic/class/class.ts";',
    'import { lookUp, lookUpOutput } from "../provider/dynamic/class/lookup.ts";',
    'import { optionsOf, propertiesOf } from "../provider/pulumi/class/class.ts";\n',
  ].join("\n"),
  provider: () => "",
  type: (name, token) => ({ own: dynamicType(name), other: token }),
  inputs: (name) => `{ ...propertiesOf(args, facts${name}), ...dynamicOf("${name}", name, args, opts) }`,
  invoke: (name) => ({
    plain: `lookUp("${name}", args)`,
    output: `lookUpOutput("${name}", args, opts)`,
  }),
};

/** The classes and functions of a face; `typeNames` are those that `types.ts` exports. */
export function faceText(spec: PackageSpec, face: FaceText, typeNames: readonly string[]): string {
  const text = [
    ...Object.entries(spec.resources).map(([token, of]) => classText(token, of, face, spec)),
    ...Object.entries(spec.functions).map(([token, of]) => functionText(token, of, face)),
    face.provider(spec),
  ].join("\n");
  const used = typeNames.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return [
    'import * as pulumi from "@pulumi/pulumi";\n',
    face.imports,
    `import type { ${used.join(", ")} } from "./types.ts";\n\n`,
    'export type * from "./types.ts";\n\n',
    text,
  ].join("");
}

function classText(token: string, of: ResourceSpec, face: FaceText, spec: PackageSpec): string {
  const name = typeName(token);
  const { own, other } = face.type(name, token);
  const facts = { properties: Object.keys(of.properties), secrets: secretNames(of, spec), alias: other };
  const outputs = Object.entries(of.properties).map(([property, type]) => {
    const text = typeText(type, "result");
    const optional = of.required.includes(property) ? "" : " | undefined";
    return `${docText(type, "  ")}  declare readonly ${property}: pulumi.Output<${text}${optional}>;\n`;
  });
  const args = of.requiredInputs.length === 0 ? `args?: ${name}Args` : `args: ${name}Args`;
  return `const facts${name} = ${JSON.stringify(facts)};

/** ${of.description} */
export class ${name} extends pulumi.CustomResource {
  /** @internal */
  static readonly __pulumiType = ${JSON.stringify(own)};
${outputs.join("")}
  constructor(name: string, ${args}, opts?: pulumi.CustomResourceOptions) {
    super(${name}.__pulumiType, name, ${face.inputs(name)}, optionsOf(opts, facts${name}));
  }

  /** Looks at one that exists, by its id or its import id, without managing it. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ${name}State,
    opts?: pulumi.CustomResourceOptions,
  ): ${name} {
    return new ${name}(name, state as unknown as ${name}Args, { ...opts, id });
  }

  /** Whether a value is one, even of another copy of this package. */
  static override isInstance(value: unknown): value is ${name} {
    return (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType === ${name}.__pulumiType;
  }
}
`;
}

/** Properties that are, or hold, secrets: an engine can only mark a whole one. */
const secretNames = (of: ResourceSpec, { types }: PackageSpec): string[] =>
  Object.entries({ ...of.inputProperties, ...of.properties })
    .filter(([name, property]) => {
      const inside = [...reached([{ [name]: property }], types)];
      const nested = inside.flatMap((token) => Object.values(types[token]?.properties ?? {}));
      return [property, ...nested].some(({ secret }: PropertySpec) => secret);
    })
    .map(([name]) => name);

function functionText(token: string, { description, inputs }: FunctionSpec, face: FaceText): string {
  const name = typeName(token);
  const Name = name.charAt(0).toUpperCase() + name.slice(1);
  const { plain, output } = face.invoke(name.replace(/^get/, ""), token);
  const standIn = inputs.required.length === 0 ? " = {}" : "";
  const options = /\bopts\b/.test(plain) ? "opts" : "_opts";
  return `/** ${description} */
export function ${name}(args: ${Name}Args${standIn}, ${options}?: pulumi.InvokeOptions): Promise<${Name}Result> {
  return ${plain};
}

/** ${description} Takes and gives outputs. */
export function ${name}Output(
  args: ${Name}OutputArgs${standIn},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<${Name}Result> {
  return ${output};
}
`;
}

function providerText({ provider: { inputProperties, description } }: PackageSpec): string {
  const secrets = Object.entries(inputProperties).filter(([, { secret }]) => secret);
  return `${interfaceText("ProviderArgs", inputProperties, [], "args", "The settings; what is left out comes from the environment.")}
/** ${description} */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    super("${provider}", name, settingsOf(args, ${JSON.stringify(secrets.map(([name]) => name))}), opts);
  }
}
`;
}

/** The entry that a stack's dynamic providers are loaded from: one export a resource. */
export const handlersText = (spec: PackageSpec): string =>
  [
    'import { handlers } from "../provider/dynamic/dynamic.ts";\n',
    ...Object.keys(spec.resources).map(
      (token) => `export const ${typeName(token)} = handlers.${typeName(token)};`,
    ),
    "",
  ].join("\n");
