import { expect, test } from "@jest/globals";
import type { Address, Entry } from "../../../account/export/project.ts";
import { type Library, typescriptModules } from "../../../account/export/typescript.ts";
import { blockOf } from "./block.ts";

const plain: Library = {
  words: "pulumi",
  module: "classes",
  imports: {},
  text: (text) => `<${text}>`,
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
  const modules = typescriptModules({ region: undefined, blocks, parts: [] }, "kind", plain);
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
  const modules = typescriptModules({ region: undefined, blocks, parts: [] }, "vpc", plain);
  expect([...modules.keys()]).toEqual(["vpc-shop.ts", "bucket.ts"]);
  expect(linesOf(modules, "vpc-shop.ts")?.map((line) => line.split(" {")[0])).toEqual([
    ...["import", "", "shop", "", "data", "", "web", ""],
  ]);
});

test("texts, keys and nested values are those of the library", () => {
  const text = { kind: "literal", value: "a" } as const;
  const inputs: Entry[] = [
    ["tags", { kind: "map", entries: [["key", text]] }],
    ["list", { kind: "list", items: [{ kind: "literal", value: 1 }] }],
    ["group", { kind: "group", entries: [["flag", { kind: "literal", value: true }]] }],
  ];
  const blocks = [blockOf("bucket", "logs", { inputs })];
  const modules = typescriptModules({ region: undefined, blocks, parts: [] }, "kind", {
    ...plain,
    key: (key) => `${key}!`,
  });
  const [, , line = ""] = linesOf(modules, "bucket.ts") ?? [];
  const part = (text: string) => ({ kind: "text", text });
  expect(JSON.parse(line.replace("logs ", ""))).toEqual({
    tags: { kind: "object", entries: [["key!", part("<a>")]] },
    list: { kind: "list", items: [part("1")] },
    group: { kind: "object", entries: [["flag", part("true")]] },
  });
});
