import { camelCase } from "../../core/name.ts";
import type {
  FunctionMessage,
  GetProviderSchema_Response,
  Schema,
  Schema_Attribute,
  Schema_Block,
} from "../tfplugin6/tfplugin6.ts";
import { Schema_Object_NestingMode } from "../tfplugin6/tfplugin6.ts";

/**
 * Rules for schemas: those that engines enforce, and those of the generators of CDKTF and CDKTN, which drop or rename
 * attributes that break them. A definition that one of the targets cannot represent fails here.
 */

/** Names of meta-arguments in resource and provider blocks. */
const reservedInResources = [
  "connection",
  "count",
  "depends_on",
  "for_each",
  "lifecycle",
  "provider",
  "provisioner",
];
const reservedInProviders = ["alias", "version"];

/** Names of members that every generated class inherits. */
const reservedInClasses = [
  "build",
  "cdktfStack",
  "constructNodeMetadata",
  "dependsOn",
  "equals",
  "forEach",
  "fqn",
  "friendlyUniqueId",
  "importFrom",
  "moveTo",
  "node",
  "provisioners",
  "rawOverrides",
  "self",
  "software",
  "system",
  "terraformGeneratorMetadata",
  "terraformMetaArguments",
  "terraformResourceType",
];

const isName = (name: string): boolean => /^[a-z][a-z0-9_]*$/.test(name);

/** Throws `TypeError` with every violation and its path. */
export function assertSchema(response: GetProviderSchema_Response): void {
  const { provider, resourceSchemas, dataSourceSchemas, listResourceSchemas } = response;
  const actions = Object.entries(response.actionSchemas ?? {});
  const problems = [
    ...schemaProblems("provider", provider, reservedInProviders),
    ...typeProblems(resourceSchemas ?? {}),
    ...typeProblems(dataSourceSchemas ?? {}),
    ...typeProblems(response.ephemeralResourceSchemas ?? {}),
    ...typeProblems(listResourceSchemas ?? {}),
    ...typeProblems(Object.fromEntries(actions.map(([type, { schema = {} }]) => [type, schema]))),
    ...Object.entries(response.functions ?? {}).flatMap(([name, schema]) => functionProblems(name, schema)),
  ];
  if (problems.length > 0)
    throw new TypeError(`schemas that not every target takes:\n${problems.join("\n")}`);
}

const typeProblems = (schemas: { readonly [type: string]: Schema }): string[] => [
  ...Object.keys(schemas)
    .filter((type) => !isName(type))
    .map((type) => `${type}: is not a name`),
  ...Object.entries(schemas).flatMap(([type, schema]) => schemaProblems(type, schema, reservedInResources)),
];

function functionProblems(name: string, { parameters = [], variadicParameter }: FunctionMessage): string[] {
  const all = variadicParameter === undefined ? parameters : [...parameters, variadicParameter];
  return [
    ...(isName(name) ? [] : [`${name}: is not a name`]),
    ...nameProblems(
      name,
      all.map(({ name = "" }) => name),
    ),
  ];
}

function schemaProblems(place: string, schema: Schema | undefined, reserved: readonly string[]): string[] {
  const { attributes = [], blockTypes = [] } = schema?.block ?? {};
  const names = [
    ...attributes.map(({ name = "" }) => name),
    ...blockTypes.map(({ typeName = "" }) => typeName),
  ];
  return [
    ...((schema?.version ?? 0) < 0 ? [`${place}: has a version below zero`] : []),
    ...names.filter((name) => reserved.includes(name)).map((name) => `${place}.${name}: is a reserved name`),
    ...blockProblems(place, schema?.block ?? {}),
  ];
}

function blockProblems(place: string, { attributes = [], blockTypes = [] }: Schema_Block): string[] {
  const names = [
    ...attributes.map(({ name = "" }) => name),
    ...blockTypes.map(({ typeName = "" }) => typeName),
  ];
  return [
    ...nameProblems(place, names),
    ...attributes.flatMap((attribute) => attributeProblems(place, attribute, false)),
    ...blockTypes.flatMap(({ typeName, block }) => blockProblems(`${place}.${typeName}`, block ?? {})),
  ];
}

/** Returns the problems of names. Generated properties are in camel case, where two names with the same form conflict. */
function nameProblems(place: string, names: readonly string[]): string[] {
  const camel = names.map(camelCase);
  return names.flatMap((name, index) => {
    const property = camel[index] ?? "";
    const here = `${place}.${name}`;
    return [
      ...(isName(name) ? [] : [`${here}: is not a name`]),
      ...(camel.indexOf(property) === index
        ? []
        : [`${here}: is ${property} in generated code, as another is`]),
      ...(reservedInClasses.includes(property) || /^get[A-Z]/.test(property)
        ? [`${here}: is renamed in generated code`]
        : []),
    ];
  });
}

function attributeProblems(place: string, attribute: Schema_Attribute, inSet: boolean): string[] {
  const { name, type, nestedType, required, optional, computed, writeOnly } = attribute;
  const here = `${place}.${name}`;
  const nested = nestedType?.attributes ?? [];
  const inside = inSet || nestedType?.nesting === Schema_Object_NestingMode.SET;
  return [
    ...((type === undefined) === (nestedType === undefined)
      ? [`${here}: needs a type or nested attributes`]
      : []),
    ...(required && (optional || computed) ? [`${here}: is required and more`] : []),
    ...(required || optional || computed ? [] : [`${here}: is set by nobody`]),
    ...(writeOnly && computed ? [`${here}: is only sent and computed`] : []),
    ...(writeOnly && inSet ? [`${here}: is only sent but within a set`] : []),
    ...(nestedType !== undefined && nested.length === 0 ? [`${here}: has nothing in it`] : []),
    ...nameProblems(
      here,
      nested.map(({ name = "" }) => name),
    ),
    ...nested.flatMap((part) => attributeProblems(here, part, inside)),
  ];
}
