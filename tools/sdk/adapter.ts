import { dynamicType, provider } from "../../provider/core/name.ts";
import type { PackageSpec } from "../../provider/pulumi/schema/schema.ts";
import { interfaceText } from "./type.ts";

/** Parts of the generated classes that differ between the plugin and the dynamic classes. */
export interface SdkAdapter {
  readonly imports: string;
  /** Text of the provider class. */
  readonly provider: (spec: PackageSpec) => string;
  /** Type of a class, and the type of the same resource in the other adapter. */
  readonly type: (name: string, token: string) => { readonly type: string; readonly other: string };
  /** Expression for the inputs that a class registers. */
  readonly inputs: (name: string) => string;
  /** Expressions that call a function with plain arguments and with outputs. */
  readonly invoke: (name: string, token: string) => { readonly plain: string; readonly output: string };
}

export const pluginAdapter: SdkAdapter = {
  imports:
    'import { providerInputs, registeredInputs, resourceOptions } from "../provider/pulumi/class/class.ts";\n',
  provider: providerText,
  type: (name, token) => ({ type: token, other: dynamicType(name) }),
  inputs: (name) => `registeredInputs(args, facts${name})`,
  invoke: (_, token) => ({
    plain: `pulumi.runtime.invoke(${JSON.stringify(token)}, { ...args }, opts)`,
    output: `pulumi.runtime.invokeOutput(${JSON.stringify(token)}, { ...args }, opts)`,
  }),
};

export const dynamicAdapter: SdkAdapter = {
  imports: [
    'import { dynamicInputs } from "../provider/dynamic/class/class.ts";',
    'import { invoke, invokeOutput } from "../provider/dynamic/class/invoke.ts";',
    'import { registeredInputs, resourceOptions } from "../provider/pulumi/class/class.ts";\n',
  ].join("\n"),
  provider: () => "",
  type: (name, token) => ({ type: dynamicType(name), other: token }),
  inputs: (name) =>
    `{ ...registeredInputs(args, facts${name}), ...dynamicInputs("${name}", name, args, opts) }`,
  invoke: (name) => ({
    plain: `invoke("${name}", args)`,
    output: `invokeOutput("${name}", args, opts)`,
  }),
};

function providerText({ provider: { inputProperties, description } }: PackageSpec): string {
  const secrets = Object.entries(inputProperties).filter(([, { secret }]) => secret);
  return `${interfaceText("ProviderArgs", { properties: inputProperties, required: [] }, "args", "Settings of the provider. Each can also come from its environment variable or from a profile.")}
/** ${description} */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    super("${provider}", name, providerInputs(args, ${JSON.stringify(secrets.map(([name]) => name))}), opts);
  }
}
`;
}
