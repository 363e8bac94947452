import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { functions, lookups } from "../../../functions/index.ts";
import { pulumiCall, pulumiFunction, pulumiToken } from "../../../provider/core/name.ts";
import { computed, type Fields, field, group } from "../../../provider/definition/field.ts";
import { defineLookup } from "../../../provider/definition/function.ts";
import { defineResource } from "../../../provider/definition/resource.ts";
import { type PackageSpec, packageSchema } from "../../../provider/pulumi/schema/schema.ts";
import type { PropertySpecs, TypeSpec } from "../../../provider/pulumi/schema/type.ts";
import { resources } from "../../../resources/index.ts";

const spec = packageSchema("1.2.3");

function objectType(name: string) {
  const type = spec.types[`kcloud:index:${name}`];
  return type !== undefined && "properties" in type ? type : undefined;
}

const defined = (fields: Fields, name = "thing") => {
  const contract = {
    name,
    about: "A thing.",
    fields,
    category: "compute" as const,
    timeouts: { create: 1, read: 1, update: 1, delete: 1 },
  };
  const verbs = { create: async () => ({}), read: async () => undefined, delete: async () => {} };
  return defineResource(contract)(verbs as never);
};
const schemaOf = (fields: Fields, name?: string): PackageSpec =>
  packageSchema("1.2.3", { resources: [defined(fields, name)], lookups: [] });

test("every resource and function has its token, and the package has its name and version", () => {
  expect(Object.keys(spec.resources)).toEqual(resources.map(({ name }) => pulumiToken(name)));
  expect(Object.keys(spec.functions)).toEqual([
    ...lookups.map(({ name }) => pulumiFunction(name)),
    ...functions.map(({ name }) => pulumiCall(name)),
  ]);
  expect(Object.keys(spec.functions)).toEqual(
    expect.arrayContaining(["kcloud:index:getVpc", "kcloud:index:getSshKey", "kcloud:index:parseId"]),
  );
  expect(spec).toMatchObject({ name: "kcloud", version: "1.2.3", meta: { moduleFormat: "(.*)" } });
});

test("a volume's specification follows its definition", () => {
  const { inputProperties, requiredInputs, required, aliases } = spec.resources["kcloud:index:Volume"] ?? {};
  expect(requiredInputs).toEqual(["vpcId", "sizeGb", "volumeType"]);
  expect(required).toEqual(
    expect.arrayContaining(["name", "vpcId", "sizeGb", "availabilityZone", "status", "region"]),
  );
  expect(required).not.toContain("description");
  expect(aliases).toEqual([{ type: "pulumi-nodejs:dynamic/kcloud:Volume" }]);
  expect(inputProperties).toMatchObject({
    name: {
      type: "string",
      description: "Name of the volume. Default: derived from the name of the resource in the program.",
    },
    sizeGb: { type: "integer" },
    metadata: { type: "object", additionalProperties: { type: "string" } },
    qos: { $ref: "#/types/kcloud:index:VolumeQos" },
    availabilityZone: { type: "string", default: "nova", willReplaceOnChanges: true },
  });
  expect(inputProperties).not.toHaveProperty("status");
  expect(inputProperties?.sizeGb).not.toHaveProperty("willReplaceOnChanges");
});

test("every input of a resource without update replaces, except one that exists in the state only", () => {
  const inputs = spec.resources["kcloud:index:Subnet"]?.inputProperties ?? {};
  for (const property of Object.values(inputs)) expect(property.willReplaceOnChanges).toBe(true);
  const image = spec.resources["kcloud:index:Image"]?.inputProperties;
  expect(image?.deletionProtection).not.toHaveProperty("willReplaceOnChanges");
});

test("the settings are specified for the configuration and for the provider resource, the key as a secret", () => {
  expect(spec.config.variables).toEqual(spec.provider.inputProperties);
  expect(spec.config.variables.apiKey).toEqual({
    type: "string",
    secret: true,
    description: expect.stringContaining("SERVICE_API_KEY"),
  });
  // A default from the environment would be written into the state by every SDK.
  expect(JSON.stringify(spec)).not.toContain("defaultInfo");
});

test("a type has a second form if outputs have more members than inputs", () => {
  const [input, output] = ["VpcPrimarySubnet", "VpcPrimarySubnetResponse"].map((name) => objectType(name));
  expect(input?.properties).not.toHaveProperty("id");
  expect(output?.properties).toHaveProperty("id");
  expect(output?.required).toContain("egress");
  expect(spec.types).not.toHaveProperty("kcloud:index:VolumeQosResponse");
});

