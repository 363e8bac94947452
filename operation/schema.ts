import * as z from "zod/mini";
import { inWordsOf } from "../provider/core/wording.ts";
import type { Fields } from "../provider/definition/field.ts";
import { type Member, membersOf, type Shape } from "../provider/definition/shape.ts";
import type { Operation } from "./operation.ts";

/** JSON schemas of operations, for help, types of programs, and tools of agents. */

/** JSON schema, as far as operations have one. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly { readonly required: readonly string[] }[];
  /** True for a value that must never be printed. */
  readonly writeOnly?: boolean;
}

/** Returns the schema of the parameters of an operation, which is closed. The parameter `content` is not part of it. */
export const parameterSchema = ({ fields, alternatives }: Operation): JsonSchema => ({
  ...schemaOf(fields),
  ...(alternatives.length === 0 ? {} : { oneOf: alternatives.map((required) => ({ required })) }),
});

/** Returns true for the schema of a secret, or of a value that contains one. */
export const hasSecret = ({ writeOnly, items, properties = {}, additionalProperties }: JsonSchema): boolean =>
  writeOnly === true ||
  [items, additionalProperties, ...Object.values(properties)].some(
    (part) => typeof part === "object" && hasSecret(part),
  );

/** Returns the schema of an object with these fields. */
export const schemaOf = (fields: Fields): JsonSchema => objectSchema(membersOf(fields));

function objectSchema(members: { readonly [name: string]: Member }): JsonSchema {
  const required = Object.entries(members).flatMap(([name, member]) => (member.required ? [name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, memberSchema(member)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const memberSchema = ({ shape, about, field, secret, default: standard }: Member): JsonSchema => {
  const known = field?.kind === "field" ? field.options.known : undefined;
  return {
    ...shapeSchema(shape),
    ...(about === "" ? {} : { description: inWordsOf("pulumi", about) }),
    ...(standard === undefined ? {} : { default: standard }),
    ...(known === undefined ? {} : { examples: known }),
    ...(secret ? { writeOnly: true } : {}),
  };
};

function shapeSchema(shape: Shape): JsonSchema {
  switch (shape.kind) {
    case "list":
    case "set":
      return { type: "array", items: shapeSchema(shape.of) };
    case "map":
      return { type: "object", additionalProperties: shapeSchema(shape.of) };
    case "object":
      return objectSchema(shape.fields);
    default:
      return {
        type: shape.integer ? "integer" : shape.kind,
        ...(shape.values === undefined ? {} : { enum: shape.values }),
        ...(shape.minimum === undefined ? {} : { minimum: shape.minimum }),
        ...(shape.maximum === undefined ? {} : { maximum: shape.maximum }),
      };
  }
}

/** Returns the schema of the response to an operation, which is open; undefined for one without a body. */
export function answerSchema({ answer }: Operation): JsonSchema | undefined {
  if (answer === undefined) return undefined;
  const { $schema: _, ...schema } = z.toJSONSchema(answer, { io: "input" }) as JsonSchema & {
    readonly $schema?: string;
  };
  return schema;
}
