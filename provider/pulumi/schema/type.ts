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

/** The named types of the package, filled as they are met. */
export type Types = Map<string, ObjectSpec>;

/** Written by the user, or told by the provider: the second has more, and lacks less. */
export type Side = "input" | "output";

/** Fields as an object; `owner` is the PascalCase name that its own object types begin with. */
export function objectSpec(fields: Fields, owner: string, side: Side, types: Types): ObjectSpec {
  const shown = Object.entries(fields).filter(([, { kind }]) => side === "output" || kind !== "computed");
  const properties = shown.map(
    ([name, field]) => [name, propertySpec(field, owner, name, side, types)] as const,
  );
  const required = shown.filter(([, field]) => isRequired(field, side)).map(([name]) => name);
  return { type: "object", properties: Object.fromEntries(properties), required };
}

/** An output is always there if the user has to give it, a default stands in, or the cloud sets it. */
function isRequired(field: Field, side: Side): boolean {
  const member = memberOf(field);
  if (side === "input" || field.kind === "group") return member.required;
  if (member.setBy === "cloud") return valueSchema(field) === field.schema;
  return member.required || member.setBy === "either" || member.default !== undefined;
}

function propertySpec(field: Field, owner: string, name: string, side: Side, types: Types): PropertySpec {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) throw new TypeError(`${owner}.${name} is no name of a property`);
  const token = `${owner}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const member = memberOf(field);
  const type =
    field.kind === "group"
      ? groupType(field.fields, token, side, types)
      : typeSpec(member.shape, token, types);
  const standIn = side === "input" ? member.default : undefined;
  return {
    ...type,
    description: field.about,
    ...(member.secret ? { secret: true } : {}),
    ...(standIn === undefined || standIn === null || typeof standIn === "object" ? {} : { default: standIn }),
  };
}

/** One type for both sides where they are alike, else a second one for what the provider tells. */
function groupType(fields: Fields, token: string, side: Side, types: Types): TypeSpec {
  const input = objectSpec(fields, token, "input", types);
  const output = objectSpec(fields, token, "output", types);
  const alike = JSON.stringify(bones(input)) === JSON.stringify(bones(output));
  return side === "input" || alike
    ? reference(token, input, types)
    : reference(`${token}Response`, output, types);
}

/** What decides whether one type can stand for both. */
const bones = ({ properties, required }: ObjectSpec): unknown => [
  required,
  Object.entries(properties).map(([name, property]) => [
    name,
    "$ref" in property ? property.$ref : property.type,
  ]),
];

function typeSpec(shape: Shape, token: string, types: Types): TypeSpec {
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

/** A reference to a named type; the same name for another type is a defect of the definitions. */
function reference(name: string, spec: ObjectSpec, types: Types): TypeSpec {
  const token = pulumiToken(name);
  const known = types.get(token);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(spec))
    throw new TypeError(`${token} names two types`);
  types.set(token, spec);
  return { $ref: `#/types/${token}` };
}
