import { resources } from "../../../resources/index.ts";
import { pulumiToken } from "../../core/name.ts";
import { memberOf } from "../../definition/shape.ts";
import type { PackageSpec } from "./schema.ts";
import type { PropertySpec } from "./type.ts";

/**
 * Returns the schema that the plugin serves, and from which Pulumi generates SDKs. `pulumi import` writes an empty text for a required input that no response shows, and
 * cannot write the program if its type is an enumeration: such an input accepts every text, and the check of the plugin refuses it.
 * The types of the npm package have the enumeration.
 */
export function importableSchema(spec: PackageSpec): PackageSpec {
  const open = resources.flatMap(({ name, fields }) => {
    const token = pulumiToken(name);
    const resource = spec.resources[token];
    const names = Object.entries(fields).flatMap(([input, field]) =>
      field.kind === "field" && field.options.unreadable === true && memberOf(field).required ? [input] : [],
    );
    if (resource === undefined || names.length === 0) return [];
    const inputProperties = { ...resource.inputProperties };
    for (const input of names) {
      const property = inputProperties[input];
      if (property !== undefined) inputProperties[input] = opened(property);
    }
    return [[token, { ...resource, inputProperties }] as const];
  });
  return { ...spec, resources: { ...spec.resources, ...Object.fromEntries(open) } };
}

/** Returns a property whose enumeration accepts other values, too. */
function opened(property: PropertySpec): PropertySpec {
  if (!("$ref" in property) || property.type === undefined) return property;
  const { $ref, type, ...rest } = property;
  return { ...rest, type, oneOf: [{ type, $ref }, { type }] };
}
