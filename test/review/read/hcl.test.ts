import { expect, test } from "@jest/globals";
import { readHcl, readJson } from "../../../review/read/hcl.ts";

const headers = (text: string) =>
  readHcl(text).blocks.map(({ type, labels, line }) => [type, ...labels, line].join(" "));

test("blocks at any depth have their labels and lines; attributes are no blocks", () => {
  const text = `terraform {
  required_providers { kcloud = { source = "registry.terraform.io/kcloud/kcloud" } }
}
resource "null_resource" "a" {
  triggers = { x = "y" }
  provisioner "local-exec" {
    command = "true"
  }
}
removed {
  from = null_resource.b
  provisioner "remote-exec" { when = destroy }
}
data external it { program = ["sh"] }
`;
  expect(headers(text)).toEqual([
    ...["terraform 1", "required_providers 2", "resource null_resource a 4", "provisioner local-exec 6"],
    ...["removed 10", "provisioner remote-exec 12", "data external it 14"],
  ]);
});

test.each([
  ["a comment", '# provisioner "local-exec" {\n// data "external" "x" {\n/* provisioner "file" {\n */'],
  ["a text", 'locals {\n  a = "provisioner \\"file\\" {"\n}'],
  ["a template", 'locals {\n  a = "${join("{", [for x in var.y : "provisioner \\"file\\" {"])}"\n}'],
  ["an escaped template", 'locals {\n  a = "$${ provisioner {"\n}'],
  ["a heredoc", 'locals {\n  a = <<-END\n    provisioner "file" {\n    END\n}'],
])("%s hides no block, and is none", (_, text) => {
  const after = `${text}\nresource "a" "b" {\n}\n`;
  const found = headers(after);
  expect(found.at(-1)).toMatch(/^resource a b /);
  expect(found.filter((one) => one.startsWith("provisioner") || one.startsWith("data"))).toEqual([]);
});

test("texts and heredocs are listed with their lines", () => {
  const { texts } = readHcl('module "m" {\n  source = "../m"\n  text = <<E\n~/secret\nE\n}\n');
  const block = { type: "module", labels: ["m"], line: 1 };
  expect(texts).toEqual([
    { text: "../m", line: 2, block },
    { text: "~/secret\n", line: 3, block },
  ]);
});

test("what is not closed hides nothing that comes before it", () => {
  expect(headers('provisioner "file" {\n  source = "')).toEqual(["provisioner file 1"]);
});

test("JSON has the same blocks, in lists too", () => {
  const resource = { null_resource: { a: [{ provisioner: [{ "local-exec": { command: "true" } }] }] } };
  const { blocks, texts } = readJson(JSON.stringify({ resource, data: { external: { it: {} } } }));
  expect(blocks).toContainEqual({ type: "provisioner", labels: ["local-exec", "command"], line: 1 });
  expect(blocks).toContainEqual({ type: "data", labels: ["external", "it"], line: 1 });
  expect(texts).toMatchObject([{ text: "true", line: 1, block: { type: "resource" } }]);
});

test("a text belongs to the innermost block around it, also within the braces of a value, and after it to none", () => {
  const { texts } = readHcl(
    'data "a" "b" {\n  config = { x = { y = "1" } }\n  inner {\n    z = "2"\n  }\n  w = "3"\n}\nlocals {}\n',
  );
  expect(texts.map(({ text, block }) => [text, block?.type])).toEqual([
    ["1", "data"],
    ["2", "inner"],
    ["3", "data"],
  ]);
});
