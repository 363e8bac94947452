import { functions, lookups } from "../../../functions/index.ts";
import manifest from "../../../package.json" with { type: "json" };
import { resources } from "../../../resources/index.ts";
import { providerAbout, settingFields } from "../../config/config.ts";
import {
  dynamicType,
  pascalCase,
  provider,
  pulumiCall,
  pulumiFunction,
  pulumiToken,
} from "../../core/name.ts";
import { inWordsOf, wording } from "../../core/wording.ts";
import { forcesReplacement } from "../../definition/description.ts";
import { computed, type Fields } from "../../definition/field.ts";
import type { Lookup, PureFunction } from "../../definition/function.ts";
import { importForm } from "../../definition/import-id.ts";
import type { Resource } from "../../definition/resource.ts";
import { packageFacts } from "./package.ts";
import {
  type Context,
  type EnumSpec,
  type NamedTypes,
  type ObjectSpec,
  objectSpec,
  type PropertySpecs,
} from "./type.ts";

/**
 * Schema of the package for the engine, YAML programs and SDK generators (metaschema:
 * `pkg/codegen/schema/pulumi.json` of pulumi/pulumi).
 */
export interface PackageSpec {
  readonly name: string;
  readonly version: string;
  readonly config: { readonly variables: PropertySpecs };
  readonly provider: Omit<ResourceSpec, "properties" | "required">;
  readonly resources: { readonly [token: string]: ResourceSpec };
  readonly functions: { readonly [token: string]: FunctionSpec };
  readonly types: { readonly [token: string]: ObjectSpec | EnumSpec };
  readonly [fact: string]: unknown;
}

export interface ResourceSpec {
  readonly description: string;
  readonly inputProperties: PropertySpecs;
  readonly requiredInputs: readonly string[];
  readonly properties: PropertySpecs;
  readonly required: readonly string[];
  readonly aliases?: readonly { readonly type: string }[];
}

export interface FunctionSpec {
  readonly description: string;
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}

/**
 * Builds the schema from the definitions, with descriptions in the terms of Pulumi. Throws `TypeError` for a definition
 * that the schema cannot represent.
 */
export function packageSchema(
  version: string,
  definitions: {
    resources: readonly Resource[];
    lookups: readonly Lookup[];
    functions?: readonly PureFunction[];
  } = { resources, lookups, functions },
): PackageSpec {
  const types: NamedTypes = new Map();
  const { properties: settings } = objectSpec(settingFields, "Provider", "input", { types });
  const resourceSpecs = definitions.resources.map(
    (of) => [pulumiToken(of.name), resourceSpec(of, { types, resource: of })] as const,
  );
  const lookupSpecs = definitions.lookups.map(
    (of) => [pulumiFunction(of.name), lookupSpec(of, { types })] as const,
  );
  const pureFunctionSpecs = (definitions.functions ?? []).map(
    (of) => [pulumiCall(of.name), pureFunctionSpec(of, { types })] as const,
  );
  for (const [token] of resourceSpecs)
    if (types.has(token)) throw new TypeError(`${token} names a type and a resource`);
  const spec: PackageSpec = {
    name: provider,
    version,
    ...packageFacts(version, manifest),
    meta: { moduleFormat: "(.*)" },
    config: { variables: settings },
    provider: {
      description: providerAbout,
      inputProperties: settings,
      requiredInputs: [],
    },
    resources: Object.fromEntries(resourceSpecs),
    functions: Object.fromEntries([...lookupSpecs, ...pureFunctionSpecs]),
    types: Object.fromEntries(types),
  };
  return spec;
}

/** Properties that every Pulumi resource has. */
const reservedNames = ["id", "urn", "pulumi"];

function resourceSpec(resource: Resource, context: Context): ResourceSpec {
  const { name, about, fields, stateOnly } = resource;
  const conflict = reservedNames.find((reserved) => Object.hasOwn(fields, reserved));
  if (conflict !== undefined) throw new TypeError(`${name}.${conflict} is a name that every resource has`);
  if (name === "provider") throw new TypeError("provider is the name of the provider itself");
  const input = objectSpec(withAutomaticName(fields), pascalCase(name), "input", context);
  const output = objectSpec(fields, pascalCase(name), "output", context);
  return {
    description: inWordsOf(
      "pulumi",
      stateOnly ? about : wording`${about} Import ID: ${importForm(resource)}.`,
    ),
    inputProperties: withReplaceOnChanges(input.properties, resource),
    requiredInputs: input.required.filter((required) => required !== "name"),
    properties: output.properties,
    required: output.required,
    aliases: [{ type: dynamicType(name) }],
  };
}

/** Returns the input properties, with a mark on each whose change replaces the resource. */
const withReplaceOnChanges = (inputs: PropertySpecs, resource: Resource): PropertySpecs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, property]) => {
      const field = resource.fields[name];
      const isMarked = field !== undefined && forcesReplacement(field, resource);
      return [name, isMarked ? { ...property, willReplaceOnChanges: true } : property];
    }),
  );

/** Returns the fields with the automatic name documented as the default of `name`. */
function withAutomaticName({ name, ...others }: Fields): Fields {
  if (name?.kind !== "field") return others;
  const usage = "Default: derived from the name of the resource in the program.";
  return { name: { ...name, options: { ...name.options, usage } }, ...others };
}

const lookupSpec = ({ name, about, fields }: Lookup, context: Context): FunctionSpec => ({
  description: inWordsOf("pulumi", about),
  inputs: objectSpec(fields, `Get${pascalCase(name)}`, "input", context),
  outputs: objectSpec(fields, `Get${pascalCase(name)}`, "output", context),
});

/** Returns the schema of a function. Its result is an object with one member, since an invoke returns an object. */
const pureFunctionSpec = ({ name, about, fields, result }: PureFunction, context: Context): FunctionSpec => ({
  description: inWordsOf("pulumi", about),
  inputs: objectSpec(fields, pascalCase(name), "input", context),
  outputs: objectSpec({ result: computed(result, about) }, `${pascalCase(name)}Function`, "output", context),
});
