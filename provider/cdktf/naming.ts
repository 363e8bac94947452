import { camelCase, className, pascalCase, provider, terraformSource } from "../core/name.ts";
import type { AttributeDocument, ProviderDocument, SchemaDocument, TypeDocument } from "./schema.ts";

/**
 * What a generator would spell differently from every other face. It does so without a word: it renames what its
 * languages reserve, drops one of two attributes whose names meet, and lets a getter hide one of its own.
 */

/** As much of a generator's model as tells its names. */
export interface ClassModel {
  readonly className: string;
  readonly attributes: readonly AttributeModel[];
}

export interface AttributeModel {
  readonly name: string;
  readonly terraformName: string;
  readonly type: { readonly struct?: { readonly attributes: readonly AttributeModel[] } | undefined };
}

/** A generator: all resources of a provider in their order, then all data sources, then what is ephemeral if it can. */
export type Generator = (document: SchemaDocument) => readonly ClassModel[];

interface Base {
  readonly prototype: object;
}

/** The classes that what is generated inherits from. */
export interface Library {
  readonly TerraformProvider: Base;
  readonly TerraformResource: Base;
  readonly TerraformDataSource: Base;
  /** CDKTN's alone. */
  readonly TerraformEphemeralResource?: Base;
  readonly ComplexObject: Base;
}

/** One sentence for each name that would not arrive as it is written; none is as it must be. */
export function misnamed(document: SchemaDocument, models: Generator, library: Library): string[] {
  const found = document.provider_schemas[terraformSource];
  if (found === undefined) return [`there is no provider ${terraformSource}`];
  // The provider's own settings have no model: they are shown as one more resource.
  const shown = { ...found, resource_schemas: { ...found.resource_schemas, [provider]: found.provider } };
  const made = models({ ...document, provider_schemas: { [terraformSource]: shown } });
  return expected(found, library).flatMap(({ name, className, schema, base }, at) => {
    const model = made[at];
    if (model === undefined) return [`${name}: nothing would be generated`];
    const spelled =
      model.className === className
        ? []
        : [`${name}: its class would be ${model.className}, not ${className}`];
    return [
      ...spelled,
      ...misnamedMembers(name, membersOf(schema), model.attributes, base, library.ComplexObject),
    ];
  });
}

/** What is to come of a schema, in the generators' order. */
function expected(found: ProviderDocument, library: Library) {
  const { TerraformEphemeralResource: ephemeral } = library;
  const nounOf = (type: string) => type.slice(provider.length + 1).replaceAll("_", "-");
  const noun = (type: string) => pascalCase(nounOf(type));
  return [
    ...Object.entries(found.resource_schemas).map(([type, schema]) => ({
      name: type,
      className: className(nounOf(type)),
      schema,
      base: library.TerraformResource,
    })),
    {
      name: "provider",
      className: pascalCase(provider),
      schema: found.provider,
      base: library.TerraformProvider,
    },
    ...Object.entries(found.data_source_schemas).map(([type, schema]) => ({
      name: `data.${type}`,
      className: `Data${pascalCase(provider)}${noun(type)}`,
      schema,
      base: library.TerraformDataSource,
    })),
    ...(ephemeral === undefined
      ? []
      : Object.entries(found.ephemeral_resource_schemas).map(([type, schema]) => ({
          name: `ephemeral.${type}`,
          className: `Ephemeral${pascalCase(provider)}${noun(type)}`,
          schema,
          base: ephemeral,
        }))),
  ];
}

type Members = { readonly [name: string]: AttributeDocument | TypeDocument["block"] };

const membersOf = ({ block }: { block: TypeDocument["block"] }): Members => ({
  ...block.attributes,
  ...Object.fromEntries(Object.entries(block.block_types ?? {}).map(([name, { block }]) => [name, block])),
});

const innerMembers = (member: Members[string]): Members =>
  "attributes" in member ? membersOf({ block: member }) : (member.nested_type?.attributes ?? {});

function misnamedMembers(
  path: string,
  members: Members,
  models: readonly AttributeModel[],
  base: Base,
  inner: Base,
): string[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const at = `${path}.${name}`;
    const wanted = camelCase(name);
    const model = models.find(({ terraformName }) => terraformName === name);
    if (model === undefined) return [`${at}: another attribute becomes ${wanted} too`];
    if (model.name !== wanted) return [`${at}: it would become ${model.name}, not ${wanted}`];
    if (wanted in base.prototype)
      return [`${at}: every construct has a ${wanted} of its own, which it would hide`];
    return misnamedMembers(at, innerMembers(member), model.type.struct?.attributes ?? [], inner, inner);
  });
}
