import {
  type handleUnaryCall,
  Server,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import service from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto, {
  type InvokeRequest,
  type ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import manifest from "../../../package.json" with { type: "json" };
import { resources } from "../../../resources/index.ts";
import { StopError, stackTrace } from "../../core/error.ts";
import { pulumiToken } from "../../core/name.ts";
import type { Ports } from "../../platform/ports.ts";
import { connectEngineLog } from "../log.ts";
import { packageSchema } from "../schema/schema.ts";
import { checkConfig, configure, diffConfig } from "./configuration.ts";
import { createContext, log, type PluginContext } from "./context.ts";
import { type StatusError, statusError } from "./error.ts";
import { invoke } from "./invoke.ts";
import { check, create, diff, read, remove, update } from "./resource.ts";
import { findByToken } from "./token.ts";

const maxMessageBytes = 400 * 1024 * 1024;

export interface Plugin {
  readonly server: Server;
  readonly context: PluginContext;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

/**
 * Creates the plugin's gRPC server; the caller binds it. A method that is not listed returns UNIMPLEMENTED.
 *
 * @param debugged true if no engine started the plugin: then each run may configure it
 */
export function createPlugin(ports: Ports, environment: NodeJS.ProcessEnv, debugged: boolean): Plugin {
  const context = createContext(ports, environment, debugged);
  const calls = new Set<Promise<void>>();
  const unary =
    <Q, A>(handle: (request: Q) => A | Promise<A>): handleUnaryCall<Q, A> =>
    ({ request }, callback) => {
      const call = respond(context, () => handle(request))
        .then(
          (response) => callback(null, response),
          (error: StatusError) => callback(serviceError(error)),
        )
        .finally(() => calls.delete(call));
      calls.add(call);
    };
  /** Creates a handler for calls about one resource: finds the definition by the request's type. */
  const ofResource = <Q extends { getType(): string }, A>(
    handle: (context: PluginContext, resource: (typeof resources)[number], request: Q) => A | Promise<A>,
  ) =>
    unary((request: Q) => handle(context, findByToken(resources, pulumiToken, request.getType()), request));

  const implementation: UntypedServiceImplementation = {
    handshake: unary((request: ProviderHandshakeRequest) => {
      context.engineLog = connectEngineLog(request.getEngineAddress());
      return new proto.ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    attach: unary((request: InstanceType<typeof plugin.PluginAttach>) => {
      context.engineLog = connectEngineLog(request.getAddress());
      return new empty.Empty();
    }),
    getPluginInfo: unary(() => new plugin.PluginInfo().setVersion(manifest.version)),
    getSchema: unary(() =>
      new proto.GetSchemaResponse().setSchema(JSON.stringify(packageSchema(manifest.version))),
    ),
    checkConfig: unary((request: Parameters<typeof checkConfig>[1]) => checkConfig(context, request)),
    diffConfig: unary(diffConfig),
    configure: unary((request: Parameters<typeof configure>[1]) => configure(context, request)),
    invoke: unary((request: InvokeRequest) => invoke(context, request)),
    check: ofResource(check),
    diff: ofResource(diff),
    create: ofResource(create),
    read: ofResource(read),
    update: ofResource(update),
    delete: ofResource(async (...call: Parameters<typeof remove>) => {
      await remove(...call);
      return new empty.Empty();
    }),
    cancel: unary(() => {
      context.stop.abort(new StopError("stop"));
      return new empty.Empty();
    }),
  };

  const server = new Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
  });
  server.addService(service.ResourceProviderService, implementation);
  return {
    server,
    context,
    async idle() {
      while (calls.size > 0) await Promise.all(calls);
    },
  };
}

/** Returns a handler's response after the engine has received every log message; errors become a status. */
async function respond<A>(context: PluginContext, handle: () => A | Promise<A>): Promise<A> {
  try {
    return await handle();
  } catch (error) {
    const failure = statusError(error);
    if (failure.code === status.INTERNAL) log(context, "DEBUG", stackTrace(error));
    throw failure;
  } finally {
    await Promise.all(context.pendingLogs);
  }
}

const serviceError = ({ code, message, metadata }: StatusError): Partial<ServiceError> => ({
  code,
  details: message,
  ...(metadata === undefined ? {} : { metadata }),
});
