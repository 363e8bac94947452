import { terraformSource } from "../../core/name.ts";
import {
  type Function_Parameter,
  type FunctionMessage,
  type GetProviderSchema_Response,
  type Schema,
  type Schema_Attribute,
  type Schema_Block,
  type Schema_NestedBlock,
  Schema_Object_NestingMode,
} from "../tfplugin6/tfplugin6.ts";

/** Provider schema in the form of `terraform providers schema -json`, which generators of bindings read. */

type Nested = "single" | "list" | "set" | "map";

export interface AttributeDocument {
  readonly type?: unknown;
  readonly nested_type?: {
    readonly nesting_mode: Nested;
    readonly attributes: { readonly [name: string]: AttributeDocument };
  };
  readonly description?: string;
  readonly required?: true;
  readonly optional?: true;
  readonly computed?: true;
  readonly sensitive?: true;
  readonly write_only?: true;
}

export interface BlockDocument {
  readonly description?: string;
  readonly attributes: { readonly [name: string]: AttributeDocument };
  readonly block_types?: {
    readonly [name: string]: { readonly nesting_mode: Nested; readonly block: BlockDocument };
  };
}

export interface TypeDocument {
  readonly version: number;
  readonly block: BlockDocument;
}

interface ParameterDocument {
  readonly name: string;
  readonly type: unknown;
  readonly description?: string;
}

export interface FunctionDocument {
  readonly description?: string;
  readonly summary?: string;
  readonly return_type: unknown;
  readonly parameters?: readonly ParameterDocument[];
  readonly variadic_parameter?: ParameterDocument;
}

/** Schema of one provider. The generator of CDKTF ignores ephemeral resources and functions. */
export interface ProviderDocument {
  readonly provider: TypeDocument;
  readonly resource_schemas: { readonly [type: string]: TypeDocument };
  readonly data_source_schemas: { readonly [type: string]: TypeDocument };
  readonly ephemeral_resource_schemas: { readonly [type: string]: TypeDocument };
  readonly functions: { readonly [name: string]: FunctionDocument };
}

export interface SchemaDocument {
  readonly format_version: "0.2";
  readonly provider_schemas: { readonly [source: string]: ProviderDocument };
  readonly provider_versions: { readonly [source: string]: string };
}

/** Converts the schema of the provider to a document with this version of the provider. */
export const schemaDocument = (schema: GetProviderSchema_Response, version: string): SchemaDocument => ({
  format_version: "0.2",
  provider_schemas: {
    [terraformSource]: {
      provider: typeDocument(schema.provider ?? {}),
      resource_schemas: mapValues(schema.resourceSchemas, typeDocument),
      data_source_schemas: mapValues(schema.dataSourceSchemas, typeDocument),
      ephemeral_resource_schemas: mapValues(schema.ephemeralResourceSchemas, typeDocument),
      functions: mapValues(schema.functions, functionDocument),
    },
  },
  provider_versions: { [terraformSource]: version },
});

const mapValues = <S, D>(
  schemas: { readonly [name: string]: S } | undefined,
  convert: (schema: S) => D,
): { [name: string]: D } =>
  Object.fromEntries(Object.entries(schemas ?? {}).map(([name, schema]) => [name, convert(schema)]));

const typeDocument = ({ version = 0, block = {} }: Schema): TypeDocument => ({
  version,
  block: blockDocument(block),
});

const nestedKinds: { readonly [nesting: number]: Nested } = {
  [Schema_Object_NestingMode.SINGLE]: "single",
  [Schema_Object_NestingMode.LIST]: "list",
  [Schema_Object_NestingMode.SET]: "set",
  [Schema_Object_NestingMode.MAP]: "map",
};

function nestingMode(nesting: Schema_Object_NestingMode | undefined): Nested {
  const mode = nestedKinds[nesting ?? Schema_Object_NestingMode.INVALID];
  if (mode === undefined) throw new TypeError(`the schema holds a nesting of kind ${nesting}`);
  return mode;
}

const blockDocument = ({ description, attributes = [], blockTypes = [] }: Schema_Block): BlockDocument => ({
  ...(description && { description }),
  attributes: attributeDocuments(attributes),
  ...(blockTypes.length > 0 && { block_types: Object.fromEntries(blockTypes.map(nestedBlockDocument)) }),
});

const nestedBlockDocument = ({ typeName = "", nesting, block = {} }: Schema_NestedBlock) =>
  [typeName, { nesting_mode: nestingMode(nesting), block: blockDocument(block) }] as const;

const attributeDocuments = (attributes: readonly Schema_Attribute[]) =>
  Object.fromEntries(attributes.map((attribute) => [attribute.name ?? "", attributeDocument(attribute)]));

const flags = (attribute: Schema_Attribute) => ({
  ...(attribute.required && { required: true as const }),
  ...(attribute.optional && { optional: true as const }),
  ...(attribute.computed && { computed: true as const }),
  ...(attribute.sensitive && { sensitive: true as const }),
  ...(attribute.writeOnly && { write_only: true as const }),
});

function attributeDocument(attribute: Schema_Attribute): AttributeDocument {
  const { type, nestedType, description } = attribute;
  return {
    ...(nestedType === undefined
      ? { type: typeIn(type) }
      : {
          nested_type: {
            nesting_mode: nestingMode(nestedType.nesting),
            attributes: attributeDocuments(nestedType.attributes ?? []),
          },
        }),
    ...(description && { description }),
    ...flags(attribute),
  };
}

const typeIn = (type: Uint8Array | undefined): unknown => JSON.parse(Buffer.from(type ?? []).toString());

const functionDocument = (schema: FunctionMessage): FunctionDocument => ({
  ...(schema.description && { description: schema.description }),
  ...(schema.summary && { summary: schema.summary }),
  return_type: typeIn(schema.return?.type),
  ...(schema.parameters?.length && { parameters: schema.parameters.map(parameterDocument) }),
  ...(schema.variadicParameter && { variadic_parameter: parameterDocument(schema.variadicParameter) }),
});

const parameterDocument = ({ name = "", type, description }: Function_Parameter): ParameterDocument => ({
  name,
  type: typeIn(type),
  ...(description && { description }),
});
