import { expect, test } from "@jest/globals";
import { type Parameters, problemsOf, schemaOf } from "../../../mcp/tool/tool.ts";

const parameters: Parameters = {
  kind: { type: "text", values: ["vpc", "volume"], isRequired: true, about: "Kind." },
  attributes: { type: "attributes", isRequired: true, about: "Attributes." },
  names: { type: "texts", about: "Names." },
  limit: { type: "count", most: 5, about: "Limit." },
  offset: { type: "count", least: 0, most: 5, about: "Offset." },
};

test("parameters have a closed JSON schema", () => {
  expect(schemaOf(parameters)).toEqual({
    type: "object",
    properties: {
      kind: { type: "string", enum: ["vpc", "volume"], description: "Kind." },
      attributes: { type: "object", description: "Attributes." },
      names: { type: "array", items: { type: "string" }, description: "Names." },
      limit: { type: "integer", minimum: 1, maximum: 5, description: "Limit." },
      offset: { type: "integer", minimum: 0, maximum: 5, description: "Offset." },
    },
    required: ["kind", "attributes"],
    additionalProperties: false,
  });
});

test("every unknown, missing and invalid argument is named at once", () => {
  expect(problemsOf(parameters, { knd: 1, limit: 6, names: ["a", 3], offset: -1, kind: null })).toEqual([
    'unknown parameter "knd"; did you mean "kind"?',
    "missing: kind, attributes",
    "names must be a text",
    "limit must be a whole number from 1 to 5",
    "offset must be a whole number from 0 to 5",
  ]);
  expect(problemsOf(parameters, { kind: "volumes", attributes: [], names: "a" })).toEqual([
    'kind has no value "volumes"; did you mean "volume"?',
    "attributes must be an object with attributes by their names",
    "names must be a list of at most 100 texts",
  ]);
  expect(problemsOf(parameters, { kind: "vpc", attributes: {}, names: ["a"], limit: 5, offset: 0 })).toEqual(
    [],
  );
});
