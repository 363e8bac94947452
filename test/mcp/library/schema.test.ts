import { expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { actions, ephemerals, functions, lookups } from "../../../functions/index.ts";
import { allSchemas } from "../../../mcp/library/schema.ts";
import { resources } from "../../../resources/index.ts";

const schemas = allSchemas();

test("every definition has a schema, which is one of JSON", () => {
  const names = [
    ...resources.map(({ name }) => `resource/${name}`),
    ...lookups.map(({ name }) => `data-source/${name}`),
    ...actions.map(({ name }) => `action/${name}`),
    ...ephemerals.map(({ name }) => `ephemeral-resource/${name}`),
    ...functions.map(({ name }) => `function/${name}`),
  ];
  expect(Object.keys(schemas)).toEqual(names);
  const ajv = new Ajv2020({ strict: false });
  for (const schema of Object.values(schemas)) expect(ajv.validateSchema(schema)).toBe(true);
});

test("a schema has names, limits, defaults and descriptions of the definition, and marks what the API sets and secrets", () => {
  const { properties, required } = schemas["resource/volume"] as {
    properties: Record<string, object>;
    required: string[];
  };
  expect(required).toEqual(expect.arrayContaining(["vpc_id", "size_gb"]));
  expect(properties.size_gb).toMatchObject({ type: "integer", minimum: 1 });
  expect(properties.status).toMatchObject({ readOnly: true });
  expect(schemas["resource/instance"]).toMatchObject({ properties: { user_data: { sensitive: true } } });
});
