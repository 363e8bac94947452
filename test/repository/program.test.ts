import { expect, test } from "@jest/globals";
import { cdktfProgram, yamlProgram } from "../../tools/docs/program.ts";

/** Tests the programs that pages contain, generated from HCL; `test/adapter/example` runs those of all resources. */

const bucket = (attributes: string): string => `resource "kcloud_bucket" "site" {
  name = "site"
${attributes}
}
`;

test("keys of maps are unchanged, names of attributes are in camel case", () => {
  const hcl = bucket('  force_destroy = true\n  tags = { cost_center = "4711" }');
  expect(yamlProgram("site", hcl)).toContain(`    properties:
      name: site
      forceDestroy: true
      tags:
        cost_center: "4711"`);
  expect(cdktfProgram("site", hcl)).toContain(
    'new Bucket(stack, "site", { name: "site", forceDestroy: true, tags: { cost_center: "4711" } });',
  );
});

test.each([
  ["a meta-argument", bucket("  count = 2")],
  ["a template", bucket('  description = "of ${path.module}"')],
  ["a function", bucket('  description = upper("site")')],
  ["a variable without a default", `variable "text" {}\n${bucket("  description = var.text")}`],
  ["an attribute that the resource lacks", bucket("  colour = 1")],
  ["an operator", bucket("  description = 1 + 1")],
])("nothing is generated from HCL with %s", (_, hcl) => {
  expect([yamlProgram("site", hcl), cdktfProgram("site", hcl)]).toEqual([undefined, undefined]);
});
