import { actions, ephemerals, functions, lookups } from "../../../functions/index.ts";
import { resources } from "../../../resources/index.ts";
import type { GrpcServer, Routes } from "../../grpc/grpc.ts";
import { type Definitions, describeProvider } from "../codec/provider-schema.ts";
import { functionHandlers } from "./call-function.ts";
import { createProviderConfiguration, type ProviderEnvironment } from "./configure-provider.ts";
import { metadataOf } from "./get-metadata.ts";
import { type Handlers, routesOf } from "./handler.ts";
import { actionHandlers } from "./invoke-action.ts";
import { listHandlers } from "./list-resource.ts";
import { ephemeralHandlers } from "./open-ephemeral-resource.ts";
import { dataSourceHandlers } from "./read-data-source.ts";
import { resourceHandlers } from "./resource.ts";
import { identityHandlers } from "./upgrade-resource-identity.ts";

/** All definitions of this provider. */
export const allDefinitions: Definitions = { resources, lookups, actions, functions, ephemerals };

/** Creates the provider as routes of a gRPC server; `stop` aborts the running calls of a connection. */
export function createProvider(
  environment: ProviderEnvironment,
  stop: GrpcServer["stop"],
  definitions: Definitions = allDefinitions,
): Routes {
  const configuration = createProviderConfiguration(environment);
  const handlers: Handlers = {
    ...configuration.handlers,
    ...resourceHandlers(definitions.resources, configuration),
    ...identityHandlers(definitions.resources),
    ...listHandlers(definitions.resources, configuration),
    ...dataSourceHandlers(definitions.lookups, configuration),
    ...actionHandlers(definitions.actions, configuration),
    ...functionHandlers(definitions.functions),
    ...ephemeralHandlers(definitions.ephemerals, configuration),
    getMetadata: async () => metadataOf(definitions),
    getProviderSchema: async () => describeProvider(definitions),
    async stopProvider(_, { connection }) {
      stop(connection);
      return {};
    },
  };
  return routesOf(handlers);
}
