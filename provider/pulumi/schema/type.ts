import { pulumiToken } from "../../core/name.ts";
import type { Field, Fields } from "../../definition/field.ts";
import { memberOf, type Shape, valueSchema } from "../../definition/shape.ts";

export type TypeSpec =
  | { readonly type: "string" | "number" | "boolean" }
  | { readonly type: "array"; readonly items: TypeSpec }
  | { readonly type: "object"; readonly additionalProperties: TypeSpec }
  | { readonly $ref: string };

export type PropertySpec = TypeSpec & {
  readonly description?: string;
  readonly secret?: true;
  readonly default?: string | number | boolean;
  readonly willReplaceOnChanges?: true;
};

export type PropertySpecs = { readonly [name: string]: PropertySpec };

export interface ObjectSpec {
  readonly description?: string;
  readonly type: "object";
  readonly properties: PropertySpecs;
  readonly required: readonly string[];
}

/** Named types of the package by token; the functions below add each type that they refer to. */
export type NamedTypes = Map<string, ObjectSpec>;

/** Inputs as the program writes them, or outputs, which also have the computed fields. */
export type Side = "input" | "output";

/** Converts fields to an object type. `owner` is the PascalCase prefix for the names of nested types. */
export function objectSpec(fields: Fields, owner: string, side: Side, types: NamedTypes): ObjectSpec {
  const included = Object.entries(fields).filter(([, { kind }]) => side === "output" || kind !== "computed");
  const properties = included.map(
    ([name, field]) => [name, propertySpec(field, owner, name, side, types)] as const,
  );
  const required = included.filter(([, field]) => isRequired(field, side)).map(([name]) => name);
  return { type: "object", properties: Object.fromEntries(properties), required };
}

/** An output is always present if its input is required, has a default, or the API sets the value. */
function isRequired(field: Field, side: Side): boolean {
  const member = memberOf(field);
  if (side === "input" || field.kind === "group") return member.required;
  if (member.setBy === "cloud") return valueSchema(field) === field.schema;
  return member.required || member.setBy === "either" || member.default !== undefined;
}

function propertySpec(
  field: Field,
  owner: string,
  name: string,
  side: Side,
  types: NamedTypes,
): PropertySpec {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) throw new TypeError(`${owner}.${name} is no name of a property`);
  const token = `${owner}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const member = memberOf(field);
  const type =
    field.kind === "group"
      ? groupType(field.fields, token, side, types)
      : typeSpec(member.shape, token, types);
  const defaultValue = side === "input" ? member.default : undefined;
  return {
    ...type,
    description: field.about,
    ...(member.secret ? { secret: true } : {}),
    ...(defaultValue === undefined || defaultValue === null || typeof defaultValue === "object"
      ? {}
      : { default: defaultValue }),
  };
}

/** Refers to one type if inputs and outputs are equal, else to a second type `…Response` for the outputs. */
function groupType(fields: Fields, token: string, side: Side, types: NamedTypes): TypeSpec {
  const input = objectSpec(fields, token, "input", types);
  const output = objectSpec(fields, token, "output", types);
  const isSame = JSON.stringify(structureOf(input)) === JSON.stringify(structureOf(output));
  return side === "input" || isSame
    ? reference(token, input, types)
    : reference(`${token}Response`, output, types);
}

/** Members and their types, without descriptions: inputs and outputs with the same structure share a type. */
const structureOf = ({ properties, required }: ObjectSpec): unknown => [
  required,
  Object.entries(properties).map(([name, property]) => [
    name,
    "$ref" in property ? property.$ref : property.type,
  ]),
];

function typeSpec(shape: Shape, token: string, types: NamedTypes): TypeSpec {
  switch (shape.kind) {
    case "list":
    case "set":
      return { type: "array", items: typeSpec(shape.of, token, types) };
    case "map":
      return { type: "object", additionalProperties: typeSpec(shape.of, token, types) };
    case "object": {
      const members = Object.entries(shape.fields).map(([name, member]) => [
        name,
        typeSpec(member.shape, `${token}${name.charAt(0).toUpperCase()}${name.slice(1)}`, types),
      ]);
      const required = Object.keys(shape.fields);
      return reference(token, { type: "object", properties: Object.fromEntries(members), required }, types);
    }
    default:
      return { type: shape.kind };
  }
}

/** Adds a named type and refers to it; throws if another type has the name. */
function reference(name: string, spec: ObjectSpec, types: NamedTypes): TypeSpec {
  const token = pulumiToken(name);
  const existing = types.get(token);
  if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(spec))
    throw new TypeError(`${token} names two types`);
  types.set(token, spec);
  return { $ref: `#/types/${token}` };
}
