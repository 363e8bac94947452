import {
  camelCase,
  className,
  hyphenated,
  pascalCase,
  provider,
  terraformSource,
} from "../../provider/core/name.ts";
import type {
  AttributeDocument,
  ProviderDocument,
  SchemaDocument,
  TypeDocument,
} from "../../provider/terraform/codec/document.ts";

/**
 * Detects names that a generator would change. Generators do this without an error: they rename words that their languages
 * reserve, drop one of two attributes with the same camel case name, and override inherited members with getters.
 */

/** Names in a generator's model of a class. */
export interface ClassModel {
  readonly className: string;
  readonly attributes: readonly AttributeModel[];
}

export interface AttributeModel {
  readonly name: string;
  readonly terraformName: string;
  readonly type: { readonly struct?: { readonly attributes: readonly AttributeModel[] } | undefined };
}

/** Returns the models of a schema: all resources in order, then all data sources, then ephemeral resources if supported. */
export type Generator = (document: SchemaDocument) => readonly ClassModel[];

interface Base {
  readonly prototype: object;
}

/** Base classes of generated classes. */
export interface Library {
  readonly TerraformProvider: Base;
  readonly TerraformResource: Base;
  readonly TerraformDataSource: Base;
  /** Only in CDKTN. */
  readonly TerraformEphemeralResource?: Base;
  readonly ComplexObject: Base;
}

/** Returns one sentence per name that the generator would change. */
export function namingProblems(document: SchemaDocument, models: Generator, library: Library): string[] {
  const found = document.provider_schemas[terraformSource];
  if (found === undefined) return [`there is no provider ${terraformSource}`];
  // Provider settings have no model, so a resource with the same schema is added to check their names.
  const shown = { ...found, resource_schemas: { ...found.resource_schemas, [provider]: found.provider } };
  const generated = models({ ...document, provider_schemas: { [terraformSource]: shown } });
  return expected(found, library).flatMap(({ name, className, schema, base }, index) => {
    const model = generated[index];
    if (model === undefined) return [`${name}: nothing would be generated`];
    const spelled =
      model.className === className
        ? []
        : [`${name}: its class would be ${model.className}, not ${className}`];
    return [
      ...spelled,
      ...memberProblems(name, membersOf(schema), model.attributes, { base, inner: library.ComplexObject }),
    ];
  });
}

/** Returns the expected classes of a schema in the order of the generators. */
function expected(found: ProviderDocument, library: Library) {
  const { TerraformEphemeralResource: ephemeral } = library;
  const kindOf = (type: string) => hyphenated(type.slice(provider.length + 1));
  const kindName = (type: string) => pascalCase(kindOf(type));
  return [
    ...Object.entries(found.resource_schemas).map(([type, schema]) => ({
      name: type,
      className: className(kindOf(type)),
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
      className: `Data${pascalCase(provider)}${kindName(type)}`,
      schema,
      base: library.TerraformDataSource,
    })),
    ...(ephemeral === undefined
      ? []
      : Object.entries(found.ephemeral_resource_schemas).map(([type, schema]) => ({
          name: `ephemeral.${type}`,
          className: `Ephemeral${pascalCase(provider)}${kindName(type)}`,
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

function memberProblems(
  path: string,
  members: Members,
  models: readonly AttributeModel[],
  { base, inner }: { readonly base: Base; readonly inner: Base },
): string[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const place = `${path}.${name}`;
    const wanted = camelCase(name);
    const model = models.find(({ terraformName }) => terraformName === name);
    if (model === undefined) return [`${place}: another attribute becomes ${wanted} too`];
    if (model.name !== wanted) return [`${place}: it would become ${model.name}, not ${wanted}`];
    if (wanted in base.prototype)
      return [`${place}: every construct has a ${wanted} of its own, which it would hide`];
    return memberProblems(place, innerMembers(member), model.type.struct?.attributes ?? [], {
      base: inner,
      inner,
    });
  });
}
