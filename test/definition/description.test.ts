import { expect, test } from "@jest/globals";
import { actions, ephemerals, functions, lookups } from "../../functions/index.ts";
import { packageSchema } from "../../provider/pulumi/schema/schema.ts";
import { describeProvider } from "../../provider/terraform/codec/provider-schema.ts";
import { identitySchema } from "../../provider/terraform/codec/schema.ts";
import type { Schema_Attribute, Schema_Block } from "../../provider/terraform/tfplugin6/tfplugin6.ts";
import { resources } from "../../resources/index.ts";
import { generateSdk } from "../../tools/sdk/sdk.ts";

/** Every description that a user of an engine reads, by its path: `resource kcloud_volume.qos.iops`. */
type Descriptions = readonly (readonly [path: string, description: string])[];

const attributesOf = (path: string, attributes: readonly Schema_Attribute[] = []): Descriptions =>
  attributes.flatMap(({ name, description = "", nestedType }) => [
    [`${path}.${name}`, description] as const,
    ...attributesOf(`${path}.${name}`, nestedType?.attributes),
  ]);

const blockOf = (path: string, block: Schema_Block = {}): Descriptions => [
  [path, block.description ?? ""],
  ...attributesOf(path, block.attributes),
  ...(block.blockTypes ?? []).flatMap(({ typeName, block }) => blockOf(`${path}.${typeName}`, block)),
];

const described = describeProvider({ resources, lookups, actions, functions, ephemerals });
const terraform: Descriptions = [
  ...blockOf("provider", described.provider?.block),
  ...Object.entries({
    resource: described.resourceSchemas,
    data: described.dataSourceSchemas,
    ephemeral: described.ephemeralResourceSchemas,
    list: described.listResourceSchemas,
  }).flatMap(([kind, schemas = {}]) =>
    Object.entries(schemas).flatMap(([type, { block }]) => blockOf(`${kind} ${type}`, block)),
  ),
  ...Object.entries(described.actionSchemas ?? {}).flatMap(([type, { schema }]) =>
    blockOf(`action ${type}`, schema?.block),
  ),
  ...Object.entries(described.functions ?? {}).flatMap(([name, { description = "", ...of }]) => [
    [`function ${name}`, description] as const,
    ...[...(of.parameters ?? []), ...(of.variadicParameter ? [of.variadicParameter] : [])].map(
      ({ name: parameter, description = "" }) => [`function ${name}.${parameter}`, description] as const,
    ),
  ]),
  ...resources.flatMap((resource) =>
    (identitySchema(resource).identityAttributes ?? []).map(
      ({ name, description = "" }) => [`identity ${resource.name}.${name}`, description] as const,
    ),
  ),
];

const spec = packageSchema("1.2.3");
const propertiesOf = (path: string, properties: object): Descriptions =>
  Object.entries(properties).map(([name, { description = "" }]) => [`${path}.${name}`, description]);
const pulumi: Descriptions = [
  ["provider", spec.provider.description],
  ...propertiesOf("config", spec.config.variables),
  ...Object.entries(spec.resources).flatMap(([token, of]) => [
    [token, of.description] as const,
    ...propertiesOf(`input of ${token}`, of.inputProperties),
    ...propertiesOf(`output of ${token}`, of.properties),
  ]),
  ...Object.entries(spec.functions).flatMap(([token, of]) => [
    [token, of.description] as const,
    ...propertiesOf(`argument of ${token}`, of.inputs.properties),
    ...propertiesOf(`result of ${token}`, of.outputs.properties),
  ]),
  ...Object.entries(spec.types).flatMap(([token, of]) =>
    "properties" in of ? propertiesOf(`type ${token}`, of.properties) : [],
  ),
];

/** Doc comments of the generated classes and types, by the declaration that follows each; empty where there is none. */
const typescript: Descriptions = generateSdk().flatMap(({ file, text }) => {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const isDeclared =
      /^ {2}(declare )?readonly |^ {2}static (get|override)|^export (class|function|interface)/;
    if (!isDeclared.test(line)) return [];
    const [, comment = ""] = /^ *\/\*\* (.*) \*\/$/.exec(lines[at - 1] ?? "") ?? [];
    return [[`${file}: ${line.trim()}`, comment] as const];
  });
});

const engines = { terraform, pulumi, typescript };

test.each(Object.entries(engines))(
  "every attribute, block and parameter of %s has a description",
  (_, all) => {
    expect(all.length).toBeGreaterThan(900);
    expect(all.filter(([, text]) => text === "").map(([path]) => path)).toEqual([]);
  },
);

test.each(Object.entries(engines))(
  "every description of %s is a sentence that names its subject",
  (_, all) => {
    const wrong = all.filter(
      ([, text]) => /^(What|Whether|Where|Who|How|So)\b/.test(text) || !/^[A-Z].*\.$/.test(text),
    );
    expect(wrong).toEqual([]);
  },
);

test.each(Object.entries(engines))("no sentence of a description of %s has more than 32 words", (_, all) => {
  const sentences = all.flatMap(([path, text]) =>
    text.split(/(?<=\.) (?=[A-Z`])/).map((sentence) => [path, sentence] as const),
  );
  expect(sentences.filter(([, sentence]) => sentence.split(" ").length > 32)).toEqual([]);
});

test("the descriptions that Terraform reads at each start stay small", () => {
  expect(terraform.reduce((size, [, text]) => size + text.length, 0)).toBeLessThan(120_000);
});

test("every attribute whose change replaces the object says so, and none of a data source does", () => {
  const replacing = Object.values(spec.resources).flatMap(({ inputProperties }) =>
    Object.values(inputProperties).filter(({ willReplaceOnChanges }) => willReplaceOnChanges),
  );
  expect(replacing.length).toBeGreaterThan(100);
  for (const { description } of replacing) expect(description).toContain("Changing this forces ");
  const elsewhere = [...terraform, ...pulumi].filter(
    ([path, text]) =>
      !/^(resource|input of|type) /.test(path) && /Changing|change it|forces a new/.test(text),
  );
  expect(elsewhere).toEqual([]);
});

test("the data loss of a replacement is part of the description", () => {
  const of = (path: string) => terraform.find(([name]) => name === path)?.[1];
  expect(of("resource kcloud_volume.availability_zone")).toBe(
    "Availability zone of the volume. Default: `nova`. Changing this forces a new volume. The data on the volume is destroyed; take a backup or a copy first.",
  );
  expect(of("data kcloud_volume.availability_zone")).toBe("Availability zone of the volume.");
  expect(of("resource kcloud_instance.name")).toBe(
    "Name of the instance. Changing this forces a new instance. The data on the boot volume is destroyed, unless the volume is kept.",
  );
  expect(of("resource kcloud_text_summary.summary_size")).toBe(
    "Length of the summary in words. At least 1. Changing this forces a new request, which is billed.",
  );
});
