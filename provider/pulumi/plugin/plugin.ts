import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import manifest from "../../../package.json" with { type: "json" };
import { resources } from "../../../resources/index.ts";
import { StopError, stackTrace } from "../../core/error.ts";
import { pulumiToken } from "../../core/name.ts";
import type { Resource } from "../../definition/resource.ts";
import { bindMethod, type Method, type Routes, status } from "../../grpc/grpc.ts";
import type { Ports } from "../../platform/ports.ts";
import { connectEngineLog } from "../log.ts";
import { importableSchema } from "../schema/import-form.ts";
import { packageSchema } from "../schema/schema.ts";
import { checkConfig, configure, diffConfig } from "./configuration.ts";
import { createContext, log, type PluginContext } from "./context.ts";
import { grpcError } from "./error.ts";
import { invoke } from "./invoke.ts";
import { check, create, diff, read, remove, update } from "./resource.ts";
import { findByToken } from "./token.ts";

/** Plugin: its gRPC methods and its state. */
export interface Plugin {
  readonly routes: Routes;
  readonly context: PluginContext;
}

/** Class of a message of google-protobuf. */
interface MessageType<Q> {
  deserializeBinary(bytes: Uint8Array): Q;
}

/** Message of google-protobuf. */
interface Message {
  serializeBinary(): Uint8Array;
}

const methodOf = <Q, A extends Message>(type: MessageType<Q>): Method<Q, A> => ({
  requestType: { decode: (bytes) => type.deserializeBinary(bytes) },
  responseType: { encode: (answer) => ({ finish: () => answer.serializeBinary() }) },
});

/**
 * Creates the plugin as routes of a gRPC server. A call to any other method returns UNIMPLEMENTED.
 *
 * @param debugged true if no engine started the plugin, so that each run may configure it
 */
export function createPlugin(ports: Ports, environment: NodeJS.ProcessEnv, debugged: boolean): Plugin {
  const context = createContext(ports, environment, debugged);
  const unary = <Q, A extends Message>(type: MessageType<Q>, handle: (request: Q) => A | Promise<A>) =>
    bindMethod(methodOf<Q, A>(type), (request) => respond(context, () => handle(request)));
  /** Creates a method for calls about one resource, whose definition is found by the type in the request. */
  const ofResource = <Q extends { getType(): string }, A extends Message>(
    type: MessageType<Q>,
    handle: (context: PluginContext, resource: Resource, request: Q) => A | Promise<A>,
  ) =>
    unary(type, (request: Q) =>
      handle(context, findByToken(resources, pulumiToken, request.getType()), request),
    );

  const methods = {
    Handshake: unary(proto.ProviderHandshakeRequest, (request) => {
      context.engineLog = connectEngineLog(request.getEngineAddress());
      return new proto.ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setSupportsAutonamingConfiguration(true);
    }),
    Attach: unary(plugin.PluginAttach, (request) => {
      context.engineLog = connectEngineLog(request.getAddress());
      return new empty.Empty();
    }),
    GetPluginInfo: unary(empty.Empty, () => new plugin.PluginInfo().setVersion(manifest.version)),
    GetSchema: unary(proto.GetSchemaRequest, () =>
      new proto.GetSchemaResponse().setSchema(
        JSON.stringify(importableSchema(packageSchema(manifest.version))),
      ),
    ),
    CheckConfig: unary(proto.CheckRequest, (request) => checkConfig(context, request)),
    DiffConfig: unary(proto.DiffRequest, diffConfig),
    Configure: unary(proto.ConfigureRequest, (request) => configure(context, request)),
    Invoke: unary(proto.InvokeRequest, (request) => invoke(context, request)),
    Check: ofResource(proto.CheckRequest, check),
    Diff: ofResource(proto.DiffRequest, diff),
    Create: ofResource(proto.CreateRequest, create),
    Read: ofResource(proto.ReadRequest, read),
    Update: ofResource(proto.UpdateRequest, update),
    Delete: ofResource(proto.DeleteRequest, async (...call: Parameters<typeof remove>) => {
      await remove(...call);
      return new empty.Empty();
    }),
    Cancel: unary(empty.Empty, () => {
      context.stop.abort(new StopError("stop"));
      return new empty.Empty();
    }),
  };
  return {
    routes: Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [`/pulumirpc.ResourceProvider/${name}`, method]),
    ),
    context,
  };
}

/** Returns the response of a handler after the engine has received all log messages. Throws `GrpcError` for any error. */
async function respond<A>(context: PluginContext, handle: () => A | Promise<A>): Promise<A> {
  try {
    return await handle();
  } catch (error) {
    const failure = grpcError(error);
    if (failure.code === status.internal) log(context, "DEBUG", stackTrace(error));
    throw failure;
  } finally {
    await Promise.all(context.pendingLogs);
  }
}
