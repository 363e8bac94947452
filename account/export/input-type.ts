import manifest from "../../package.json" with { type: "json" };
import { pulumiFunction, pulumiToken } from "../../provider/core/name.ts";
import { type PackageSpec, packageSchema } from "../../provider/pulumi/schema/schema.ts";

/** Types of inputs in the SDKs of Pulumi, by the schema from which those are generated. */

/** Type of an input or of a part of it. */
export type InputType = PackageSpec["resources"][string]["inputProperties"][string];

/** Set of values for which an SDK has an enumeration. */
export interface Enumeration {
  /** Name of its class. */
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly value: string | number | boolean }[];
}

let schema: PackageSpec | undefined;

const schemaOfPackage = (): PackageSpec => {
  schema ??= packageSchema(manifest.version);
  return schema;
};

/** Returns the type of an input of a resource. */
export const inputType = (kind: string, input: string): InputType | undefined =>
  schemaOfPackage().resources[pulumiToken(kind)]?.inputProperties[input];

/** Returns the type of an input of a lookup. */
export const lookupInputType = (kind: string, input: string): InputType | undefined =>
  schemaOfPackage().functions[pulumiFunction(kind)]?.inputs.properties[input];

/** Returns the type of the elements of a list, or of the values of a map. */
export const elementType = (type: InputType | undefined): InputType | undefined =>
  type === undefined
    ? undefined
    : "items" in type
      ? type.items
      : "additionalProperties" in type
        ? type.additionalProperties
        : undefined;

/** Returns the named type to which a type refers, with its name. */
function namedType(type: InputType | undefined) {
  const reference = type !== undefined && "oneOf" in type ? type.oneOf[0] : type;
  if (reference === undefined || !("$ref" in reference)) return undefined;
  const token = reference.$ref.replace("#/types/", "");
  const spec = schemaOfPackage().types[token];
  return spec && { name: token.split(":").at(-1) ?? "", spec };
}

/** Returns the type of a property of an object type. */
export function propertyType(type: InputType | undefined, property: string): InputType | undefined {
  const named = namedType(type);
  return named !== undefined && "properties" in named.spec ? named.spec.properties[property] : undefined;
}

/** Returns the enumeration of a type; undefined for any other type. */
export function enumerationOf(type: InputType | undefined): Enumeration | undefined {
  const named = namedType(type);
  return named !== undefined && "enum" in named.spec
    ? { name: named.name, members: named.spec.enum }
    : undefined;
}
