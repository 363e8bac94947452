import { terraformType } from "../../core/name.ts";
import type { Action, Ephemeral, Lookup, PureFunction } from "../../definition/function.ts";
import type { Resource } from "../../definition/resource.ts";
import type { GetProviderSchema_Response, ServerCapabilities } from "../tfplugin6/tfplugin6.ts";
import { functionSchemas } from "./function.ts";
import { actionSchema, definitionSchema, listSchema, providerSchema, resourceSchema } from "./schema.ts";
import { assertSchema } from "./schema-rule.ts";

/** Definitions that a provider serves. */
export interface Definitions {
  readonly resources: readonly Resource[];
  readonly lookups: readonly Lookup[];
  readonly actions: readonly Action[];
  readonly functions: readonly PureFunction[];
  readonly ephemerals: readonly Ephemeral[];
}

/** Capabilities of the server: engines read them from the schema, other programs from the metadata. */
export const serverCapabilities: ServerCapabilities = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
};

/** Resources that list blocks can query. */
export const listable = (resources: readonly Resource[]): Resource[] =>
  resources.filter(({ verbs }) => verbs.list !== undefined);

/** Returns descriptions of definitions by their Terraform types. */
const byType = <D extends { readonly name: string }, S>(
  definitions: readonly D[],
  describe: (definition: D) => S,
): { [type: string]: S } =>
  Object.fromEntries(definitions.map((definition) => [terraformType(definition.name), describe(definition)]));

/**
 * Describes all definitions as the response to GetProviderSchema. Throws for a definition that an engine or a
 * generator of bindings rejects.
 */
export function describeProvider(definitions: Definitions): GetProviderSchema_Response {
  const { resources, lookups, actions, functions, ephemerals } = definitions;
  const response = {
    provider: providerSchema(),
    resourceSchemas: byType(resources, resourceSchema),
    dataSourceSchemas: byType(lookups, definitionSchema),
    functions: functionSchemas(functions),
    ephemeralResourceSchemas: byType(ephemerals, definitionSchema),
    listResourceSchemas: byType(listable(resources), listSchema),
    actionSchemas: byType(actions, (action) => ({ schema: actionSchema(action) })),
    serverCapabilities,
  };
  assertSchema(response);
  return response;
}
