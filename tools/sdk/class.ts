import { capital } from "../../provider/core/name.ts";
import type { FunctionSpec, PackageSpec, ResourceSpec } from "../../provider/pulumi/schema/schema.ts";
import type { PropertySpec } from "../../provider/pulumi/schema/type.ts";
import type { SdkAdapter } from "./adapter.ts";
import { docText, reachableTypes, typeName, typeText } from "./type.ts";

/** Returns the text of an adapter's module with its classes and functions. `typeNames` are the exports of `types.ts`. */
export function moduleText(spec: PackageSpec, adapter: SdkAdapter, typeNames: readonly string[]): string {
  const text = [
    ...Object.entries(spec.resources).map(([token, of]) => classText(token, of, adapter, spec)),
    ...Object.entries(spec.functions).map(([token, of]) => functionText(token, of, adapter)),
    adapter.provider(spec),
  ].join("\n");
  const used = typeNames.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return [
    'import * as pulumi from "@pulumi/pulumi";\n',
    adapter.imports,
    `import type { ${used.join(", ")} } from "./types.ts";\n\n`,
    'export * from "./types.ts";\n\n',
    text,
  ].join("");
}

function classText(token: string, of: ResourceSpec, adapter: SdkAdapter, spec: PackageSpec): string {
  const name = typeName(token);
  const { type, other } = adapter.type(name, token);
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
  static readonly __pulumiType = ${JSON.stringify(type)};
${outputs.join("")}
  constructor(name: string, ${args}, opts?: pulumi.CustomResourceOptions) {
    super(${name}.__pulumiType, name, ${adapter.inputs(name)}, resourceOptions(opts, facts${name}));
  }

  /** Reads an existing object by its ID or import ID, without managing it. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ${name}State,
    opts?: pulumi.CustomResourceOptions,
  ): ${name} {
    return new ${name}(name, state as unknown as ${name}Args, { ...opts, id });
  }

  /** Returns true for an instance of this class, also of another copy of the package. */
  static override isInstance(value: unknown): value is ${name} {
    return (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType === ${name}.__pulumiType;
  }
}
`;
}

/** Returns the names of properties that are, or contain, secrets: an engine marks only whole properties. */
const secretNames = (of: ResourceSpec, { types }: PackageSpec): string[] =>
  Object.entries({ ...of.inputProperties, ...of.properties })
    .filter(([name, property]) => {
      const nestedTypes = [...reachableTypes([{ [name]: property }], types)];
      const nested = nestedTypes.flatMap((token) => {
        const named = types[token];
        return named !== undefined && "properties" in named ? Object.values(named.properties) : [];
      });
      return [property, ...nested].some(({ secret }: PropertySpec) => secret);
    })
    .map(([name]) => name);

function functionText(token: string, { description, inputs }: FunctionSpec, adapter: SdkAdapter): string {
  const name = typeName(token);
  const Name = capital(name);
  const { plain, output } = adapter.invoke(name.replace(/^get/, ""), token);
  const standard = inputs.required.length === 0 ? " = {}" : "";
  const options = /\bopts\b/.test(plain) ? "opts" : "_opts";
  return `/** ${description} */
export function ${name}(args: ${Name}Args${standard}, ${options}?: pulumi.InvokeOptions): Promise<${Name}Result> {
  return ${plain};
}

/** ${description} Accepts and returns outputs. */
export function ${name}Output(
  args: ${Name}OutputArgs${standard},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<${Name}Result> {
  return ${output};
}
`;
}
