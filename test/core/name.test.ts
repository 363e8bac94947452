import { expect, test } from "@jest/globals";
import fc from "fast-check";
import * as names from "../../provider/core/name.ts";

test("a resource kind has one name in each ecosystem", () => {
  expect(names.terraformType("security-group")).toBe("kcloud_security_group");
  expect(names.pulumiToken("security-group")).toBe("kcloud:index:SecurityGroup");
  expect(names.pulumiFunction("vpcs")).toBe("kcloud:index:getVpcs");
  expect(names.dynamicType("volume")).toBe("pulumi-nodejs:dynamic/kcloud:Volume");
  expect(names.pascalCase("volume")).toBe("Volume");
  expect(names.pulumiToken("object")).toBe("kcloud:index:ObjectResource");
});

test("the text that stacks store of a dynamic provider never changes", () => {
  expect(names.dynamicProvider("volume")).toBe('exports.handler=()=>require("@kcloud/iac/p").Volume');
  expect(names.dynamicProvider("security-group")).toBe(
    'exports.handler=()=>require("@kcloud/iac/p").SecurityGroup',
  );
});

test("converting a field name to snake case and back returns the same name", () => {
  expect(names.snakeCase("sizeGb")).toBe("size_gb");
  expect(names.camelCase("primary_subnet")).toBe("primarySubnet");
  const camel = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,20}$/);
  fc.assert(fc.property(camel, (name) => names.camelCase(names.snakeCase(name)) === name));
});
