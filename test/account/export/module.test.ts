import { expect, test } from "@jest/globals";
import { enumerationOf, inputType } from "../../../account/export/input-type.ts";
import { type Library, programModules } from "../../../account/export/module.ts";
import type { Address, Entry } from "../../../account/export/project.ts";
import { typescript } from "../../../account/export/typescript-syntax.ts";
import { variableNames } from "../../../account/export/variable.ts";
import { className } from "../../../provider/core/name.ts";
import { blockOf } from "./block.ts";

const plain: Library = {
  language: typescript,
  words: "pulumi",
  imports: (blocks) => [["classes", blocks.map(({ kind }) => className(kind))]],
  typeOf: () => undefined,
  literal: (value) => (typeof value === "string" ? `<${value}>` : String(value)),
  name: (field) => field,
  key: (key) => key,
  attribute: (variable, path) => [variable, ...path].join("."),
  statements: (_, variable, inputs) => [`${variable} ${JSON.stringify(Object.fromEntries(inputs))}`],
  remedy: () => ["Remedy."],
};

const shop: Address = { kind: "vpc", name: "shop" };
const to = (name: string, kind: string, target: string): Entry => [
  name,
  { kind: "reference", to: { kind, name: target }, path: ["id"] },
];
const linesOf = (modules: Map<string, string>, file: string) => modules.get(file)?.split("\n");

test("a module imports classes and the resources of other modules, those of comments in comments", () => {
  const blocks = [
    blockOf("vpc", "shop", { vpc: shop }),
    blockOf("subnet", "back", { vpc: shop, inputs: [to("vpcId", "vpc", "shop")] }),
    blockOf("volume", "data", { inputs: [to("vpcId", "vpc", "shop")] }),
    blockOf("volume", "copy", {
      inputs: [to("vpcId", "vpc", "shop"), to("source", "subnet", "back")],
      problems: ["name is required"],
    }),
  ];
  const modules = programModules(
    { region: undefined, blocks, parts: [] },
    "kind",
    plain,
    variableNames(blocks),
  );
  expect([...modules.keys()]).toEqual(["vpc.ts", "subnet.ts", "volume.ts"]);
  expect(linesOf(modules, "volume.ts")).toEqual([
    'import { Volume } from "classes";',
    'import { shop } from "./vpc.ts";',
    '// import { back } from "./subnet.ts";',
    "",
    'data {"vpcId":{"kind":"text","text":"shop.id"}}',
    "",
    "// A comment, since the API does not return all values of the volume: name is required.",
    "// Remedy.",
    "//",
    '// copy {"vpcId":{"kind":"text","text":"shop.id"},"source":{"kind":"text","text":"back.id"}}',
    "",
  ]);
});

test("a module of a VPC has its resources, each after those to which it refers, without imports of itself", () => {
  const blocks = [
    blockOf("instance", "web", { vpc: shop, inputs: [to("volumeId", "volume", "data")] }),
    blockOf("volume", "data", { vpc: shop, inputs: [to("vpcId", "vpc", "shop")] }),
    blockOf("vpc", "shop", { vpc: shop }),
    blockOf("bucket", "logs"),
  ];
  const modules = programModules(
    { region: undefined, blocks, parts: [] },
    "vpc",
    plain,
    variableNames(blocks),
  );
  expect([...modules.keys()]).toEqual(["vpc-shop.ts", "bucket.ts"]);
  expect(linesOf(modules, "vpc-shop.ts")?.map((line) => line.split(" {")[0])).toEqual([
    ...["import", "", "shop", "", "data", "", "web", ""],
  ]);
});

test("literals with their types, names, keys and nested values are those of the library", () => {
  const inputs: Entry[] = [
    ["metadata", { kind: "map", entries: [["key", { kind: "literal", value: "a" }]] }],
    ["list", { kind: "list", items: [{ kind: "literal", value: 1 }] }],
    ["source", { kind: "group", entries: [["type", { kind: "literal", value: "image" }]] }],
    ["volumeType", { kind: "literal", value: "ssd" }],
  ];
  const blocks = [blockOf("volume", "logs", { inputs })];
  const modules = programModules(
    { region: undefined, blocks, parts: [] },
    "kind",
    {
      ...plain,
      typeOf: inputType,
      literal: (value, type) => `${value} ${enumerationOf(type)?.name ?? "plain"}`,
      name: (field) => `_${field}`,
      key: (key) => `${key}!`,
    },
    variableNames(blocks),
  );
  const [, , line = ""] = linesOf(modules, "volume.ts") ?? [];
  const part = (text: string) => ({ kind: "text", text });
  expect(JSON.parse(line.replace("logs ", ""))).toEqual({
    _metadata: { kind: "object", entries: [["key!", part("a plain")]] },
    _list: { kind: "list", items: [part("1 plain")] },
    _source: { kind: "object", entries: [["_type", part("image VolumeSourceType")]] },
    _volumeType: part("ssd VolumeType"),
  });
});
