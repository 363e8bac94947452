import { lookups } from "../../functions/index.ts";
import { resources } from "../../resources/index.ts";
import type { Lookup, Resource } from "../define.ts";
import { terraformType } from "../names.ts";
import { absentHandlers } from "./absent.ts";
import { createConfiguration, type Surroundings } from "./configuration.ts";
import type { GrpcServer, Routes } from "./grpc.ts";
import { lookupHandlers } from "./lookup.ts";
import { type Handlers, routesOf } from "./method.ts";
import type { ProviderSchema, ServerCapabilities } from "./proto/plugin.ts";
import { resourceHandlers } from "./resource.ts";
import { lookupSchema, providerSchema, resourceSchema } from "./schema.ts";
import { assertSchema } from "./schema-rule.ts";

/** Engines read it in the schema, other programs in the metadata. */
const serverCapabilities: ServerCapabilities = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: false,
  generateResourceConfig: true,
};

/** The schema of everything defined. Throws for a definition that an engine, or a generator of bindings, cannot take. */
export function describeProvider(resources: readonly Resource[], lookups: readonly Lookup[]): ProviderSchema {
  const described = {
    provider: providerSchema(),
    resourceSchemas: Object.fromEntries(
      resources.map((resource) => [terraformType(resource.name), resourceSchema(resource)]),
    ),
    dataSourceSchemas: Object.fromEntries(
      lookups.map((lookup) => [terraformType(lookup.name), lookupSchema(lookup)]),
    ),
    serverCapabilities,
  };
  assertSchema(described);
  return described;
}

/** The provider as the routes of a gRPC server; `stop` aborts what a connection has in flight. */
export function createProvider(surroundings: Surroundings, stop: GrpcServer["stop"]): Routes {
  const configuration = createConfiguration(surroundings);
  let described: ProviderSchema | undefined;
  const handlers: Handlers = {
    ...absentHandlers,
    ...configuration.handlers,
    ...resourceHandlers(resources, configuration),
    ...lookupHandlers(lookups, configuration),
    async getMetadata() {
      const types = (defined: readonly { name: string }[]) =>
        defined.map(({ name }) => ({ typeName: terraformType(name) }));
      return { serverCapabilities, resources: types(resources), dataSources: types(lookups) };
    },
    async getProviderSchema() {
      described ??= describeProvider(resources, lookups);
      return described;
    },
    async stopProvider(_, { connection }) {
      stop(connection);
      return {};
    },
  };
  return routesOf(handlers);
}
