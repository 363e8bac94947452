import { expect, test } from "@jest/globals";
import * as z from "zod/mini";
import { actions, ephemerals, functions, lookups } from "../../../functions/index.ts";
import { terraformType } from "../../../provider/core/name.ts";
import { computed, type Fields, field, group } from "../../../provider/definition/field.ts";
import { defineResource, type Resource } from "../../../provider/definition/resource.ts";
import { describeProvider } from "../../../provider/terraform/codec/provider-schema.ts";
import { identitySchema } from "../../../provider/terraform/codec/schema.ts";
import {
  type Schema,
  type Schema_Attribute,
  type Schema_Block,
  Schema_Object_NestingMode,
} from "../../../provider/terraform/tfplugin6/tfplugin6.ts";
import { resources } from "../../../resources/index.ts";
import { expectGolden } from "../../support/golden.ts";

/** Returns a line `name type required|optional|computed …` per attribute, indented by depth. */
const attributeLines = (attributes: readonly Schema_Attribute[] = [], depth: string): string[] =>
  attributes.flatMap(({ name, type, nestedType, ...flags }) => {
    const kind = type === undefined ? nesting(nestedType?.nesting) : Buffer.from(type).toString();
    const marks = Object.entries(flags).flatMap(([flag, on]) => (on === true ? [flag] : []));
    return [
      `${depth}${name} ${kind} ${marks.join(" ")}`,
      ...attributeLines(nestedType?.attributes, `${depth}  `),
    ];
  });
const nesting = (mode: number | undefined): string =>
  Object.entries(Schema_Object_NestingMode).find(([, number]) => number === mode)?.[0] ?? "";
const blockLines = ({ attributes, blockTypes = [] }: Schema_Block, depth = "  "): string[] => [
  ...attributeLines(attributes, depth),
  ...blockTypes.flatMap(({ typeName, nesting: mode, block }) => [
    `${depth}${typeName} {} ${nesting(mode)}`,
    ...blockLines(block ?? {}, `${depth}  `),
  ]),
];
const schemaLines = (title: string, { version, block }: Schema = {}): string[] => [
  `${title} version ${version}`,
  ...blockLines(block ?? {}),
];

const identityLines = (resource: Resource): string[] => {
  const { version, identityAttributes = [] } = identitySchema(resource);
  return [
    `identity ${terraformType(resource.name)} version ${version}`,
    ...attributeLines(identityAttributes, "  "),
  ];
};

test("the schema of all definitions equals the golden file; states and programs depend on it", () => {
  const described = describeProvider({ resources, lookups, actions, functions, ephemerals });
  const linesOf = (kind: string, schemas: { readonly [type: string]: Schema } = {}) =>
    Object.entries(schemas).flatMap(([type, schema]) => schemaLines(`${kind} ${type}`, schema));
  const lines = [
    ...schemaLines("provider", described.provider),
    ...linesOf("resource", described.resourceSchemas),
    ...resources.filter(({ stateOnly }) => stateOnly !== true).flatMap(identityLines),
    ...linesOf("data", described.dataSourceSchemas),
    ...linesOf("ephemeral", described.ephemeralResourceSchemas),
    ...linesOf("list", described.listResourceSchemas),
    ...Object.entries(described.actionSchemas ?? {}).flatMap(([type, { schema }]) =>
      schemaLines(`action ${type}`, schema),
    ),
  ];
  expectGolden("terraform-schema.txt", `${lines.join("\n")}\n`);
});

const defined = (fields: Fields) => () =>
  describeProvider({
    resources: [
      defineResource({
        name: "thing",
        category: "compute",
        about: "A thing.",
        timeouts: { create: 1, read: 1, update: 1, delete: 1 },
        fields,
      })({ create: async () => ({}), read: async () => undefined, delete: async () => {} } as never),
    ],
    lookups: [],
    actions: [],
    functions: [],
    ephemerals: [],
  });
const text = field(z.string(), "Text.");

test("a definition that an engine rejects throws an error with its path", () => {
  expect(defined({ count: text })).toThrow("kcloud_thing.count: is a reserved name");
  expect(defined({ Über: text })).toThrow("is not a name");
  expect(defined({ empty: group({}, "Nothing.") })).toThrow("kcloud_thing.empty: has nothing in it");
});

test("a definition that a generator of bindings drops or renames throws an error with its path", () => {
  expect(defined({ a1: text, a_1: text })).toThrow(
    "kcloud_thing.a_1: is a1 in generated code, as another is",
  );
  expect(defined({ node: text })).toThrow("kcloud_thing.node: is renamed in generated code");
  expect(defined({ inner: group({ getIt: text }, "Inner.") })).toThrow(
    "kcloud_thing.inner.get_it: is renamed in generated code",
  );
});

test("a definition that not every engine can represent throws an error", () => {
  const pair = z.tuple([z.string(), z.string()]);
  expect(defined({ pair: field(pair as never, "A pair.") })).toThrow(/tuple has no shape/);
  const deep = z.array(z.array(z.object({ a: z.string() })));
  expect(defined({ deep: computed(deep, "Deep.") })).toThrow(
    "an object within a collection of collections has no schema",
  );
});
