import { pulumiToken } from "../../core/name.ts";
import { inWordsOf } from "../../core/wording.ts";
import { describeInput } from "../../definition/description.ts";
import type { Field, Fields } from "../../definition/field.ts";
import type { Resource } from "../../definition/resource.ts";
import { memberOf, type ScalarShape, type Shape, valueSchema } from "../../definition/shape.ts";
import { elementName, memberName, nestedName, typeName } from "./type-name.ts";

/** Type of one value. */
export type Scalar = "string" | "integer" | "number" | "boolean";

export type TypeSpec =
  | { readonly type: Scalar }
  | { readonly type: "array"; readonly items: TypeSpec }
  | { readonly type: "object"; readonly additionalProperties: TypeSpec }
  | { readonly type: Scalar; readonly oneOf: readonly [Reference, { readonly type: Scalar }] }
  | Reference;

/** Reference to a named type; `type` is that of the values of an enumeration. */
interface Reference {
  readonly type?: Scalar;
  readonly $ref: string;
}

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

/** Set of values. */
export interface EnumSpec {
  readonly description?: string;
  readonly type: Scalar;
  readonly enum: readonly { readonly name: string; readonly value: string | number | boolean }[];
}

/** Named types of the package by token; the functions below add each type that they refer to. */
export type NamedTypes = Map<string, ObjectSpec | EnumSpec>;

/** Inputs of a program, or outputs, which also have the computed fields. */
export type Side = "input" | "output";

/** Context of a conversion: the named types, and the managed resource that has the fields. */
export interface Context {
  readonly types: NamedTypes;
  readonly resource?: Resource;
}

/** Converts fields to an object type. `owner` is the PascalCase prefix for the names of nested types. */
export function objectSpec(fields: Fields, owner: string, side: Side, context: Context): ObjectSpec {
  const included = Object.entries(fields).filter(([, { kind }]) => side === "output" || kind !== "computed");
  const properties = included.map(
    ([name, field]) => [name, propertySpec(field, { owner, name, side }, context)] as const,
  );
  const required = included.filter(([, field]) => isRequired(field, side)).map(([name]) => name);
  return { type: "object", properties: Object.fromEntries(properties), required };
}

/** Returns true if the property is always present: an output if its input is required or has a default, or the API sets it. */
function isRequired(field: Field, side: Side): boolean {
  const member = memberOf(field);
  if (side === "input" || field.kind === "group") return member.required;
  if (member.setBy === "cloud") return valueSchema(field) === field.schema;
  return member.required || member.setBy === "either" || member.default !== undefined;
}

function propertySpec(
  field: Field,
  { owner, name, side }: { readonly owner: string; readonly name: string; readonly side: Side },
  context: Context,
): PropertySpec {
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) throw new TypeError(`${owner}.${name} is no name of a property`);
  const token = nestedName(owner, name);
  const member = memberOf(field);
  const type =
    field.kind === "group"
      ? groupType(field, token, side, context)
      : typeSpec(member.shape, token, inWordsOf("pulumi", member.about), {
          side,
          known: knownValues(field),
          types: context.types,
        });
  const defaultValue = side === "input" ? member.default : undefined;
  return {
    ...type,
    description: inWordsOf(
      "pulumi",
      side === "input" ? describeInput(member, context.resource) : field.about,
    ),
    ...(member.secret ? { secret: true } : {}),
    ...(defaultValue === undefined || defaultValue === null || typeof defaultValue === "object"
      ? {}
      : { default: defaultValue }),
  };
}

const knownValues = ({ kind, options }: Field): readonly string[] | undefined =>
  kind === "field" && "known" in options ? options.known : undefined;

/** Returns a reference to one type if inputs and outputs are equal, otherwise to a second type `…Response` for outputs. */
function groupType(
  { fields, about }: Extract<Field, { kind: "group" }>,
  token: string,
  side: Side,
  context: Context,
): TypeSpec {
  const description = inWordsOf("pulumi", about);
  const input = objectSpec(fields, token, "input", context);
  const output = objectSpec(fields, token, "output", context);
  const isSame = JSON.stringify(structureOf(input)) === JSON.stringify(structureOf(output));
  return side === "input" || isSame
    ? reference(token, { description, ...input }, context.types)
    : reference(`${token}Response`, { description, ...output }, context.types);
}

/** Returns the members and their types, without descriptions: inputs and outputs with equal structures share a type. */
const structureOf = ({ properties, required }: ObjectSpec): unknown => [
  required,
  Object.entries(properties).map(([name, property]) => {
    const { description: _, default: __, ...type } = property;
    return [name, type];
  }),
];

/** Context of a value: its side, the known values, and the named types. */
interface ValueContext {
  readonly side: Side;
  readonly known: readonly string[] | undefined;
  readonly types: NamedTypes;
}

/** Returns the type of a shape. `about` is the description of an object type: that of the property with this type. */
function typeSpec(shape: Shape, token: string, about: string, context: ValueContext): TypeSpec {
  switch (shape.kind) {
    case "list":
    case "set":
      return { type: "array", items: typeSpec(shape.of, elementName(token), about, context) };
    case "map":
      return { type: "object", additionalProperties: typeSpec(shape.of, token, about, context) };
    case "object": {
      const members = Object.entries(shape.fields).map(([name, { shape, about: text }]) => {
        const about = inWordsOf("pulumi", text);
        const type = typeSpec(shape, nestedName(token, name), about, context);
        return [name, { ...type, ...descriptionOf(about) }];
      });
      const required = Object.keys(shape.fields);
      return reference(
        token,
        { ...descriptionOf(about), type: "object", properties: Object.fromEntries(members), required },
        context.types,
      );
    }
    default:
      return scalarSpec(shape, token, context);
  }
}

const descriptionOf = (about: string) => (about === "" ? {} : { description: about });

/**
 * Converts the type of one value. A closed set of values is an enumeration. So is an open one for inputs, which also accept
 * other values: the check of the plugin warns about them.
 */
function scalarSpec({ kind, integer, values }: ScalarShape, token: string, context: ValueContext): TypeSpec {
  const type: Scalar = integer ? "integer" : kind;
  const { side, known, types } = context;
  const all = values ?? (side === "input" ? known : undefined);
  if (all === undefined) return { type };
  const enumeration: EnumSpec = { type, enum: all.map((value) => ({ name: memberName(value), value })) };
  const named = { type, ...reference(token, enumeration, types) };
  return values === undefined ? { type, oneOf: [named, { type }] } : named;
}

/** Adds a named type and returns a reference to it. Throws `TypeError` if another type has the name. */
function reference(name: string, spec: ObjectSpec | EnumSpec, types: NamedTypes): Reference {
  const token = pulumiToken(typeName(name));
  const existing = types.get(token);
  if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(spec))
    throw new TypeError(`${token} names two types`);
  types.set(token, spec);
  return { $ref: `#/types/${token}` };
}
