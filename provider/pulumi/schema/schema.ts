import { functions, lookups } from "../../../functions/index.ts";
import { resources } from "../../../resources/index.ts";
import { environmentOf, type SettingName, settingFields } from "../../config/config.ts";
import {
  dynamicType,
  pascalCase,
  provider,
  pulumiCall,
  pulumiFunction,
  pulumiToken,
} from "../../core/name.ts";
import { inWordsOf } from "../../core/wording.ts";
import { computed, type Fields } from "../../definition/field.ts";
import type { Lookup, PureFunction } from "../../definition/function.ts";
import { importForm } from "../../definition/import-id.ts";
import type { Resource } from "../../definition/resource.ts";
import { type NamedTypes, type ObjectSpec, objectSpec, type PropertySpecs } from "./type.ts";

export type { ObjectSpec, PropertySpec, PropertySpecs, TypeSpec } from "./type.ts";

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
  readonly types: { readonly [token: string]: ObjectSpec };
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

/** Builds the schema from the definitions, with descriptions in the words of Pulumi; throws for a definition that the schema cannot represent. */
export function packageSchema(
  version: string,
  definitions: {
    resources: readonly Resource[];
    lookups: readonly Lookup[];
    functions?: readonly PureFunction[];
  } = { resources, lookups, functions },
): PackageSpec {
  const types: NamedTypes = new Map();
  const { properties: settings } = objectSpec(describedSettings(), "Provider", "input", types);
  const resourceSpecs = definitions.resources.map(
    (of) => [pulumiToken(of.name), resourceSpec(of, types)] as const,
  );
  const lookupSpecs = definitions.lookups.map(
    (of) => [pulumiFunction(of.name), lookupSpec(of, types)] as const,
  );
  const pureFunctionSpecs = (definitions.functions ?? []).map(
    (of) => [pulumiCall(of.name), pureFunctionSpec(of, types)] as const,
  );
  for (const [token] of resourceSpecs)
    if (types.has(token)) throw new TypeError(`${token} names a type and a resource`);
  const spec: PackageSpec = {
    name: provider,
    version,
    description: "Networks, machines and volumes of a cloud.",
    keywords: ["category/cloud"],
    license: "Apache-2.0",
    meta: { moduleFormat: "(.*)" },
    config: { variables: settings },
    provider: {
      description: "Where the cloud is, who asks, and how.",
      inputProperties: settings,
      requiredInputs: [],
    },
    resources: Object.fromEntries(resourceSpecs),
    functions: Object.fromEntries([...lookupSpecs, ...pureFunctionSpecs]),
    types: Object.fromEntries(types),
  };
  return JSON.parse(inWordsOf("pulumi", JSON.stringify(spec)));
}

/**
 * Adds the environment variable to the description of each setting. Does not use `defaultInfo`, which would make
 * an SDK store the value from the environment in the state.
 */
const describedSettings = (): Fields =>
  Object.fromEntries(
    Object.entries(settingFields).map(([name, field]) => [
      name,
      { ...field, about: `${field.about} Environment: ${environmentOf(name as SettingName)}.` },
    ]),
  );

/** Properties that every Pulumi resource has. */
const reservedNames = ["id", "urn", "pulumi"];

function resourceSpec(resource: Resource, types: NamedTypes): ResourceSpec {
  const { name, about, fields, verbs } = resource;
  const taken = reservedNames.find((reserved) => Object.hasOwn(fields, reserved));
  if (taken !== undefined) throw new TypeError(`${name}.${taken} is a name that every resource has`);
  if (name === "provider") throw new TypeError("provider is the name of the provider itself");
  const input = objectSpec(fields, pascalCase(name), "input", types);
  const output = objectSpec(fields, pascalCase(name), "output", types);
  const inputProperties = withReplaceOnChanges(input.properties, fields, verbs.update !== undefined);
  return {
    description: `${about} Import id: ${importForm(resource)}.`,
    inputProperties: withAutomaticName(inputProperties),
    requiredInputs: input.required.filter((required) => required !== "name"),
    properties: output.properties,
    required: output.required,
    aliases: [{ type: dynamicType(name) }],
  };
}

/** Adds to each input property whether its change replaces the resource, and the reason. */
const withReplaceOnChanges = (inputs: PropertySpecs, fields: Fields, updatable: boolean): PropertySpecs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, property]) => {
      const { change = "replace", replaceReason = "" } = (fields[name]?.options ?? {}) as ChangeOptions;
      if (updatable && change !== "replace") return [name, property];
      const description = `${property.description} ${replaceReason}`.trim();
      return [name, { ...property, description, willReplaceOnChanges: true }];
    }),
  );

/** Documents the automatic name as the default of `name`. */
const withAutomaticName = ({ name, ...others }: PropertySpecs): PropertySpecs =>
  name === undefined
    ? others
    : { name: { ...name, description: `${name.description} Default: made from the resource's.` }, ...others };

interface ChangeOptions {
  readonly change?: unknown;
  readonly replaceReason?: string;
}

const lookupSpec = ({ name, about, fields }: Lookup, types: NamedTypes): FunctionSpec => ({
  description: about,
  inputs: objectSpec(fields, `Get${pascalCase(name)}`, "input", types),
  outputs: objectSpec(fields, `Get${pascalCase(name)}`, "output", types),
});

/** Wraps the result in an object with one member, since an invoke returns an object. */
const pureFunctionSpec = (
  { name, about, fields, result }: PureFunction,
  types: NamedTypes,
): FunctionSpec => ({
  description: about,
  inputs: objectSpec(fields, pascalCase(name), "input", types),
  outputs: objectSpec({ result: computed(result, about) }, `${pascalCase(name)}Function`, "output", types),
});