test("a closed set is an enumeration on both sides; an open one, for inputs only, accepts other values", () => {
  const rule = spec.resources["kcloud:index:SecurityGroupRule"];
  const direction = { type: "string", $ref: "#/types/kcloud:index:SecurityGroupRuleDirection" };
  for (const properties of [rule?.inputProperties, rule?.properties]) {
    expect(properties?.direction).toMatchObject(direction);
    expect(properties?.direction).not.toHaveProperty("oneOf");
  }
  expect(spec.types["kcloud:index:SecurityGroupRuleDirection"]).toEqual({
    type: "string",
    enum: [
      { name: "Ingress", value: "ingress" },
      { name: "Egress", value: "egress" },
    ],
  });
  const volume = spec.resources["kcloud:index:Volume"];
  expect(volume?.inputProperties.volumeType).toMatchObject({
    type: "string",
    oneOf: [{ type: "string", $ref: "#/types/kcloud:index:VolumeType" }, { type: "string" }],
  });
  expect(volume?.properties.volumeType).toEqual({
    type: "string",
    description: "Storage type of the volume.",
  });
  expect(spec.resources["kcloud:index:Vpc"]?.inputProperties.ipVersion).toMatchObject({
    type: "integer",
    $ref: "#/types/kcloud:index:IpVersion",
    default: 4,
  });
});

test("a field of whole numbers is an integer, and any other numeric field is a number", () => {
  const types = Object.values(spec.resources).flatMap((of) => [
    ...Object.entries({ ...of.inputProperties, ...of.properties }),
  ]);
  expect(types.filter(([, type]) => "type" in type && type.type === "number")).toEqual([]);
  const lookup = spec.functions["kcloud:index:getInstanceType"];
  expect(lookup?.outputs.properties.cost).toMatchObject({ type: "number" });
});

test("every reference resolves to a type, and every required name is a property", () => {
  const referred = (type: TypeSpec): string[] => {
    if ("$ref" in type) return [type.$ref.replace("#/types/", "")];
    if ("oneOf" in type) return type.oneOf.flatMap(referred);
    if (type.type === "array") return referred(type.items);
    return "additionalProperties" in type ? referred(type.additionalProperties) : [];
  };
  const lists: [PropertySpecs, readonly string[]][] = [
    ...Object.values(spec.types).flatMap((of): [PropertySpecs, readonly string[]][] =>
      "properties" in of ? [[of.properties, of.required]] : [],
    ),
    ...Object.values(spec.resources).flatMap((of): [PropertySpecs, readonly string[]][] => [
      [of.inputProperties, of.requiredInputs],
      [of.properties, of.required],
    ]),
    ...Object.values(spec.functions).flatMap(({ inputs, outputs }): [PropertySpecs, readonly string[]][] => [
      [inputs.properties, inputs.required],
      [outputs.properties, outputs.required],
    ]),
  ];
  for (const [properties, required] of lists) {
    expect(Object.keys(properties)).toEqual(expect.arrayContaining([...required]));
    for (const property of Object.values(properties))
      for (const token of referred(property)) expect(spec.types).toHaveProperty([token]);
  }
});

test.each<[string, Fields, string]>([
  ["id", { id: field(z.string(), "") }, "thing.id is a name that every resource has"],
  ["urn", { urn: field(z.string(), "") }, "thing.urn is a name that every resource has"],
  ["size_gb", { size_gb: field(z.number(), "") }, "Thing.size_gb is no name of a property"],
])("a property named %s is rejected", (_, fields, text) => {
  expect(() => schemaOf(fields)).toThrow(new TypeError(text));
});

test("a resource with the name of the provider or of a type is rejected", () => {
  expect(() => schemaOf({}, "provider")).toThrow("provider is the name of the provider itself");
  const inner = group({ size: field(z.number(), "") }, "");
  const definitions = {
    resources: [defined({ part: inner }), defined({}, "thing-part")],
    lookups: [],
  };
  expect(() => packageSchema("1.2.3", definitions)).toThrow(
    "kcloud:index:ThingPart names a type and a resource",
  );
});

test("two types with one name are rejected", () => {
  const lookup = defineLookup({ name: "x", category: "provider", about: "", regional: false, fields: {} })(
    async () => ({}),
  );
  const parts = (...fields: Fields[]) => fields.map((of) => group(of, ""));
  const [one, other] = parts({ a: field(z.string(), "") }, { b: field(z.string(), "") });
  const resources = [
    defined({ partOne: one ?? group({}, "") }),
    defined({ one: other ?? group({}, "") }, "thing-part"),
  ];
  expect(() => packageSchema("1.2.3", { resources, lookups: [lookup] })).toThrow(
    "kcloud:index:ThingPartOne names two types",
  );
});

test("lists, sets, maps and objects are specified at every depth", () => {
  const { resources, types } = schemaOf({
    rules: field(
      z.array(z.object({ ports: z.array(z.number()), tags: z.record(z.string(), z.boolean()) })),
      "",
      {
        unordered: true,
      },
    ),
    address: computed(z.optional(z.string()), ""),
  });
  expect(resources["kcloud:index:Thing"]?.properties.rules).toMatchObject({
    type: "array",
    items: { $ref: "#/types/kcloud:index:ThingRule" },
  });
  expect(types["kcloud:index:ThingRule"]).toEqual({
    type: "object",
    properties: {
      ports: { type: "array", items: { type: "number" } },
      tags: { type: "object", additionalProperties: { type: "boolean" } },
    },
    required: ["ports", "tags"],
  });
  expect(resources["kcloud:index:Thing"]?.required).toEqual(["rules", "region"]);
});
