import { expect, test } from "@jest/globals";
import { lookups } from "../../../functions/index.ts";
import { inputsIn, namesOf } from "../../../mcp/object/input.ts";

const volumes = lookups.find(({ name }) => name === "volumes");
if (volumes === undefined) throw new Error("no lookup volumes");
const names = namesOf(volumes);

test("attributes have the names of Terraform or Pulumi; null and empty texts count as not given", () => {
  const { values, problems } = inputsIn({ vpc_id: "v", sizeGb: 3, name: "", status: null }, names);
  expect([values, problems]).toEqual([{ vpcId: "v", sizeGb: 3 }, ""]);
});

test("every unknown and missing attribute is named at once, with the known ones", () => {
  expect(inputsIn({ vpcid: "v", "sise_gb\u202e": 3 }, names).problems).toBe(
    [
      'unknown attribute "vpcid"; did you mean "vpc_id"?',
      'unknown attribute "sise_gb\u202e"; did you mean "size_gb"?',
      "missing: vpc_id",
      "The attributes are vpc_id, region, name, size_gb, volume_type, availability_zone, multiattach, status.",
    ].join("\n"),
  );
});
