import type {
  EnumSpec,
  ObjectSpec,
  PropertySpec,
  PropertySpecs,
  TypeSpec,
} from "../../provider/pulumi/schema/type.ts";

/** Use of a type: inputs of a resource, outputs, the state that `get` accepts, plain arguments of a function. */
export type Mode = "args" | "result" | "state" | "plain";

/** Returns the name of a token in a program: `VpcPrimarySubnet` for `kcloud:index:VpcPrimarySubnetResponse`. */
export const typeName = (token: string): string => (token.split(":").at(-1) ?? "").replace(/Response$/, "");

export function typeText(type: TypeSpec, mode: Mode): string {
  if (mode === "args") return `pulumi.Input<${innerText(type, mode)}>`;
  return mode === "state" ? `pulumi.Input<${innerText(type, "result")}>` : innerText(type, mode);
}

function innerText(type: TypeSpec, mode: Mode): string {
  // With `& {}`, an editor suggests the values of the enumeration.
  if ("oneOf" in type) return `${typeName(type.oneOf[0].$ref)} | (${primitives[type.type]} & {})`;
  if ("$ref" in type) {
    const name = typeName(type.$ref);
    if (type.type !== undefined || mode === "result") return name;
    return mode === "args" ? `${name}Args` : `pulumi.Unwrap<${name}Args>`;
  }
  if (type.type === "array") return `${typeText(type.items, mode)}[]`;
  if (type.type === "object")
    return `{ [name: string]: ${typeText((type as { additionalProperties: TypeSpec }).additionalProperties, mode)} }`;
  return primitives[type.type];
}

const primitives = { string: "string", integer: "number", number: "number", boolean: "boolean" } as const;

/** Returns the doc comment of a property; empty without a description. */
export function docText({ description }: Partial<PropertySpec>, indent = ""): string {
  return description === undefined ? "" : `${indent}/** ${description.replaceAll("*/", "*\\/")} */\n`;
}

/** Returns the text of an exported enumeration: an object of its values by name, and the union of the values. */
export const enumText = (name: string, { enum: values }: EnumSpec): string =>
  `export const ${name} = { ${values.map(({ name, value }) => `${name}: ${JSON.stringify(value)}`).join(", ")} } as const;
export type ${name} = (typeof ${name})[keyof typeof ${name}];
`;

const memberText = (name: string, property: PropertySpec, isRequired: boolean, mode: Mode): string => {
  const type = typeText(property, mode);
  const [mark, none] = isRequired ? ["", ""] : ["?", " | undefined"];
  return `${docText(property, "  ")}  readonly ${name}${mark}: ${type}${none};\n`;
};

/** Returns the text of an exported interface. Members outside `required` are optional. */
export function interfaceText(
  name: string,
  { properties, required }: Pick<ObjectSpec, "properties" | "required">,
  mode: Mode,
  about?: string,
): string {
  const members = Object.entries(properties).map(([member, property]) =>
    memberText(member, property, required.includes(member), mode),
  );
  return `${docText(about === undefined ? {} : { description: about })}export interface ${name} {\n${members.join("")}}\n`;
}

/** Returns the tokens of the named types that these properties refer to, directly or through other types. */
export function reachableTypes(
  from: readonly PropertySpecs[],
  types: { readonly [token: string]: ObjectSpec | EnumSpec },
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (type: TypeSpec): void => {
    if ("$ref" in type) {
      const token = type.$ref.replace("#/types/", "");
      if (found.has(token)) return;
      found.add(token);
      const named = types[token];
      if (named !== undefined && "properties" in named)
        for (const property of Object.values(named.properties)) visit(property);
    } else if ("oneOf" in type) visit(type.oneOf[0]);
    else if (type.type === "array") visit(type.items);
    else if (type.type === "object") visit((type as { additionalProperties: TypeSpec }).additionalProperties);
  };
  for (const properties of from) for (const property of Object.values(properties)) visit(property);
  return found;
}
