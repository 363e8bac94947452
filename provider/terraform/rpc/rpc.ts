import { actions, ephemerals, functions, lookups } from "../../../functions/index.ts";
import { resources } from "../../../resources/index.ts";
import { terraformType } from "../../core/name.ts";
import type { Action, Ephemeral, Lookup, PureFunction } from "../../definition/function.ts";
import type { Resource } from "../../definition/resource.ts";
import { identityHandlers } from "../codec/identity.ts";
import { actionSchema, answeredSchema, listSchema, providerSchema, resourceSchema } from "../codec/schema.ts";
import { assertSchema } from "../codec/schema-rule.ts";
import type { GetProviderSchema_Response, ServerCapabilities } from "../tfplugin6/tfplugin6.ts";
import type { GrpcServer, Routes } from "../transport/grpc.ts";
import { functionHandlers, functionName, functionSchemas } from "./call-function.ts";
import { createConfiguration, type Surroundings } from "./configure-provider.ts";
import { type Handlers, routesOf } from "./handler.ts";
import { actionHandlers } from "./invoke-action.ts";
import { listable, listHandlers } from "./list-resource.ts";
import { ephemeralHandlers } from "./open-ephemeral-resource.ts";
import { lookupHandlers } from "./read-data-source.ts";
import { resourceHandlers } from "./resource.ts";

/** Engines read it in the schema, other programs in the metadata. */
const serverCapabilities: ServerCapabilities = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
};

/** What is defined, by the type that an engine calls it by. */
const byType = <D extends { readonly name: string }, S>(
  defined: readonly D[],
  describe: (definition: D) => S,
): { [type: string]: S } =>
  Object.fromEntries(defined.map((definition) => [terraformType(definition.name), describe(definition)]));

/** The schema of everything defined. Throws for a definition that an engine, or a generator of bindings, cannot take. */
export function describeProvider(
  resources: readonly Resource[],
  lookups: readonly Lookup[],
  actions: readonly Action[] = [],
  functions: readonly PureFunction[] = [],
  ephemerals: readonly Ephemeral[] = [],
): GetProviderSchema_Response {
  const described = {
    provider: providerSchema(),
    resourceSchemas: byType(resources, resourceSchema),
    dataSourceSchemas: byType(lookups, answeredSchema),
    functions: functionSchemas(functions),
    ephemeralResourceSchemas: byType(ephemerals, answeredSchema),
    listResourceSchemas: byType(listable(resources), listSchema),
    actionSchemas: byType(actions, (action) => ({ schema: actionSchema(action) })),
    serverCapabilities,
  };
  assertSchema(described);
  return described;
}

/** What a provider is made of. */
export interface Definitions {
  readonly resources: readonly Resource[];
  readonly lookups: readonly Lookup[];
  readonly actions: readonly Action[];
  readonly functions: readonly PureFunction[];
  readonly ephemerals: readonly Ephemeral[];
}

/** Everything defined. */
export const everything: Definitions = { resources, lookups, actions, functions, ephemerals };

/** The provider as the routes of a gRPC server; `stop` aborts what a connection has in flight. */
export function createProvider(
  surroundings: Surroundings,
  stop: GrpcServer["stop"],
  { resources, lookups, actions, functions, ephemerals }: Definitions = everything,
): Routes {
  const configuration = createConfiguration(surroundings);
  const handlers: Handlers = {
    ...configuration.handlers,
    ...resourceHandlers(resources, configuration),
    ...identityHandlers(resources),
    ...listHandlers(resources, configuration),
    ...lookupHandlers(lookups, configuration),
    ...actionHandlers(actions, configuration),
    ...functionHandlers(functions),
    ...ephemeralHandlers(ephemerals, configuration),
    async getMetadata() {
      const types = (defined: readonly { name: string }[]) =>
        defined.map(({ name }) => ({ typeName: terraformType(name) }));
      return {
        serverCapabilities,
        resources: types(resources),
        dataSources: types(lookups),
        functions: functions.map((asked) => ({ name: functionName(asked) })),
        ephemeralResources: types(ephemerals),
        listResources: types(listable(resources)),
        actions: types(actions),
      };
    },
    getProviderSchema: async () => describeProvider(resources, lookups, actions, functions, ephemerals),
    async stopProvider(_, { connection }) {
      stop(connection);
      return {};
    },
  };
  return routesOf(handlers);
}
