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
import { computed, type Fields } from "../../definition/field.ts";
import type { Lookup, PureFunction } from "../../definition/function.ts";
import { importForm } from "../../definition/import-id.ts";
import type { Resource } from "../../definition/resource.ts";
import { type ObjectSpec, objectSpec, type PropertySpecs, type Types } from "./type.ts";

/**
 * The package as the engine, YAML programs and the makers of SDKs read it (its metaschema is
 * `pkg/codegen/schema/pulumi.json` of pulumi/pulumi). What it cannot say throws.
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

export function packageSchema(
  version: string,
  definitions: {
    resources: readonly Resource[];
    lookups: readonly Lookup[];
    functions?: readonly PureFunction[];
  } = { resources, lookups, functions },
): PackageSpec {
  const types: Types = new Map();
  const { properties: settings } = objectSpec(describedSettings(), "Provider", "input", types);
  const managed = definitions.resources.map((of) => [pulumiToken(of.name), resourceSpec(of, types)] as const);
  const asked = definitions.lookups.map((of) => [pulumiFunction(of.name), functionSpec(of, types)] as const);
  const calculated = (definitions.functions ?? []).map(
    (of) => [pulumiCall(of.name), calculationSpec(of, types)] as const,
  );
  for (const [token] of managed)
    if (types.has(token)) throw new TypeError(`${token} names a type and a resource`);
  return {
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
    resources: Object.fromEntries(managed),
    functions: Object.fromEntries([...asked, ...calculated]),
    types: Object.fromEntries(types),
  };
}

/** A setting tells where else it is read from. No default from there: an SDK would put it into the state. */
const describedSettings = (): Fields =>
  Object.fromEntries(
    Object.entries(settingFields).map(([name, field]) => [
      name,
      { ...field, about: `${field.about} Environment: ${environmentOf(name as SettingName)}.` },
    ]),
  );

/** Names that every resource has in a program. */
const reserved = ["id", "urn", "pulumi"];

function resourceSpec(resource: Resource, types: Types): ResourceSpec {
  const { name, about, fields, verbs } = resource;
  const taken = reserved.find((word) => Object.hasOwn(fields, word));
  if (taken !== undefined) throw new TypeError(`${name}.${taken} is a name that every resource has`);
  if (name === "provider") throw new TypeError("provider is the name of the provider itself");
  const input = objectSpec(fields, pascalCase(name), "input", types);
  const output = objectSpec(fields, pascalCase(name), "output", types);
  const inputProperties = withConsequences(input.properties, fields, verbs.update !== undefined);
  return {
    description: `${about} Import id: ${importForm(resource)}.`,
    inputProperties: withAutomaticName(inputProperties),
    requiredInputs: input.required.filter((required) => required !== "name"),
    properties: output.properties,
    required: output.required,
    aliases: [{ type: dynamicType(name) }],
  };
}

/** What is written, with what a change of it does. */
const withConsequences = (written: PropertySpecs, fields: Fields, updatable: boolean): PropertySpecs =>
  Object.fromEntries(
    Object.entries(written).map(([name, property]) => {
      const { change = "replace", replaceReason = "" } = (fields[name]?.options ?? {}) as Consequences;
      if (updatable && change !== "replace") return [name, property];
      const description = `${property.description} ${replaceReason}`.trim();
      return [name, { ...property, description, willReplaceOnChanges: true }];
    }),
  );

/** A name that is left out is made (`name.ts`). */
const withAutomaticName = ({ name, ...others }: PropertySpecs): PropertySpecs =>
  name === undefined
    ? others
    : { name: { ...name, description: `${name.description} Default: made from the resource's.` }, ...others };

interface Consequences {
  readonly change?: unknown;
  readonly replaceReason?: string;
}

const functionSpec = ({ name, about, fields }: Lookup, types: Types): FunctionSpec => ({
  description: about,
  inputs: objectSpec(fields, `Get${pascalCase(name)}`, "input", types),
  outputs: objectSpec(fields, `Get${pascalCase(name)}`, "output", types),
});

/** What it gives stands under one name, since an invoke answers with an object. */
const calculationSpec = ({ name, about, fields, result }: PureFunction, types: Types): FunctionSpec => ({
  description: about,
  inputs: objectSpec(fields, pascalCase(name), "input", types),
  outputs: objectSpec({ result: computed(result, about) }, `${pascalCase(name)}Function`, "output", types),
});
