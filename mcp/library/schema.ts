import { actions, ephemerals, functions, lookups } from "../../functions/index.ts";
import { snakeCase, terraformType, underscored } from "../../provider/core/name.ts";
import { inWordsOf, type Text } from "../../provider/core/wording.ts";
import { describeInput } from "../../provider/definition/description.ts";
import type { Fields } from "../../provider/definition/field.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { type Member, memberOf, membersOf, type Shape } from "../../provider/definition/shape.ts";
import { resources } from "../../resources/index.ts";
import type { Json, JsonObject } from "../text.ts";

/** JSON schemas of all definitions, with the names of Terraform. */

const text = (words: Text): string => inWordsOf("terraform", words);

function valueSchema(shape: Shape): JsonObject {
  if (shape.kind === "object") return objectSchema(shape.fields);
  if (shape.kind === "map") return { type: "object", additionalProperties: valueSchema(shape.of) };
  if (shape.kind === "list") return { type: "array", items: valueSchema(shape.of) };
  if (shape.kind === "set") return { type: "array", uniqueItems: true, items: valueSchema(shape.of) };
  if (!("integer" in shape || "values" in shape || "minimum" in shape || "maximum" in shape))
    return { type: shape.kind };
  const { kind, integer, values, minimum, maximum } = shape;
  return {
    type: integer ? "integer" : kind,
    ...(values !== undefined && { enum: values }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

function memberSchema(member: Member, resource?: Resource): JsonObject {
  const description = text(describeInput(member, resource));
  return {
    ...valueSchema(member.shape),
    ...(description !== "" && { description }),
    ...(member.default !== undefined && { default: member.default as Json }),
    ...(member.setBy === "cloud" && { readOnly: true }),
    ...(member.secret && { sensitive: true }),
  };
}

function objectSchema(members: { readonly [name: string]: Member }, resource?: Resource): JsonObject {
  const all = Object.entries(members);
  const required = all.flatMap(([name, member]) => (member.required ? [snakeCase(name)] : []));
  return {
    type: "object",
    properties: Object.fromEntries(
      all.map(([name, member]) => [snakeCase(name), memberSchema(member, resource)]),
    ),
    ...(required.length > 0 && { required }),
  };
}

/** Definition with the title and the description of its schema. */
interface Definition {
  readonly name: string;
  readonly about: Text;
  readonly fields: Fields;
}

const schemaOf = ({ name, about, fields }: Definition, title: string, resource?: Resource): JsonObject => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: title === "" ? terraformType(name) : title,
  description: text(about),
  ...objectSchema(membersOf(fields), resource),
});

const named = (kind: string, definitions: readonly Definition[]) =>
  definitions.map((definition) => [`${kind}/${definition.name}`, schemaOf(definition, "")] as const);

/** Returns the schemas by kind and name of the definition, as `resource/volume`. */
export const allSchemas = (): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries([
    ...resources.map((resource) => [`resource/${resource.name}`, schemaOf(resource, "", resource)] as const),
    ...named("data-source", lookups),
    ...named("action", actions),
    ...named("ephemeral-resource", ephemerals),
    ...functions.map((one) => {
      const result = valueSchema(
        memberOf({ kind: "computed", schema: one.result, about: "", options: {} } as never).shape,
      );
      return [`function/${one.name}`, { ...schemaOf(one, underscored(one.name)), result }] as const;
    }),
  ]);
