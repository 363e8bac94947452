import { expect, test } from "@jest/globals";
import { importableSchema } from "../../../provider/pulumi/schema/import-form.ts";
import { packageSchema } from "../../../provider/pulumi/schema/schema.ts";

test("a required input that an import leaves out accepts every text; other closed sets do not", () => {
  const spec = packageSchema("1.0.0");
  const open = importableSchema(spec);
  const type = "#/types/kcloud:index:SecurityGroupRuleDirection";
  const direction = (of: typeof spec) =>
    of.resources["kcloud:index:SecurityGroupRule"]?.inputProperties.direction;
  expect(direction(spec)).toMatchObject({ type: "string", $ref: type });
  expect(direction(open)).toMatchObject({
    type: "string",
    oneOf: [{ type: "string", $ref: type }, { type: "string" }],
    description: expect.stringMatching(/^Direction of the traffic\. Allowed values: `ingress`, `egress`\./),
  });
  const changed = Object.keys(open.resources).filter(
    (token) =>
      JSON.stringify(open.resources[token]?.inputProperties) !==
      JSON.stringify(spec.resources[token]?.inputProperties),
  );
  expect(changed).toEqual(["kcloud:index:SecurityGroupRule"]);
});
